#include "bench/run/judging.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <numeric>

namespace tritonsmith::bench {

namespace {

constexpr double kLaterPart = 0.35;  ///< of a run, in which no longest program begins

/// Each part of it holds some of each part of the suite, by the fractions of multiples of the golden ratio
/// (Weyl's sequence), but the longer a program is, the sooner it comes: networks take minutes, and whatever
/// begins last has the machine for itself.
std::vector<size_t> mixed(const std::vector<Problem>& problems) {
    constexpr double kGolden = 0.6180339887498949;
    const size_t count = problems.size();
    std::vector<size_t> by_length(count), out(count);
    std::iota(by_length.begin(), by_length.end(), size_t{0});
    std::iota(out.begin(), out.end(), size_t{0});
    const auto length = [&](size_t i) { return problems[i].task ? problems[i].task->source.size() : 0; };
    std::stable_sort(by_length.begin(), by_length.end(),
                     [&](size_t a, size_t b) { return length(a) < length(b); });
    std::vector<double> place(count);
    for (size_t rank = 0; rank < count; ++rank) {
        const size_t i = by_length[rank];
        place[i] = std::fmod(static_cast<double>(i) * kGolden, 1.0) *
                   (1 - kLaterPart * static_cast<double>(rank) / static_cast<double>(count));
    }
    std::sort(out.begin(), out.end(), [&](size_t a, size_t b) { return place[a] < place[b]; });
    return out;
}

}  // namespace

Pending pending_of(const RunFolder& run, const std::vector<Problem>& problems, const Protocol& protocol) {
    Pending out;
    for (const size_t i : mixed(problems)) {
        const Problem& problem = problems[i];
        const auto end = run.answers().upper_bound({problem.id, INT_MAX});
        for (auto it = run.answers().lower_bound({problem.id, 0}); it != end; ++it) {
            const Answer& answer = it->second;
            VerdictKey key(problem.id, answer.sample, protocol.name);
            if (run.judged(key)) continue;
            judge::BatchRow row;
            row.line = static_cast<int>(out.rows.size()) + 1;
            row.task_spec = problem.id;
            row.task = problem.task;
            row.code = answer.code;
            const bool own_tests = protocol.by_tests() && !protocol.by_trials();
            if (own_tests && !problem.tested)
                row.wrong = Finding{"task_error", "the problem has no tests of its own", 0, Json::object()};
            else if (!own_tests && !problem.task)
                row.wrong = Finding{"task_error", problem.no_task, 0, Json::object()};
            else if (answer.code.empty())
                row.wrong = Finding{answer.reason.empty() ? "no_code" : answer.reason, answer.message, 0,
                                    Json::object()};
            out.rows.push_back(std::move(row));
            out.keys.push_back(std::move(key));
        }
    }
    return out;
}

}  // namespace tritonsmith::bench
