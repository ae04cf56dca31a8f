#include <fmt/format.h>

#include "base/reasons.h"
#include "judge/stages/calls.h"
#include "judge/stages/checks.h"
#include "plan/transform/benchmarked.h"
#include "ttir/parse/parser.h"

/// What an autotuner's own benchmark leaves behind: kernels that add to a tensor, or change it in place, have
/// run on it many times before the first call that counts.
namespace tritonsmith::judge {

namespace {

/// "kernel add changes out_ptr", of the first launch that does.
std::string who(const plan::Plan& plan, const std::vector<plan::Disturbed>& disturbed, int& line) {
    for (const plan::Disturbed& one : disturbed) {
        if (one.kernel < 0) continue;
        const plan::Kernel& kernel = plan.kernels[static_cast<size_t>(one.kernel)];
        const ttir::Module module = ttir::parse(kernel.ttir);
        line = one.line;
        std::string names;
        for (int parameter : one.parameters) {
            const ttir::Function* entry = module.entry();
            const auto value = static_cast<size_t>(entry->parameters[static_cast<size_t>(parameter)]);
            names += (names.empty() ? "" : ", ") + entry->value_names[value];
        }
        return fmt::format("kernel {} reads and changes {}", kernel.name, names);
    }
    return "a hook of the tuner changes memory of the program";
}

Finding not_restored(const plan::Plan& plan, const std::vector<plan::Disturbed>& disturbed,
                     const std::string& seen) {
    int line = 0;
    const std::string changes = who(plan, disturbed, line);
    return {
        "autotune_not_restored",
        fmt::format("{}: Triton's autotuner runs every configuration on the program's own memory before it "
                    "takes one, and after that {}. Name it in reset_to_zero=[...] or restore_value=[...] of "
                    "triton.autotune",
                    changes, seen),
        line, Json::object()};
}

}  // namespace

std::optional<Finding> check_benchmark(CandidateState& state, const plan::KernelEffects& effects) {
    const std::vector<plan::Disturbed> disturbed = plan::disturbed_by_benchmark(state.small.plan, effects);
    if (disturbed.empty()) return std::nullopt;
    plan::Plan first_call = plan::with_benchmarks(state.small.plan);
    std::swap(state.small.plan, first_call);
    std::optional<Finding> finding;
    // What is left may be what the task's own inputs would leave, and not what others would: a largest
    // element that begins at zero.
    for (const std::vector<size_t>& module : state.small.runs().modules)
        for (size_t i = 0; i < (state.small.runs().stateful ? 1 : module.size()) && !finding; ++i) {
            if (i > 0 && module[i] == module.front()) continue;
            run::CandidateResult result;
            finding =
                run_small(state, module[i], state.small.sets()[module[i]].seed * 11 + 5, -1, false, result);
            if (!finding && !result.findings.empty()) finding = result.findings.front();
            if (!finding) finding = check_answer(state.small.sets()[module[i]], result.outputs).finding;
        }
    std::swap(state.small.plan, first_call);
    if (!finding || has_flag(finding->reason, ReasonFlag::no_answer)) return std::nullopt;
    return not_restored(state.small.plan, disturbed, "the first call fails: " + finding->message);
}

std::optional<Finding> check_benchmark_of_sums(const CandidateState& state,
                                               const plan::KernelEffects& effects) {
    std::vector<plan::Disturbed> sums;
    for (const plan::Disturbed& one : plan::disturbed_by_benchmark(state.full.plan, effects)) {
        if (one.kernel < 0) return std::nullopt;  // hooks take part: only a run shows what they do
        plan::Disturbed adds{one.kernel, one.line, {}};
        for (int parameter : one.parameters)
            if (effects[static_cast<size_t>(one.kernel)][static_cast<size_t>(parameter)].only_adds)
                adds.parameters.push_back(parameter);
        if (!adds.parameters.empty()) sums.push_back(std::move(adds));
    }
    if (sums.empty()) return std::nullopt;
    return not_restored(state.full.plan, sums, "what they have added is part of the sum");
}

}  // namespace tritonsmith::judge
