#include "generate/schedule_search.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "forge/schedules.h"

namespace tritonsmith::generate {
namespace {

using Clock = std::chrono::steady_clock;

/// A schedule and its program.
struct Candidate {
    std::string what;
    forge::Program program;
};

/// The changes of a program's schedule, written, those with the least estimated time first.
std::vector<Candidate> candidates(const forge::Request& request, const forge::Program& from,
                                  std::set<std::string>& seen) {
    std::vector<Candidate> out;
    for (const forge::Change& change : forge::changes(from.choices)) {
        forge::Request other = request;
        other.choices = change.choices;
        auto written = forge::write_program(other);
        auto* program = std::get_if<forge::Program>(&written);
        if (program && seen.insert(program->code).second) out.push_back({change.name, std::move(*program)});
    }
    std::stable_sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) {
        return a.program.cost.milliseconds < b.program.cost.milliseconds;
    });
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
    auto attempt = [&](const std::string& what, const forge::Program& program) {
        Tried tried{what, program.cost.milliseconds,
                    judge.judge(task, program.code, options.name, options.judge)};
        tried.verdict.evidence["origin"] = {{"smith", "forge"}, {"schedule", what}};
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
    attempt("as written first", forged.program);
    if (out.verdict.status == judge::Status::unjudgeable ||
        out.verdict.status == judge::Status::machine_error)
        return out;
    for (bool improved = true; improved;) {
        improved = false;
        for (const Candidate& candidate : candidates(forged.request, best, seen)) {
            const bool done = options.measured ? spent() > options.budget
                                               : out.verdict.accepted() || out.tried.size() > kMostUnmeasured;
            if (done) return out;
            improved |= attempt(candidate.what, candidate.program);
        }
    }
    return out;
}

}  // namespace tritonsmith::generate
