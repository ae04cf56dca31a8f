#include "bench/run/judging.h"

#include <climits>

namespace tritonsmith::bench {

Pending pending_of(const RunFolder& run, const std::vector<Problem>& problems, const Protocol& protocol) {
    Pending out;
    for (size_t i = 0; i < problems.size(); ++i) {
        const Problem& problem = problems[i % 2 == 0 ? i / 2 : problems.size() - 1 - i / 2];
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
