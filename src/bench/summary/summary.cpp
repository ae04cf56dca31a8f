#include "bench/summary/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bench/metrics/rates.h"
#include "bench/run/protocol.h"
#include "judge/verdict/hacks.h"

namespace tritonsmith::bench {
namespace {

/// Limits of the histogram of speedups.
constexpr double kBins[] = {0.25, 0.5, 0.8, 1, 1.2, 1.5, 2, 4, 8};

std::vector<std::string> ids_of(const std::vector<Problem>& problems,
                                const std::function<bool(const Problem&)>& taken) {
    std::vector<std::string> out;
    for (const Problem& one : problems)
        if (taken(one)) out.push_back(one.id);
    return out;
}

Json distribution(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    std::vector<int> bins(std::size(kBins) + 1);
    for (const double value : values)
        ++bins[static_cast<size_t>(std::upper_bound(std::begin(kBins), std::end(kBins), value) -
                                   std::begin(kBins))];
    return {{"count", values.size()},
            {"geomean", geometric_mean(values)},
            {"low", quantile(values, 0)},
            {"quarter", quantile(values, .25)},
            {"median", quantile(values, .5)},
            {"three_quarters", quantile(values, .75)},
            {"high", quantile(values, 1)},
            {"limits", kBins},
            {"bins", bins}};
}

Json speedups(const std::vector<Outcome>& outcomes, const RunData& run,
              std::optional<double> Outcome::*speedup) {
    std::vector<double> all;
    std::map<std::string, double> best;
    for (const Outcome& one : outcomes) {
        if (!one.correct() || !(one.*speedup)) continue;
        all.push_back(*(one.*speedup));
        best[one.problem] = std::max(best[one.problem], *(one.*speedup));
    }
    std::vector<double> of_tasks, or_zero;
    for (const Problem& one : run.problems) {
        const auto found = best.find(one.id);
        if (found != best.end()) of_tasks.push_back(found->second);
        or_zero.push_back(found == best.end() ? 0 : found->second);
    }
    return {{"answers", distribution(all)},
            {"best", distribution(of_tasks)},
            {"mean_best", to_json(mean_with_interval(or_zero))}};
}

/// Rates at k = 1 and k = samples of the problems that share a property.
Json groups(const RunData& run, const std::vector<Outcome>& outcomes, const std::vector<Criterion>& criteria,
            const std::function<std::string(const Problem&)>& property) {
    std::map<std::string, std::vector<std::string>> members;
    for (const Problem& one : run.problems)
        if (const std::string value = property(one); !value.empty()) members[value].push_back(one.id);
    Json out = Json::array();
    for (const auto& [value, ids] : members) {
        Json row = {{"group", value}, {"tasks", ids.size()}};
        const Counts counts(ids, run.samples);
        for (const Criterion& one : criteria) {
            if (one.name.ends_with("_compile") || one.name == "fast_0") continue;
            row[one.name] = to_json(mean_with_interval(counts.pass_at(outcomes, one, 1)));
            if (one.name == "correct" && run.samples > 1)
                row[fmt::format("pass@{}", run.samples)] =
                    to_json(mean_with_interval(counts.pass_at(outcomes, one, run.samples)));
        }
        out.push_back(std::move(row));
    }
    return out;
}

Json reasons(const std::vector<Outcome>& outcomes) {
    std::map<std::string, std::pair<int, std::string>> counts;
    for (const Outcome& one : outcomes) {
        auto& [count, stage] = counts[one.correct()        ? "accepted"
                                      : one.reason.empty() ? one.status
                                                           : one.reason];
        ++count;
        stage = one.stage;
    }
    std::vector<std::pair<int, std::string>> order;
    for (const auto& [reason, of] : counts) order.emplace_back(-of.first, reason);
    std::sort(order.begin(), order.end());
    Json out = Json::array();
    for (const auto& [minus, reason] : order)
        out.push_back({{"reason", reason},
                       {"count", -minus},
                       {"stage", counts[reason].second},
                       {"hack", judge::hack_of(reason)}});
    return out;
}

Json of_protocol(const RunData& run, const std::string& name, const std::vector<Outcome>& outcomes) {
    std::set<std::string> unjudgeable;
    for (const Outcome& one : outcomes)
        if (!one.judgeable()) unjudgeable.insert(one.problem);
    const Counts all(ids_of(run.problems, [](const Problem&) { return true; }), run.samples);
    const Counts sound(
        ids_of(run.problems,
               [&](const Problem& one) { return !one.flawed() && !unjudgeable.contains(one.id); }),
        run.samples);
    const std::vector<Criterion> criteria = criteria_of(outcomes);
    const bool timed = std::any_of(criteria.begin(), criteria.end(),
                                   [](const Criterion& one) { return one.name == "fast_0"; });
    Json rates = Json::array();
    for (const Criterion& one : criteria)
        for (const int k : attempts_of(run.samples))
            rates.push_back({{"metric", one.name},
                             {"k", k},
                             {"all", to_json(mean_with_interval(all.pass_at(outcomes, one, k)))},
                             {"sound", to_json(mean_with_interval(sound.pass_at(outcomes, one, k)))}});
    Json hacks = Json::object();
    for (const Outcome& one : outcomes)
        if (const std::string kind = judge::hack_of(one.reason); !kind.empty())
            hacks[kind] = hacks.value(kind, 0) + 1;
    Json out = {
        {"describe", Protocol::describe(name)},
        {"pending", run.pending(name)},
        {"timed", timed},
        {"unjudgeable", unjudgeable},
        {"rates", rates},
        {"groups",
         {{"level", groups(run, outcomes, criteria,
                           [](const Problem& p) { return p.level > 0 ? std::to_string(p.level) : ""; })},
          {"family", groups(run, outcomes, criteria, [](const Problem& p) { return p.family; })},
          {"difficulty", groups(run, outcomes, criteria, [](const Problem& p) { return p.difficulty; })}}},
        {"reasons", reasons(outcomes)},
        {"hacks", hacks}};
    if (timed) out["speedups"] = speedups(outcomes, run, &Outcome::speedup);
    return out;
}

}  // namespace

Json to_json(const Estimate& one) {
    return {
        {"value", one.value}, {"low", one.interval.low}, {"high", one.interval.high}, {"tasks", one.tasks}};
}

Json summarise(const RunData& run) {
    size_t flawed = 0, judgeable = 0;
    std::set<std::string> suites;
    for (const Problem& one : run.problems) {
        flawed += one.flawed();
        judgeable += one.task != nullptr;
        suites.insert(one.suite);
    }
    Json out = {{"run", run.name},
                {"suites", suites},
                {"samples", run.samples},
                {"problems",
                 {{"all", run.problems.size()},
                  {"with_task", judgeable},
                  {"flawed", flawed},
                  {"answered", run.answers.size()}}},
                {"protocols", Json::object()}};
    for (const auto& [name, outcomes] : run.outcomes)
        out["protocols"][name] = of_protocol(run, name, outcomes);
    return out;
}

}  // namespace tritonsmith::bench
