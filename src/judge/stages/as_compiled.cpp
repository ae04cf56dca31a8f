#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "judge/candidate/choices.h"
#include "judge/candidate/launches.h"
#include "judge/stages/calls.h"
#include "judge/stages/checks.h"
#include "plan/analysis/flow.h"
#include "plan/ir/json.h"
#include "ttir/analysis/issue_order.h"
#include "ttir/parse/printer.h"

/// Where the compiled kernel is not what its text says, if one reads it step by step: promises that the
/// compiler takes for true, and loads that it moves ahead of stores.
namespace tritonsmith::judge {

namespace {

/// Kernels with a loop that may load what it has stored: through one parameter, or through two of one buffer.
std::set<int> loading_back(const Traced& traced) {
    std::map<int, std::vector<ttir::LoopAccesses>> loops;
    std::set<int> out;
    for (const LaunchRef& ref : launches(traced.plan)) {
        const int kernel = ref.launch->kernel;
        if (!loops.contains(kernel))
            loops[kernel] = ttir::loop_accesses(*traced.modules[static_cast<size_t>(kernel)]);
        for (const ttir::LoopAccesses& loop : loops[kernel]) {
            std::set<int> stored;
            for (int parameter : loop.stored)
                stored.insert(plan::buffer_of(ref.launch->args.at(static_cast<size_t>(parameter))));
            if (std::any_of(loop.loaded.begin(), loop.loaded.end(), [&](int parameter) {
                    return stored.contains(
                        plan::buffer_of(ref.launch->args.at(static_cast<size_t>(parameter))));
                }))
                out.insert(kernel);
        }
    }
    return out;
}

std::optional<Finding> load_too_early(CandidateState& state, size_t set, const run::AsCompiled& as_compiled) {
    run::CandidateResult result;
    if (auto finding =
            run_small(state, set, state.small.sets()[set].seed * 13 + 7, -1, false, result, as_compiled))
        return finding;
    for (const Finding& finding : result.findings)
        if (finding.reason == "stale_pipelined_load") return finding;
    return std::nullopt;
}

}  // namespace

std::variant<run::IssuedKernels, Finding> issued_earlier(CandidateState& state, const Traced& traced) {
    run::IssuedKernels issued;
    for (int kernel : loading_back(traced)) {
        const plan::Kernel& of = traced.plan.kernels[static_cast<size_t>(kernel)];
        const ttir::Module numbered =
            ttir::with_numbered_locations(*traced.modules[static_cast<size_t>(kernel)]);
        auto order = state.services.compiler->issue_order(ttir::print(numbered), state.options.target,
                                                          of.options, &state.compiled.compiles->budget());
        if (auto* late = std::get_if<Finding>(&order); late && late->reason == "compile_timeout")
            return *late;
        auto* found = std::get_if<trace::IssueOrder>(&order);
        if (!found) continue;  // it does not compile: that is said of the full size
        if (std::any_of(found->begin(), found->end(), [](const auto& one) { return one[2] > 0; }))
            issued[kernel] = std::move(*found);
    }
    return issued;
}

std::optional<Finding> check_pipelining(CandidateState& state) {
    auto issued = issued_earlier(state, state.small.is_full ? state.full : state.small);
    if (auto* finding = std::get_if<Finding>(&issued)) return *finding;
    run::AsCompiled as_compiled;
    as_compiled.issued = std::get<run::IssuedKernels>(std::move(issued));
    if (as_compiled.issued.empty()) return std::nullopt;
    for (size_t set = 0; set < std::min<size_t>(state.small.sets().size(), 2); set++)
        if (auto finding = load_too_early(state, set, as_compiled)) return finding;
    const std::vector<const plan::ChoiceStep*> choices = choices_of(state.small.plan);
    for (size_t c = 0; c < choices.size(); c++)
        for (size_t a = 1; a < choices[c]->alternatives.size(); a++) {
            const plan::Alternative& alternative = choices[c]->alternatives[a];
            if (std::none_of(alternative.steps.begin(), alternative.steps.end(), [&](const plan::Step& step) {
                    const auto* launch = std::get_if<plan::LaunchStep>(&step.what);
                    return launch && as_compiled.issued.contains(launch->kernel);
                }))
                continue;
            const TakenChoice taken(state, picked(choices.size(), c, a));
            if (auto finding = load_too_early(state, 0, as_compiled))
                return configuration_wrong(*finding, alternative.config);
        }
    return std::nullopt;
}

std::optional<Finding> check_promises(CandidateState& state) {
    for (const SmallCall& call : state.small.calls) {
        const auto& warnings = call.warnings;
        const auto broken = std::find_if(warnings.begin(), warnings.end(), [](const Finding& warning) {
            return warning.reason == "broken_promise";
        });
        if (broken == warnings.end()) continue;
        run::AsCompiled as_compiled;
        as_compiled.keep_promises = true;
        run::CandidateResult result;
        auto finding = run_small(state, call.set, call.seed, -1, false, result, as_compiled);
        if (finding && finding->reason == "interpret_timeout") return finding;
        if (!finding && !result.findings.empty()) finding = result.findings.front();
        if (!finding) finding = check_answer(state.small.sets()[call.set], result.outputs).finding;
        if (finding) return broken_promise(*broken, *finding);
    }
    return std::nullopt;
}

Finding broken_promise(const Finding& promise, const Finding& effect) {
    Finding out = promise;
    out.reason = "false_promise";
    out.message += "; where the compiler takes it for true, " + effect.message;
    out.evidence["why"] = effect.reason;
    return out;
}

}  // namespace tritonsmith::judge
