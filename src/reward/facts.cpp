#include "reward/facts.h"

#include <algorithm>

#include "lint/lint.h"

namespace tritonsmith::reward {
namespace {

/// The time of the faster baseline that was measured.
std::optional<double> best_baseline(const judge::Verdict& verdict) {
    std::optional<double> best;
    for (const char* name : {"eager", "compile"}) {
        const auto found = verdict.baseline_ms.find(name);
        if (found == verdict.baseline_ms.end() || !found->is_number() || !(found->get<double>() > 0))
            continue;
        best = std::min(best.value_or(found->get<double>()), found->get<double>());
    }
    return best;
}

}  // namespace

Facts facts_of(const text::Response& answer, const judge::Verdict& verdict, const CostModel* model) {
    Facts facts;
    facts.format = !answer.code.empty() && !answer.truncated;
    if (!answer.code.empty()) {
        const lint::Report report = lint::lint(answer.code);
        facts.is_triton = report.is_triton;
        facts.syntax = report.syntax;
    }
    facts.functional = verdict.valid;
    facts.compiled = verdict.compiled;
    facts.correct = verdict.correct;
    facts.speedup = verdict.speedup;
    const std::optional<double> best = best_baseline(verdict);
    if (best && verdict.candidate_ms && *verdict.candidate_ms > 0)
        facts.best_speedup = *best / *verdict.candidate_ms;
    else
        facts.best_speedup = facts.speedup;
    if (!facts.best_speedup && model != nullptr) {
        facts.speedup = facts.best_speedup = estimated_speedup(verdict.evidence, *model);
        facts.estimated = facts.speedup.has_value();
    }
    return facts;
}

Json to_json(const Facts& facts) {
    return {{"format", facts.format},
            {"is_triton", facts.is_triton},
            {"syntax", facts.syntax},
            {"functional", facts.functional},
            {"valid", facts.valid()},
            {"compiled", facts.compiled},
            {"correct", facts.correct},
            {"speedup", facts.speedup ? Json(*facts.speedup) : Json()},
            {"best_speedup", facts.best_speedup ? Json(*facts.best_speedup) : Json()},
            {"estimated", facts.estimated}};
}

Json to_json(const CheckResult& check) {
    return {{"ran", check.ran}, {"right", check.right}};
}

Facts as_checked(Facts facts, const CheckResult& check) {
    facts.functional = true;
    facts.compiled = check.ran;
    facts.correct = check.right;
    return facts;
}

}  // namespace tritonsmith::reward
