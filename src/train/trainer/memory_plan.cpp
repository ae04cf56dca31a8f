#include "train/trainer/memory_plan.h"

#include <c10/core/CachingDeviceAllocator.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "train/loss/head.h"
#include "train/network/adapters.h"

namespace tritonsmith::train {
namespace {

/// Elements that one token leaves in one layer (layer.h).
int64_t elements_kept(const model::Config& config, Recompute recompute) {
    const int64_t hidden = config.hidden, queries = int64_t{config.heads} * config.head_dim,
                  keys = int64_t{config.kv_heads} * config.head_dim, row = queries + 2 * keys,
                  mlp = config.intermediate;
    switch (recompute) {
        case Recompute::nothing:  // input, middle, both norms; projected, rotated, attended; gates and ups,
                                  // product
            return 4 * hidden + 2 * row + queries + 3 * mlp;
        case Recompute::elementwise:
            return 2 * hidden + row + queries + 2 * mlp;
        case Recompute::layer:
            return hidden;
    }
    return 0;
}

/// How many weights a process has.
struct HeldWeights {
    int64_t always = 0;        ///< with a gradient for each, where all are trained
    int64_t in_passes = 0;     ///< of whole layers: one that is computed, one that is fetched or reduced
    int64_t in_reduction = 0;  ///< gradients of the own share of a layer
    int64_t exchanged = 0;     ///< whole everywhere: each process sums the gradients of its share
};

HeldWeights held_weights(const model::Config& config, const TrainerSettings& settings, int processes) {
    const int64_t all = config.parameters();
    if (processes == 1) return {.always = all};
    if (settings.zero == TrainerSettings::Zero::states) return {.always = all, .exchanged = all};
    const int64_t outside =
        int64_t{config.vocabulary} * config.hidden * (config.tied_embeddings ? 1 : 2) + config.hidden;
    const int64_t layers = all - outside, layer = layers / config.layers;
    return {.always = outside + layers / processes,
            .in_passes = std::min<int64_t>(2, config.layers) * layer,
            .in_reduction = layer / processes,
            .exchanged = outside};
}

double gigabytes(int64_t bytes) {
    return static_cast<double>(bytes) / 1e9;
}

}  // namespace

std::string MemoryPlan::text() const {
    const std::string whole =
        layers > 0 ? fmt::format("whole layers {:.2f} GB, ", gigabytes(layers)) : std::string();
    const std::string sent =
        exchange > 0 ? fmt::format("exchange {:.2f} GB, ", gigabytes(exchange)) : std::string();
    return fmt::format(
        "memory: weights {:.2f} GB, gradients {:.2f} GB, optimizer {:.2f} GB, {}{}activations {:.2f} GB, "
        "logits {:.2f} GB; together {:.2f} GB",
        gigabytes(weights), gigabytes(gradients), gigabytes(states), sent, whole, gigabytes(activations),
        gigabytes(logits), gigabytes(total()));
}

MemoryPlan plan_memory(const model::Config& config, const TrainerSettings& settings, int64_t tokens,
                       int processes) {
    const auto bytes = [](at::ScalarType dtype) { return static_cast<int64_t>(c10::elementSize(dtype)); };
    const HeldWeights held = held_weights(config, settings, processes);
    MemoryPlan plan;
    plan.weights = held.always * bytes(settings.dtype);
    plan.layers = held.in_passes * bytes(settings.dtype) +
                  (held.in_passes + held.in_reduction) * bytes(settings.gradients);
    const int64_t adapters = adapter_elements(config, settings.lora_rank);
    const int64_t updated = adapters > 0 ? adapters : config.parameters();
    plan.weights += adapters * bytes(settings.dtype);
    const int64_t exchanged = held.exchanged > 0 && adapters > 0 ? adapters : held.exchanged;
    plan.gradients =
        ((adapters > 0 ? adapters : held.always) + exchanged / processes) * bytes(settings.gradients);
    plan.exchange = std::min(settings.exchange.in_flight, exchanged * bytes(settings.gradients));
    plan.states = updated * 2 * bytes(settings.optimizer.states);  // at most: Muon has one moment of matrices
    if (settings.optimizer.master && settings.dtype != at::kFloat) plan.states += updated * 4;
    plan.states /= processes;
    plan.activations = tokens * bytes(settings.dtype) *
                       (elements_kept(config, settings.recompute) * config.layers +
                        elements_kept(config, Recompute::nothing));
    plan.logits =
        2 * std::min(usual_logits_bytes(at::Device(settings.device)), tokens * config.vocabulary * 4);
    return plan;
}

void check_memory(const MemoryPlan& plan, at::Device device) {
    if (!device.is_cuda()) return;
    const auto left =
        static_cast<int64_t>(at::getDeviceAllocator(device.type())->getMemoryInfo(device.index()).first);
    const int64_t needed = plan.exchange + plan.layers + plan.activations + plan.logits;
    if (needed > left)
        throw InputError(
            fmt::format("a step needs {:.2f} GB besides weights, gradients and states, and {} has {:.2f} GB "
                        "left: set model.recompute = \"layer\", or fewer data.tokens",
                        gigabytes(needed), device.str(), gigabytes(left)));
}

}  // namespace tritonsmith::train
