#include <ATen/DeviceAccelerator.h>
#include <ATen/Functions.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>

#include "base/json.h"
#include "train/network/arithmetic.h"
#include "train/optimizer/gradients.h"
#include "train/optimizer/optimizer.h"
#include "train/sft/supervised.h"

/// Tokens per second of training steps: forward, backward, clipping, AdamW on packed documents of random
/// tokens, weights drawn at random. Prints one JSON object. benches/sft/bench.py runs it beside transformers.
namespace tritonsmith::train {
namespace {

struct Flags {
    std::string model, device = "cpu", recompute = "elementwise";
    bool bfloat16 = false, bfloat16_gradients = false, bfloat16_states = false, master = false;
    int documents = 4, length = 4096, steps = 10, warmup = 3;
};

at::ScalarType dtype_if(bool bfloat16) {
    return bfloat16 ? at::kBFloat16 : at::kFloat;
}

Batch random_batch(const model::Config& config, const Flags& flags) {
    Batch batch;
    batch.lengths.assign(static_cast<size_t>(flags.documents), flags.length);
    const at::Tensor tokens =
        at::randint(config.vocabulary, {int64_t{flags.documents} * flags.length}, at::kLong);
    batch.tokens.assign(tokens.const_data_ptr<int64_t>(), tokens.const_data_ptr<int64_t>() + tokens.numel());
    batch.learned.assign(batch.tokens.size(), 1);
    batch.targets = tokens.numel() - flags.documents;
    return batch;
}

/// The most that the device's tensors took at a time, in bytes; 0 on the CPU.
int64_t most_memory(at::Device device) {
    if (device.is_cpu()) return 0;
    return at::getDeviceAllocator(device.type())->getDeviceStats(device.index()).allocated_bytes[0].peak;
}

Json measure(const Flags& flags) {
    const at::Device device(flags.device);
    const model::Config config = model::load_config(flags.model);
    const model::Model model =
        model::Model::random(config, {.device = device, .dtype = dtype_if(flags.bfloat16), .plain = true}, 1);
    const Recompute recompute = flags.recompute == "nothing" ? Recompute::nothing
                                : flags.recompute == "layer" ? Recompute::layer
                                                             : Recompute::elementwise;
    const Network network(model, recompute);
    model::Weights gradients = zero_gradients(model, dtype_if(flags.bfloat16_gradients));
    Optimizer optimizer(parameters_of(model, gradients),
                        {.states = dtype_if(flags.bfloat16_states), .master = flags.master});
    const Batch drawn = random_batch(config, flags);
    const DeviceBatch batch = on_device(drawn, model.options().device);
    const CrossEntropy loss{.targets = static_cast<double>(drawn.targets)};
    std::vector<double> seconds, losses;
    for (int step = 1; step <= flags.warmup + flags.steps; ++step) {
        const auto start = std::chrono::steady_clock::now();
        clear_gradients(optimizer.parameters());
        const at::Tensor value = train_batch(network, batch, loss, gradients);
        optimizer.step(step, 1e-5, clip_scale(gradient_norm(optimizer.parameters()), 1));
        losses.push_back(value.item<double>());
        (void)model.weights().norm[0].item<float>();  // the device has done the step
        if (step > flags.warmup)
            seconds.push_back(
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(seconds.begin(), seconds.end());
    const double median = seconds[seconds.size() / 2], tokens = static_cast<double>(drawn.tokens.size());
    return {{"parameters", config.parameters()},
            {"tokens_per_second", tokens / median},
            {"tflops", arithmetic_of(config, drawn.lengths, drawn.targets) / median / 1e12},
            {"step_seconds", seconds},
            {"losses", losses},
            {"peak_bytes", most_memory(model.options().device)}};
}

}  // namespace
}  // namespace tritonsmith::train

int main(int argc, char** argv) {
    tritonsmith::train::Flags flags;
    CLI::App app("Training steps of a model with random weights.");
    app.add_option("--model", flags.model, "folder with config.json")->required();
    app.add_option("--device", flags.device)->capture_default_str();
    app.add_option("--recompute", flags.recompute)->check(CLI::IsMember({"nothing", "elementwise", "layer"}));
    app.add_flag("--bf16", flags.bfloat16, "weights and activations in bfloat16");
    app.add_flag("--bf16-gradients", flags.bfloat16_gradients);
    app.add_flag("--bf16-states", flags.bfloat16_states);
    app.add_flag("--master", flags.master, "float32 copies of the weights");
    app.add_option("--documents", flags.documents)->check(CLI::Range(1, 4096));
    app.add_option("--length", flags.length, "tokens of each")->check(CLI::Range(2, 1 << 20));
    app.add_option("--steps", flags.steps)->check(CLI::Range(1, 10000));
    app.add_option("--warmup", flags.warmup, "steps that do not count")->check(CLI::Range(0, 1000));
    CLI11_PARSE(app, argc, argv);
    try {
        fmt::print("{}\n", tritonsmith::dump(tritonsmith::train::measure(flags)));
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "sft_bench: {}\n", error.what());
        return 3;
    }
}
