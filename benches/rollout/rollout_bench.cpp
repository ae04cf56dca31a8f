#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <random>

#include "base/json.h"
#include "engine/engine.h"
#include "engine/executor/cpu_executor.h"
#include "engine/executor/cuda/executor.h"
#include "engine/kv_cache/paged_cache.h"
#include "model/model.h"
#include "model/weights/weight_dtype.h"
#include "read_bandwidth.h"

/// Tokens per second of the engine itself: prompts of random tokens, answers of fixed length. Prints one JSON
/// object. benches/rollout/bench.py runs it beside transformers.
namespace tritonsmith::engine {
namespace {

struct Flags {
    std::string model, device = "cpu", dtype = "bfloat16", cache_dtype = "auto";
    int prompts = 8, samples = 1, prompt_tokens = 512, new_tokens = 256, max_batch = 256, chunk_tokens = 8192,
        rounds = 2, threads = 0;
    bool exact = false, no_graphs = false, no_sharing = false, random_weights = false;
    double temperature = 1.0;
};

class Counter : public SampleListener {
  public:
    explicit Counter(int samples) : left_(samples) {}
    bool on_token(const SampledToken& token) override {
        const std::lock_guard lock(mutex_);
        if (first_ == std::chrono::steady_clock::time_point()) first_ = std::chrono::steady_clock::now();
        sum_ += static_cast<uint64_t>(token.chosen.token + 1) * static_cast<uint64_t>(token.position + 1);
        ++tokens_;
        return true;
    }
    void on_end(int, End end, const std::string& error) override {
        const std::lock_guard lock(mutex_);
        if (end == End::failed) error_ = error;
        if (--left_ == 0) over_.notify_all();
    }
    void wait() {
        std::unique_lock lock(mutex_);
        over_.wait(lock, [this] { return left_ == 0; });
        if (!error_.empty()) throw MachineError(error_);
    }
    int64_t tokens() const { return tokens_; }
    uint64_t sum() const { return sum_; }
    std::chrono::steady_clock::time_point first() const { return first_; }

