#include "judge/task/scaled_task.h"

#include <set>

#include "judge/services/worker_findings.h"
#include "judge/task/requests.h"
#include "plan/analysis/collapse.h"
#include "plan/analysis/cost.h"
#include "plan/ir/json.h"

namespace tritonsmith::judge {

namespace {

trace::Request request(const task::Task& task, const Options& options, const std::string& device,
                       const std::map<std::string, int64_t>& scaled) {
    trace::Request request = reference_request(task, options.target, device);
    request.deadline = std::chrono::milliseconds(static_cast<int64_t>(options.trace_seconds * 1000));
    request.constants = scaled;
    request.draw_seed = options.draw_seed;
    return request;
}

/// Names of sizes that are the first dimension of an input, and no other of an input or a weight: what is
/// done for one of them is done for each.
std::set<std::string> outer_sizes(const plan::Plan& full) {
    std::set<int64_t> first, others;
    for (const plan::Tensor& input : plan::tensors_in(full.inputs))
        for (size_t d = 0; d < input.shape.size(); d++) (d == 0 ? first : others).insert(input.shape[d]);
    for (const plan::Weight& weight : full.weights)
        others.insert(weight.tensor.shape.begin(), weight.tensor.shape.end());
    std::set<std::string> names;
    for (const auto& [name, value] : full.constants)
        if (first.contains(value) && !others.contains(value)) names.insert(name);
    return names;
}

}  // namespace

Finding as_task_error(const Finding& finding) {
    Finding out = finding;
    out.evidence["trace_reason"] = finding.reason;
    out.message = "the task itself fails: " + finding.message;
    out.reason = "task_error";
    return of_the_task(out);
}

trace::Outcome trace_reference(const task::Task& task, const Options& options, Services& services,
                               const std::map<std::string, int64_t>& scaled) {
    return services.tracer->trace(request(task, options, "cuda", scaled));
}

ScaledSizes scaled_sizes(const plan::Plan& full, const ScaledTask& task) {
    ScaledSizes out;
    for (const auto& [constant, value] : task.scaled) out[constant] = {full.constants.at(constant), value};
    return out;
}

ShrunkTask shrink_task(const task::Task& task, const Options& options, Services& services,
                       const plan::Plan& full, const std::map<std::string, int64_t>& constants,
                       const task::ShrinkLimits& limits) {
    std::map<std::string, int64_t> probed;  // what `plan` was made with
    ShrunkTask out;
    out.plan = full;
    auto probe = [&](const std::map<std::string, int64_t>& scaled) -> std::optional<plan::Cost> {
        trace::Outcome traced = trace_reference(task, options, services, scaled);
        auto* plan = std::get_if<plan::Plan>(&traced);
        if (!plan || !plan::collapse(full, *plan).empty()) return std::nullopt;
        probed = scaled;
        out.plan = std::move(*plan);
        return plan::cost(*out.plan);
    };
    out.shrunk = task::shrink(constants, plan::cost(full), probe, limits, outer_sizes(full));
    if (out.shrunk.overrides != probed) out.plan.reset();
    return out;
}

std::variant<ScaledTask, Finding> prepare_scaled(const task::Task& task, const Options& options,
                                                 Services& services, std::map<std::string, int64_t> scaled,
                                                 std::optional<plan::Plan> plan, InputSets which) {
    ScaledTask out;
    out.scaled = std::move(scaled);
    auto cpu_trace = std::async(std::launch::async, [&] {
        return services.tracer->trace(request(task, options, "cpu", out.scaled));
    });
    if (!plan) {
        trace::Outcome traced = trace_reference(task, options, services, out.scaled);
        if (auto* finding = std::get_if<Finding>(&traced)) return as_task_error(*finding);
        plan = std::move(std::get<plan::Plan>(traced));
    }
    out.plan = std::move(*plan);
    trace::Outcome on_cpu = cpu_trace.get();
    if (auto* finding = std::get_if<Finding>(&on_cpu)) return as_task_error(*finding);
    out.cpu = std::make_shared<const plan::Plan>(std::move(std::get<plan::Plan>(on_cpu)));
    out.runs = std::async(std::launch::async, [plan = out.cpu, options, &services, which] {
                   return run_reference(*plan, options, services, which);
               }).share();
    return out;
}

}  // namespace tritonsmith::judge
