#include "judge/reference_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <random>

#include "judge/input_settings.h"

namespace tritonsmith::judge {

namespace {

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

SetRun run_set(const plan::Plan& cpu, uint64_t seed, const run::Variant& variant, bool redraw,
               const Options& options, Services& services) {
    run::ReferenceRequest request;
    request.plan = &cpu;
    request.seed = seed;
    request.redraw = redraw;
    request.variant = variant;
    request.threads = options.threads;
    auto worker = services.reference_workers.borrow();
    auto outcome = persistently([&] { return worker->reference(request); });
    if (auto* error = std::get_if<run::WorkerError>(&outcome)) return *error;
    auto& result = std::get<run::ReferenceResult>(outcome);
    if (!result.finite) return std::string("the float64 reference is not finite");
    return std::move(result);
}

InputSet input_set(run::ReferenceResult result, uint64_t seed, const run::Variant& variant, bool wide,
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
        Bound& bound = set.expected.back().bound;
        bound.by_conditioning = wide;
        if (variant.offset != 0) bound.ties = std::max<int64_t>(2, run::Pack::element_count(entry) / 100);
    }
    return set;
}

}  // namespace

/// A verdict's line is one of the candidate: a line of the task is told in words.
Finding of_the_task(Finding finding) {
    if (finding.line > 0) {
        finding.message += fmt::format(" (line {} of the task)", finding.line);
        finding.evidence["task_line"] = finding.line;
        finding.line = 0;
    }
    return finding;
}

std::variant<ReferenceRuns, Finding> run_reference(const plan::Plan& cpu, const Options& options,
                                                   Services& services) {
    ReferenceRuns out;
    std::mt19937_64 seeds(options.seed ? *options.seed
                                       : std::random_device{}() * uint64_t{0x9E3779B97F4A7C15});
    std::vector<std::future<InputSet>> sets;
    auto add = [&](run::ReferenceResult result, uint64_t seed, const run::Variant& variant, bool wide) {
        sets.push_back(std::async(
            std::launch::async, [result = std::move(result), seed, variant, wide, &options]() mutable {
                return input_set(std::move(result), seed, variant, wide, options.tolerance);
            }));
    };
    std::optional<Finding> fatal;
    bool redraw = true;
    // False where the reference does not stay finite, though it does on its own inputs.
    auto attempt = [&](const run::Variant& variant, bool wide) {
        const bool base = sets.empty();
        const uint64_t seed = seeds();
        SetRun outcome = run_set(cpu, seed, variant, redraw, options, services);
        if (base && !std::holds_alternative<run::ReferenceResult>(outcome)) {
            // What redrawn weights make impossible is not asked.
            SetRun kept = run_set(cpu, seed, variant, false, options, services);
            if (std::holds_alternative<run::ReferenceResult>(kept)) {
                outcome = std::move(kept);
                redraw = false;
                out.skipped_variants.push_back(
                    "redrawn weights: the reference fails, and they keep their values");
            }
        }
        if (auto* result = std::get_if<run::ReferenceResult>(&outcome)) {
            if (base) out.rounding = result->rounding;
            add(std::move(*result), seed, variant, wide);
            return true;
        }
        auto* error = std::get_if<run::WorkerError>(&outcome);
        std::string why = error ? error->message : std::get<std::string>(outcome);
        if (base) {
            fatal = error
                        ? from_worker(*error)
                        : Finding{"task_error", "the reference's own output is not finite on its own inputs",
                                  0, Json::object()};
            return true;
        }
        out.skipped_variants.push_back(fmt::format("{}: {}", run::describe(variant), why));
        return false;
    };
    for (const InputSetting& setting : input_settings(cpu)) {
        for (const run::Variant& variant : setting.tries)
            if (attempt(variant, setting.wide)) break;
        if (fatal) return *fatal;
    }
    // Every task is seen on at least two draws, so that an answer that belongs to one draw is not enough.
    if (sets.size() < 2) attempt({}, false);
    for (auto& set : sets) out.sets.push_back(set.get());
    if (std::optional<Finding> degenerate = find_degeneracy(out.sets)) return *degenerate;
    return out;
}

}  // namespace tritonsmith::judge