  private:
    std::mutex mutex_;
    std::condition_variable over_;
    int left_;
    int64_t tokens_ = 0;
    uint64_t sum_ = 0;
    std::string error_;
    std::chrono::steady_clock::time_point first_;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Weights that a step of decoding reads: matrices, but for an embedding that is looked up.
int64_t bytes_of_a_step(const model::Weights& weights) {
    int64_t bytes = 0;
    const auto add = [&](const model::Matrix& matrix) {
        bytes += static_cast<int64_t>((matrix.tiles.defined() ? matrix.tiles.tiles : matrix.values).nbytes());
    };
    for (const model::LayerWeights& layer : weights.layers)
        for (const model::Matrix* matrix : {&layer.qkv, &layer.output, &layer.gate_up, &layer.down})
            add(*matrix);
    add(weights.head);
    return bytes;
}

Json measure(Engine& engine, const Flags& flags, int vocabulary) {
    std::mt19937 random(1);
    const auto start = std::chrono::steady_clock::now();
    const GeneratorStatistics before = engine.statistics();
    std::vector<std::shared_ptr<Counter>> counters;
    for (int i = 0; i < flags.prompts; ++i) {
        Request request;
        for (int k = 0; k < flags.prompt_tokens; ++k)
            request.prompt.push_back(static_cast<Token>(random() % static_cast<unsigned>(vocabulary)));
        request.samples = flags.samples;
        request.sampling.max_tokens = flags.new_tokens;
        request.sampling.temperature = flags.temperature;
        request.sampling.seed = static_cast<uint64_t>(i);
        counters.push_back(std::make_shared<Counter>(flags.samples));
        engine.submit(std::move(request), counters.back());
    }
    int64_t tokens = 0;
    uint64_t sum = 0;
    double prefill = 0;
    for (const auto& counter : counters) {
        counter->wait();
        tokens += counter->tokens();
        sum += counter->sum();
        prefill = std::max(prefill, std::chrono::duration<double>(counter->first() - start).count());
    }
    const double seconds = seconds_since(start);
    return {{"tokens", tokens},
            {"seconds", seconds},
            {"tokens_per_second", static_cast<double>(tokens) / seconds},
            {"last_first_token_seconds", prefill},
            {"decode_tokens_per_second",
             static_cast<double>(tokens - flags.prompts * flags.samples) / (seconds - prefill)},
            {"steps", engine.statistics().steps - before.steps},
            {"sum", sum}};
}

int run(int argc, char** argv) {
    CLI::App app("Tokens per second of the rollout engine", "rollout_bench");
    Flags flags;
    app.add_option("--model", flags.model, "Hugging Face folder")->required();
    app.add_flag("--random-weights", flags.random_weights, "read config.json alone");
    app.add_option("--device", flags.device, "cpu or cuda:N");
    app.add_option("--dtype", flags.dtype, "bfloat16, float16, float32, int8 (cpu) or fp8 (CUDA)");
    app.add_option("--cache-dtype", flags.cache_dtype, "auto or fp8 (CUDA)");
    app.add_option("--prompts", flags.prompts);
    app.add_option("--samples", flags.samples, "of each prompt, as one request");
    app.add_option("--prompt-tokens", flags.prompt_tokens);
    app.add_option("--new-tokens", flags.new_tokens);
    app.add_option("--max-batch", flags.max_batch);
    app.add_option("--chunk-tokens", flags.chunk_tokens);
    app.add_option("--rounds", flags.rounds, "all are printed; the first records graphs");
    app.add_option("--threads", flags.threads);
    app.add_option("--temperature", flags.temperature);
    app.add_flag("--exact", flags.exact);
    app.add_flag("--no-graphs", flags.no_graphs);
    app.add_flag("--no-sharing", flags.no_sharing, "each sample's keys and values are read alone (CUDA)");
    CLI11_PARSE(app, argc, argv);
    if (flags.threads > 0) at::set_num_threads(flags.threads);

    const model::Config config = model::load_config(flags.model);
    model::Model::Options options;
    options.device = at::Device(flags.device);
    options.dtype = model::weight_dtype(flags.dtype);
    options.exact = flags.exact;
    const CacheDtype cache_dtype = parse_cache_dtype(flags.cache_dtype, options.device);
    const auto loading = std::chrono::steady_clock::now();
    const model::Model model = flags.random_weights ? model::Model::random(config, options, 1)
                                                    : model::Model::load(flags.model, options);
    const double load_seconds = seconds_since(loading);
    std::unique_ptr<Executor> executor;
    if (options.device.is_cpu()) {
        const int blocks =
            flags.prompts * flags.samples * ((flags.prompt_tokens + flags.new_tokens) / 64 + 2);
        executor = cpu_executor(model, blocks, 64);
    } else {
        CudaExecutorOptions cuda;
        cuda.max_batch = flags.max_batch;
        cuda.chunk_tokens = flags.chunk_tokens;
        cuda.cache_dtype = cache_dtype;
        cuda.graphs = !flags.no_graphs;
        cuda.share_prefixes = !flags.no_sharing;
        executor = cuda_executor(model, cuda);
    }
    Engine::Options engine_options;
    engine_options.max_batch = flags.max_batch;
    engine_options.chunk_tokens = flags.chunk_tokens;
    engine_options.vocabulary = config.vocabulary;
    engine_options.context_length = config.positions;
    engine_options.reserve = flags.exact;
    const int blocks = executor->blocks(), block_size = executor->block_size();
    Engine engine(std::move(executor), engine_options);
    const int64_t weight_bytes = bytes_of_a_step(model.weights());
    Json out = {{"parameters", config.parameters()},
                {"load_seconds", load_seconds},
                {"weight_bytes", weight_bytes},
                {"cache_blocks", blocks},
                {"cache_bytes_per_token", block_bytes(model, block_size, cache_dtype) / block_size},
                {"rounds", Json::array()}};
    // Before and after: other programs may come and go on a CPU.
    double bandwidth = options.device.is_cpu() ? benches::read_bandwidth(weight_bytes) : 0;
    for (int round = 0; round < flags.rounds; ++round)
        out["rounds"].push_back(measure(engine, flags, config.vocabulary));
    if (options.device.is_cpu()) {
        bandwidth = std::max(bandwidth, benches::read_bandwidth(weight_bytes));
        out["read_bytes_per_second"] = bandwidth;
    }
    fmt::print("{}\n", out.dump());
    return 0;
}

}  // namespace
}  // namespace tritonsmith::engine

int main(int argc, char** argv) {
    try {
        return tritonsmith::engine::run(argc, argv);
    } catch (const tritonsmith::InputError& error) {
        fmt::print(stderr, "rollout_bench: {}\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "rollout_bench: {}\n", error.what());
        return 3;
    }
}
