#include "judge/device/device_session.h"

#include "judge/candidate/choices.h"
#include "judge/services/worker_findings.h"
#include "plan/ir/options.h"

namespace tritonsmith::judge {

namespace {

run::DeviceKernels device_kernels(const CandidateState& state) {
    run::DeviceKernels out;
    for (size_t i = 0; i < state.full.plan.kernels.size(); ++i) {
        const std::optional<trace::Compiled>& compiled = state.compiled.kernels[i];
        if (!compiled) {
            out.kernels.push_back(nullptr);
            continue;
        }
        out.kernels.push_back({{"name", compiled->name},
                               {"num_warps", compiled->num_warps},
                               {"num_ctas", plan::num_ctas(state.full.plan.kernels[i])},
                               {"cooperative", plan::cooperative_grid(state.full.plan.kernels[i])},
                               {"shared", compiled->shared},
                               {"global_scratch_size", compiled->global_scratch_size},
                               {"global_scratch_align", compiled->global_scratch_align},
                               {"tensordesc_meta", compiled->tensordesc_meta},
                               {"offset", out.cubins.size()},
                               {"bytes", compiled->cubin.size()}});
        out.cubins.insert(out.cubins.end(), compiled->cubin.begin(), compiled->cubin.end());
    }
    return out;
}

}  // namespace

std::optional<Finding> open_on_device(CandidateState& state) {
    state.on_device.reset();
    const bool alone = state.alone_on_device || state.task.device->large();
    state.on_device =
        std::make_unique<DeviceCandidate>(*state.services.device, alone, state.task.device.get());
    const run::DeviceKernels kernels = device_kernels(state);
    run::OpenCandidate open;
    open.plan = &state.full.plan;
    open.seed = state.options.seed.value_or(0x5EED) + 11;
    open.links = state.full.links.by_candidate;
    open.linked_seed = state.task.device->weights_seed();
    open.kernels = &kernels;
    open.precision = state.options.precision;
    const cuda::DeviceLock::Shared at_work(state.services.device->lock());
    auto opened = state.on_device->worker->open(open);
    if (auto* error = std::get_if<run::WorkerError>(&opened)) return candidate_finding(*error, true);
    state.on_device->opened(std::get<int>(opened));
    return std::nullopt;
}

std::vector<int> choices_that_fit(const CandidateState& state) {
    std::vector<int> out;
    for (const plan::ChoiceStep* choice : choices_of(state.full.plan)) {
        size_t a = 0;
        while (a + 1 < choice->alternatives.size() && !state.compiled.fits(choice->alternatives[a])) ++a;
        out.push_back(static_cast<int>(a));
    }
    return out;
}

}  // namespace tritonsmith::judge
