#include "generate/schedule_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <optional>
#include <set>

#include "base/error.h"
#include "forge/schedules.h"

namespace tritonsmith::generate {
namespace {

using Clock = std::chrono::steady_clock;

/// A schedule and its program.
struct Candidate {
    std::string what;
    forge::Program program;
};

/// Nothing where no program has that schedule.
std::optional<forge::Program> written(forge::Request request, const forge::Change& change) {
    request.choices = change.choices;
    auto out = forge::write_program(request);
    auto* program = std::get_if<forge::Program>(&out);
    return program ? std::optional(std::move(*program)) : std::nullopt;
}

/// The changes of a program's schedule, written, those with the least estimated time first.
std::vector<Candidate> candidates(const forge::Request& request, const forge::Program& from,
                                  std::set<std::string>& seen) {
    std::vector<Candidate> out;
    for (const forge::Change& change : forge::changes(from.choices)) {
        std::optional<forge::Program> program = written(request, change);
        if (program && seen.insert(program->code).second) out.push_back({change.name, std::move(*program)});
    }
    std::stable_sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) {
        return a.program.cost.milliseconds < b.program.cost.milliseconds;
    });
    return out;
}

/// Judges all of them, some at a time (only timings take turns), until the budget is spent: those that were
/// not begun by then are empty.
template <typename Judge, typename Spent>
std::vector<std::optional<Tried>> all_judged(const std::vector<Candidate>& all, const SearchOptions& options,
                                             const Judge& judge, const Spent& spent) {
    std::vector<std::optional<Tried>> out(all.size());
    std::atomic<size_t> next = 0;
    auto work = [&] {
        for (size_t i = next++; i < all.size() && spent() <= options.budget; i = next++)
            out[i] = judge(all[i].what, all[i].program);
    };
    std::vector<std::future<void>> workers;
    for (int i = 0; i < options.jobs; ++i) workers.push_back(std::async(std::launch::async, work));
    for (std::future<void>& worker : workers) worker.get();
    return out;
}

}  // namespace

Found search_schedules(const Forged& forged, judge::Judge& judge, const task::Task& task,
                       const SearchOptions& options) {
    constexpr size_t kMostUnmeasured = 4;  // a wrong program is seldom right in another schedule
    const Clock::time_point begin = Clock::now();
    auto spent = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    Found out;
    std::set<std::string> seen{forged.program.code};
    forge::Program best = forged.program;
    auto judged = [&](const std::string& what, const forge::Program& program) {
        Tried tried{what, program.cost.milliseconds,
                    judge.judge(task, program.code, options.name, options.judge)};
        tried.verdict.evidence["origin"] = {{"smith", "forge"}, {"schedule", what}};
        return tried;
    };
    auto take = [&](Tried tried, const forge::Program& program) {
        const bool better = tried.verdict.accepted() &&
                            (!out.verdict.accepted() || tried.verdict.candidate_ms.value_or(1e300) <
                                                            out.verdict.candidate_ms.value_or(1e300));
        if (out.tried.empty() || better) {
            out.code = program.code;
            out.verdict = tried.verdict;
            best = program;
        }
        out.tried.push_back(std::move(tried));
        return better;
    };
    take(judged("as written first", forged.program), forged.program);
    if (out.verdict.status == judge::Status::unjudgeable ||
        out.verdict.status == judge::Status::machine_error)
        return out;
    for (bool improved = true; improved;) {
        improved = false;
        const std::vector<Candidate> next = candidates(forged.request, best, seen);
        if (options.measured) {
            std::vector<std::optional<Tried>> tried = all_judged(next, options, judged, spent);
            for (size_t i = 0; i < next.size(); ++i)
                if (tried[i]) improved |= take(std::move(*tried[i]), next[i].program);
            if (spent() > options.budget) return out;
            continue;
        }
        for (const Candidate& candidate : next) {
            if (out.verdict.accepted() || out.tried.size() > kMostUnmeasured) return out;
            improved |= take(judged(candidate.what, candidate.program), candidate.program);
        }
    }
    return out;
}

void reschedule(Forged& forged, const std::string& change) {
    std::vector<std::string> names;
    for (const forge::Change& known : forge::changes(forged.program.choices)) {
        names.push_back(known.name);
        if (known.name != change) continue;
        std::optional<forge::Program> program = written(forged.request, known);
        if (!program) throw InputError("--schedule '" + change + "': no program has it");
        forged.program = *std::move(program);
        return;
    }
    throw InputError(
        fmt::format("--schedule '{}': this kernel has the schedules {}", change, fmt::join(names, "; ")));
}

}  // namespace tritonsmith::generate
