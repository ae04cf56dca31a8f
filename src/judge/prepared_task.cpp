#include "judge/prepared_task.h"

#include <fmt/format.h>

#include <future>
#include <random>

#include "judge/requests.h"
#include "plan/collapse.h"
#include "plan/json.h"
#include "plan/policy.h"
#include "task/shrink.h"

namespace tritonsmith::judge {

namespace {

/// Plan rule 20: sign, scale and offset are applied to the task's leaf draws, where the reference stays
/// finite.
const run::Variant variants[] = {{1, 1, 0}, {-1, 1, 0}, {1, 3, 0.5}, {1, 1, 100}};

trace::Request timed(trace::Request request, const Options& options) {
    request.deadline = std::chrono::milliseconds(static_cast<int64_t>(options.trace_seconds * 1000));
    return request;
}

/// A verdict's line is one of the candidate: a line of the task is told in words.
Finding of_the_task(Finding finding) {
    if (finding.line > 0) {
        finding.message += fmt::format(" (line {} of the task)", finding.line);
        finding.evidence["task_line"] = finding.line;
        finding.line = 0;
    }
    return finding;
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

Finding from_worker(const run::WorkerError& error) {
    std::string reason = "task_error";
    if (error.reason == "unsupported_operation" || error.reason == "aten_not_allowed")
        reason = "unsupported_operation";
    if (error.reason == "task_random") reason = error.reason;
    return of_the_task({reason,
                        "the reference does not run: " + error.message,
                        error.line,
                        {{"worker_reason", error.reason}}});
}

/// What one run of the reference gave: not yet turned into bounds.
using SetRun = std::variant<run::ReferenceResult, run::WorkerError, std::string>;

SetRun run_set(const plan::Plan& cpu, uint64_t seed, const run::Variant& variant, const Options& options,
               Services& services) {
    run::ReferenceRequest request;
    request.plan = &cpu;
    request.seed = seed;
    request.variant = variant;
    request.threads = options.threads;
    auto worker = services.reference_workers.borrow();
    auto outcome = persistently([&] { return worker->reference(request); });
    if (auto* error = std::get_if<run::WorkerError>(&outcome)) return *error;
    auto& result = std::get<run::ReferenceResult>(outcome);
    if (!result.finite) return std::string("the float64 reference is not finite");
    return std::move(result);
}

InputSet input_set(run::ReferenceResult result, uint64_t seed, const run::Variant& variant,
                   const Tolerance& tolerance) {
    InputSet set{seed, variant, std::move(result.inputs), {}};
    for (const run::PackEntry& entry : result.f64.entries()) {
        const run::PackEntry* native = result.native.find(entry.name);
        if (!native) throw MachineError("the worker's answer lacks " + entry.name);
        std::optional<Elements> absolute;
        if (const run::PackEntry* a = result.absolute.find(entry.name))
            absolute = elements(result.absolute, *a);
        set.expected.push_back(make_expected(entry.name, elements(result.f64, entry),
                                             elements(result.native, *native), absolute,
                                             result.longest_reduction, tolerance));
    }
    return set;
}

/// Runs the reference on every input set. Bounds are worked out here while the worker runs the next set.
std::optional<Finding> run_sets(PreparedTask& prepared, const Options& options, Services& services) {
    std::mt19937_64 seeds(options.seed ? *options.seed
                                       : std::random_device{}() * uint64_t{0x9E3779B97F4A7C15});
    std::vector<std::future<InputSet>> sets;
    auto add = [&](run::ReferenceResult result, uint64_t seed, const run::Variant& variant) {
        sets.push_back(
            std::async(std::launch::async, [result = std::move(result), seed, variant, &options]() mutable {
                return input_set(std::move(result), seed, variant, options.tolerance);
            }));
    };
    for (const run::Variant& variant : variants) {
        const bool base = sets.empty();
        const uint64_t seed = seeds();
        SetRun outcome = run_set(prepared.cpu, seed, variant, options, services);
        if (auto* result = std::get_if<run::ReferenceResult>(&outcome)) {
            if (base) prepared.rounding = result->rounding;
            add(std::move(*result), seed, variant);
            continue;
        }
        auto* error = std::get_if<run::WorkerError>(&outcome);
        std::string why = error ? error->message : std::get<std::string>(outcome);
        if (base && error) return from_worker(*error);
        if (base)
            return Finding{"task_error", "the reference's own output is not finite on its own inputs", 0,
                           Json::object()};
        prepared.skipped_variants.push_back(
            fmt::format("sign {} scale {} offset {}: {}", variant.sign, variant.scale, variant.offset, why));
    }
    // Every task is seen on at least two draws, so that an answer that belongs to one draw is not enough.
    if (sets.size() < 2) {
        const uint64_t seed = seeds();
        SetRun outcome = run_set(prepared.cpu, seed, variants[0], options, services);
        if (auto* result = std::get_if<run::ReferenceResult>(&outcome))
            add(std::move(*result), seed, variants[0]);
    }
    for (auto& set : sets) prepared.sets.push_back(set.get());
    return find_degeneracy(prepared.sets);
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
    prepared.cpu = std::move(std::get<plan::Plan>(on_cpu));
    if (std::optional<Finding> finding = run_sets(prepared, options, services)) return *finding;
    return prepared;
}

}  // namespace tritonsmith::judge
