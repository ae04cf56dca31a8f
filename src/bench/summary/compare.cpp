#include "bench/summary/compare.h"

#include <algorithm>
#include <set>

#include "bench/metrics/rates.h"
#include "bench/summary/summary.h"

namespace tritonsmith::bench {
namespace {

const std::vector<Outcome>& outcomes_of(const RunData& run, const std::string& protocol) {
    const auto found = run.outcomes.find(protocol);
    if (found == run.outcomes.end())
        throw InputError("run " + run.name + " has no verdicts of protocol " + protocol);
    return found->second;
}

/// What a run's answers to a problem came to: "accepted", or the reason of most.
std::string result_of(const std::vector<Outcome>& outcomes, const std::string& problem) {
    std::map<std::string, int> reasons;
    for (const Outcome& one : outcomes) {
        if (one.problem != problem) continue;
        if (one.correct()) return "accepted";
        ++reasons[one.reason];
    }
    const auto most = std::max_element(reasons.begin(), reasons.end(),
                                       [](const auto& x, const auto& y) { return x.second < y.second; });
    return most == reasons.end() ? "no answer" : most->first;
}

std::set<std::string> solved_by(const std::vector<Outcome>& outcomes, const Criterion& criterion) {
    std::set<std::string> out;
    for (const Outcome& one : outcomes)
        if (criterion.holds(one)) out.insert(one.problem);
    return out;
}

}  // namespace

Json compare_runs(const RunData& a, const RunData& b, const std::string& protocol) {
    const std::vector<Outcome>&of_a = outcomes_of(a, protocol), &of_b = outcomes_of(b, protocol);
    std::set<std::string> in_b;
    for (const Problem& one : b.problems) in_b.insert(one.id);
    std::vector<std::string> common;
    for (const Problem& one : a.problems)
        if (in_b.contains(one.id)) common.push_back(one.id);
    if (common.empty()) throw InputError("runs " + a.name + " and " + b.name + " have no problem in common");

    Json metrics = Json::array(), flips = Json::array();
    const std::vector<Criterion> criteria_a = criteria_of(of_a), criteria_b = criteria_of(of_b);
    for (const Criterion& one : criteria_a) {
        if (std::none_of(criteria_b.begin(), criteria_b.end(),
                         [&](const Criterion& other) { return other.name == one.name; }))
            continue;
        const std::vector<double> share_a = Counts(common, a.samples).pass_at(of_a, one, 1),
                                  share_b = Counts(common, b.samples).pass_at(of_b, one, 1);
        std::vector<double> difference(common.size());
        for (size_t i = 0; i < common.size(); ++i) difference[i] = share_b[i] - share_a[i];
        const std::set<std::string> solved_a = solved_by(of_a, one), solved_b = solved_by(of_b, one);
        int gained = 0, lost = 0;
        for (const std::string& problem : common) {
            const bool before = solved_a.contains(problem), after = solved_b.contains(problem);
            gained += !before && after;
            lost += before && !after;
            if (one.name == "correct" && before != after)
                flips.push_back({{"problem", problem},
                                 {"to", after ? "solved" : "lost"},
                                 {"a", result_of(of_a, problem)},
                                 {"b", result_of(of_b, problem)}});
        }
        metrics.push_back({{"metric", one.name},
                           {"a", to_json(mean_with_interval(share_a))},
                           {"b", to_json(mean_with_interval(share_b))},
                           {"difference", to_json(mean_with_interval(difference))},
                           {"gained", gained},
                           {"lost", lost},
                           {"p", mcnemar_exact(gained, lost)}});
    }
    return {{"a", a.name},
            {"b", b.name},
            {"protocol", protocol},
            {"tasks", common.size()},
            {"only_in_a", a.problems.size() - common.size()},
            {"only_in_b", b.problems.size() - common.size()},
            {"metrics", metrics},
            {"flips", flips}};
}

}  // namespace tritonsmith::bench
