#include "bench/run/judging.h"

#include <algorithm>
#include <climits>
#include <cmath>

namespace tritonsmith::bench {

namespace {

/// Each part of it holds some of each part of 0, 1, ... count - 1: by the fractions of multiples of the golden
/// ratio (Weyl's sequence).
std::vector<size_t> mixed(size_t count) {
    constexpr double kGolden = 0.6180339887498949;
    const auto place = [&](size_t i) { return std::fmod(static_cast<double>(i) * kGolden, 1.0); };
    std::vector<size_t> out(count);
    for (size_t i = 0; i < count; ++i) out[i] = i;
    std::sort(out.begin(), out.end(), [&](size_t a, size_t b) { return place(a) < place(b); });
    return out;
}

}  // namespace

Pending pending_of(const RunFolder& run, const std::vector<Problem>& problems, const Protocol& protocol) {
    Pending out;
    for (const size_t i : mixed(problems.size())) {
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
