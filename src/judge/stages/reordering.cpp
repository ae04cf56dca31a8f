#include <fmt/format.h>

#include "judge/stages/calls.h"
#include "judge/stages/checks.h"
#include "ttir/analysis/reorder.h"
#include "ttir/ir/location.h"
#include "ttir/parse/parser.h"
#include "ttir/parse/printer.h"

/// `tl.view` and `tl.reshape(..., can_reorder=True)`: whose order the compiler may choose.
namespace tritonsmith::judge {

std::optional<Finding> check_reordering(CandidateState& state) {
    plan::Plan changed = state.small.plan;
    std::string name;
    int line = 0;
    for (plan::Kernel& kernel : changed.kernels) {
        if (!state.compiled.reordering.contains(kernel.name)) continue;
        const ttir::Module module = ttir::parse(kernel.ttir);  // it was launched
        const auto other = ttir::reordered(module);
        if (!other) continue;
        kernel.ttir = ttir::print(*other);
        if (!name.empty()) continue;
        name = kernel.name;
        const ttir::Location* at = ttir::user_frame(module, ttir::first_reordered(module));
        line = at ? at->line : kernel.line;
    }
    if (name.empty()) return std::nullopt;
    run::CandidateResult result;
    std::swap(state.small.plan, changed);
    auto finding = run_small(state, 0, state.small.sets()[0].seed * 3 + 1, -1, true, result);
    std::swap(state.small.plan, changed);
    if (!finding && !result.findings.empty()) finding = result.findings.front();
    if (!finding) finding = check_answer(state.small.sets()[0], result.outputs).finding;
    if (!finding || finding->reason == "interpret_timeout") return finding;
    finding->evidence["why"] = finding->reason;
    return Finding{
        "wrong_result",
        fmt::format("the elements of a tl.view or tl.reshape(..., can_reorder=True) in kernel {} change "
                    "places when it is compiled for {}, and the answer depends on their order: use "
                    "tl.reshape without can_reorder (in another order: {})",
                    name, state.options.target, finding->message),
        line, std::move(finding->evidence), finding->output};
}

}  // namespace tritonsmith::judge
