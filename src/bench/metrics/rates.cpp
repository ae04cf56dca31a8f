#include "bench/metrics/rates.h"

#include <fmt/format.h>

#include <algorithm>

namespace tritonsmith::bench {

std::vector<Criterion> criteria_of(const std::vector<Outcome>& outcomes) {
    std::vector<Criterion> out = {
        {"valid", [](const Outcome& one) { return one.valid || one.correct(); }},
        {"compiled", [](const Outcome& one) { return one.compiled || one.correct(); }},
        {"correct", [](const Outcome& one) { return one.correct(); }},
    };
    auto add = [&](std::optional<double> Outcome::*speedup, const char* against) {
        if (std::none_of(outcomes.begin(), outcomes.end(),
                         [&](const Outcome& one) { return (one.*speedup).has_value(); }))
            return;
        for (const double p : kSpeeds)
            out.push_back({fmt::format("fast_{}{}", p, against), [=](const Outcome& one) {
                               return one.correct() && (p == 0 || (one.*speedup).value_or(0) > p);
                           }});
    };
    if (std::any_of(outcomes.begin(), outcomes.end(),
                    [](const Outcome& one) { return one.call.has_value(); })) {
        out.push_back({"call", [](const Outcome& one) { return one.call.value_or(false); }});
        out.push_back({"execution", [](const Outcome& one) { return one.execution.value_or(false); }});
        out.push_back(
            {"execution_stdout", [](const Outcome& one) { return one.execution_stdout.value_or(false); }});
    }
    add(&Outcome::speedup, "");
    add(&Outcome::compile_speedup, "_compile");
    return out;
}

std::vector<double> Counts::pass_at(const std::vector<Outcome>& outcomes, const Criterion& criterion,
                                    int k) const {
    std::map<std::string, int> count;
    for (const Outcome& one : outcomes)
        if (criterion.holds(one)) ++count[one.problem];
    std::vector<double> out;
    for (const std::string& problem : problems_) {
        const auto found = count.find(problem);
        out.push_back(found == count.end() ? 0 : pass_at_k(samples_, std::min(found->second, samples_), k));
    }
    return out;
}

std::vector<int> attempts_of(int samples) {
    std::vector<int> out;
    for (const int k : {1, 5, 10, 100})
        if (k < samples) out.push_back(k);
    if (samples > 0) out.push_back(samples);
    return out;
}

}  // namespace tritonsmith::bench
