#include "judge/stages/device_candidate.h"
#include "judge/timing/device_findings.h"

/// The plan was judged; here the file itself is run once, for real, and must do the same.
namespace tritonsmith::judge {

std::optional<Finding> Judgement::run_as_written() {
    if (!services_.device || !options_.as_written) return std::nullopt;
    for (const auto& [candidate, reference] : links_.by_candidate)
        if (candidate.starts_with("draw/")) {
            verdict_.evidence["as_written"] =
                "not run: values without a name are drawn while it is constructed";
            return std::nullopt;
        }
    DeviceReference& reference = *task_.device;
    const cuda::DeviceLock::Shared at_work(services_.device->lock());
    run::Pack inputs;
    {
        auto answer = reference.ask("the inputs of the run as written", [&](run::DeviceWorker& worker) {
            return worker.host_inputs(reference.session(), reference.sets()[0].index);
        });
        if (auto* finding = std::get_if<Finding>(&answer)) return *finding;
        inputs = std::move(std::get<run::Pack>(answer));
    }
    AsWrittenRequest request;
    request.source = candidate_;
    request.filename = name_;
    request.device = services_.device->device();
    request.inputs = full_.inputs;
    request.init_inputs = task_.full.init_inputs;
    request.given = &inputs;
    request.links = links_.by_candidate;
    request.output_bytes = output_room(full_);
    request.seed = options_.seed.value_or(0x5EED);
    request.deadline = std::chrono::milliseconds(static_cast<int64_t>(options_.as_written_seconds * 1000));
    auto outcome = services_.as_written.run(request);
    if (auto* finding = std::get_if<Finding>(&outcome)) {
        // Is it the file, or this machine?
        services_.as_written.check(request.device);
        return *finding;
    }
    const AsWrittenResult& result = std::get<AsWrittenResult>(outcome);
    verdict_.evidence["as_written"] = {{"seconds", result.seconds},
                                       {"unlinked_draws", result.unlinked_draws}};
    if (result.unlinked_draws > 0 || result.derived) {
        verdict_.evidence["as_written"]["compared"] = false;
        return std::nullopt;
    }
    auto answer = reference.ask("the comparison", [&](run::DeviceWorker& worker) {
        return worker.compare(reference.session(), reference.sets()[0].index, result.outputs);
    });
    if (auto* finding = std::get_if<Finding>(&answer)) return *finding;
    if (auto finding = differs_as_written(std::get<run::ComparedAnswer>(answer))) return finding;
    verdict_.evidence["as_written"]["compared"] = true;
    return std::nullopt;
}

}  // namespace tritonsmith::judge
