#include "judge/prepared_task.h"

#include <fmt/format.h>

#include <future>

#include "judge/requests.h"
#include "plan/collapse.h"
#include "plan/json.h"
#include "plan/policy.h"
#include "task/shrink.h"

namespace tritonsmith::judge {

namespace {

trace::Request timed(trace::Request request, const Options& options) {
    request.deadline = std::chrono::milliseconds(static_cast<int64_t>(options.trace_seconds * 1000));
    return request;
}

Finding as_task_error(const Finding& finding) {
    Finding out = finding;
    out.evidence["trace_reason"] = finding.reason;
    out.message = "the task itself fails: " + finding.message;
    out.reason = "task_error";
    return of_the_task(out);
}

bool draws_in_forward(const plan::Plan& plan) {
    for (const plan::Step& step : plan.steps)
        if (step.phase == plan::Phase::forward)
            if (auto* aten = std::get_if<plan::AtenStep>(&step.what); aten && aten->draw >= 0) return true;
    return false;
}

}  // namespace

std::variant<PreparedTask, Finding> prepare(const task::Task& task, const Options& options,
                                            Services& services) {
    PreparedTask prepared;
    prepared.task = task;
    trace::Request request = timed(reference_request(task, options.target, "cuda"), options);
    trace::Outcome full = services.tracer.trace(request);
    if (auto* finding = std::get_if<Finding>(&full)) return as_task_error(*finding);
    prepared.full = std::move(std::get<plan::Plan>(full));
    if (draws_in_forward(prepared.full))
        return Finding{"task_random",
                       "the reference draws random numbers in its forward pass (active dropout?)", 0,
                       Json::object()};
    prepared.moves_only = plan::moves_only(prepared.full);

    std::map<std::string, int64_t> probed;
    std::optional<plan::Plan> last_probe;  // with the constants `probed`
    task::ShrinkLimits limits;
    limits.bytes = options.shrink_bytes;
    limits.flops = options.shrink_flops;
    auto probe = [&](const std::map<std::string, int64_t>& overrides) -> std::optional<plan::Cost> {
        trace::Request small = request;
        small.constants = overrides;
        trace::Outcome outcome = services.tracer.trace(small);
        auto* plan = std::get_if<plan::Plan>(&outcome);
        if (!plan || !plan::collapse(prepared.full, *plan).empty()) return std::nullopt;
        probed = overrides;
        last_probe = std::move(*plan);
        return plan::cost(*last_probe);
    };
    task::Shrunk shrunk = task::shrink(prepared.full.constants, plan::cost(prepared.full), probe, limits);
    if (!shrunk.fits)
        return Finding{"unsupported_operation",
                       "the task is too large for this machine and cannot be shrunk: " + shrunk.why, 0,
                       Json::object()};
    prepared.scaled = shrunk.overrides;

    trace::Request cpu = timed(reference_request(task, options.target, "cpu"), options);
    cpu.constants = prepared.scaled;
    auto cpu_trace = std::async(std::launch::async, [&] { return services.tracer.trace(cpu); });
    if (!prepared.shrunk()) {
        prepared.small = prepared.full;
    } else if (last_probe && probed == prepared.scaled) {
        prepared.small = std::move(*last_probe);
    } else {
        request.constants = prepared.scaled;
        trace::Outcome small = services.tracer.trace(request);
        if (auto* finding = std::get_if<Finding>(&small)) return as_task_error(*finding);
        prepared.small = std::move(std::get<plan::Plan>(small));
    }
    trace::Outcome on_cpu = cpu_trace.get();
    if (auto* finding = std::get_if<Finding>(&on_cpu)) return as_task_error(*finding);
    prepared.cpu = std::make_shared<const plan::Plan>(std::move(std::get<plan::Plan>(on_cpu)));
    if (services.device)
        prepared.device = std::make_shared<DeviceReference>(prepared.full, *services.device, options);
    prepared.runs = std::async(std::launch::async, [plan = prepared.cpu, options, &services] {
                        return run_reference(*plan, options, services);
                    }).share();
    return prepared;
}

}  // namespace tritonsmith::judge
