#include "run/worker/exec/drawn_apart.h"

#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>

#include <memory>

#include "plan/ir/json.h"
#include "run/draw/repeated_draws.h"
#include "run/worker/memory/host_memory.h"

namespace tritonsmith::run {

namespace {

size_t behind_inputs(const plan::Plan& plan) {
    size_t last = plan.steps.size();
    while (last > 0 && plan.steps[last - 1].phase != plan::Phase::inputs) --last;
    return last;
}

}  // namespace

void draw_apart(const plan::Plan& plan, const ExecutorOptions& options, int64_t memory_limit,
                Memory& memory) {
    if (!options.variant.apart) return;
    const std::vector<plan::Tensor> inputs = plan::tensors_in(plan.inputs);
    const size_t last = behind_inputs(plan);
    ExecutorOptions other = options;
    for (const RepeatedDraw& repeated : repeated_draws(plan)) {
        const plan::Tensor& input = inputs[repeated.input];
        const at::Tensor values = memory.view(input);
        if (values.numel() == 0 || at::has_internal_overlap(values) == at::MemOverlap::Yes) continue;
        const at::Tensor flat = values.reshape({-1}).clone();
        const int64_t length = flat.numel() / repeated.parts;
        for (int part = 0; part < repeated.parts; ++part) {
            ++other.seed;
            Executor again(plan, other, std::make_unique<HostMemory>(plan, memory_limit, options.poison));
            again.run_setup(0, last);
            flat.narrow(0, part * length, length)
                .copy_(again.memory().view(input).reshape({-1}).narrow(0, part * length, length));
        }
        values.copy_(flat.view(values.sizes()));
    }
}

}  // namespace tritonsmith::run
