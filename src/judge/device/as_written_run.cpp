#include "judge/device/device_stages.h"
#include "judge/device/room.h"
#include "judge/timing/device_findings.h"

/// The plan was judged; here the file itself is run once, for real, and must do the same.
namespace tritonsmith::judge {

namespace {

std::optional<Finding> run_the_file(CandidateState& state) {
    for (const auto& [candidate, reference] : state.full.links.by_candidate)
        if (candidate.starts_with("draw/")) {
            state.evidence.as_written =
                AsWrittenRun{.not_run = "values without a name are drawn while it is constructed"};
            return std::nullopt;
        }
    DeviceReference& reference = *state.task.device;
    const cuda::DeviceLock::Shared at_work(state.services.device->lock());
    run::Pack inputs;
    {
        auto answer = reference.ask("the inputs of the run as written", [&](run::DeviceWorker& worker) {
            return worker.host_inputs(reference.session(), reference.sets()[0].index);
        });
        if (auto* finding = std::get_if<Finding>(&answer)) return *finding;
        inputs = std::move(std::get<run::Pack>(answer));
    }
    AsWrittenRequest request;
    request.source = state.text;
    request.filename = state.name;
    request.device = state.services.device->device();
    request.inputs = state.full.plan.inputs;
    request.init_inputs = state.task.full.init_inputs;
    request.given = &inputs;
    request.links = state.full.links.by_candidate;
    request.output_bytes = output_room(state.full.plan);
    request.seed = state.options.seed.value_or(0x5EED);
    request.deadline =
        std::chrono::milliseconds(static_cast<int64_t>(state.options.as_written_seconds * 1000));
    auto outcome = state.services.as_written.run(request);
    if (auto* finding = std::get_if<Finding>(&outcome)) {
        // Is it the file, or this machine?
        state.services.as_written.check(request.device);
        return *finding;
    }
    const AsWrittenResult& result = std::get<AsWrittenResult>(outcome);
    AsWrittenRun& noted = state.evidence.as_written.emplace();
    noted.seconds = result.seconds;
    noted.unlinked_draws = result.unlinked_draws;
    if (result.unlinked_draws > 0 || result.derived) {
        noted.compared = false;
        return std::nullopt;
    }
    auto answer = reference.ask("the comparison", [&](run::DeviceWorker& worker) {
        return worker.compare(reference.session(), reference.sets()[0].index, result.outputs);
    });
    if (auto* finding = std::get_if<Finding>(&answer)) return *finding;
    if (auto finding = differs_as_written(std::get<run::ComparedAnswer>(answer))) return finding;
    noted.compared = true;
    return std::nullopt;
}

}  // namespace

std::optional<Finding> run_as_written(CandidateState& state) {
    if (!state.services.device || !state.options.as_written) return std::nullopt;
    return with_room(state, [&] { return run_the_file(state); });
}

}  // namespace tritonsmith::judge
