#include "cli/bench/bench_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

#include "base/process/progress.h"
#include "bench/run/judging.h"
#include "bench/tests/tests_judge.h"
#include "bench/tests/trials.h"
#include "cli/describe.h"

namespace tritonsmith::cli {
namespace {

/// What a row says that cannot be run.
Json verdict_of(const Finding& wrong) {
    const bool task = wrong.reason == "task_error";
    return {{"status", task ? "unjudgeable" : "rejected"},
            {"accepted", false},
            {"reason", wrong.reason},
            {"stage", task ? "task" : "answer"},
            {"message", wrong.message},
            {"tests", {{"call", false}, {"execution", false}, {"execution_stdout", false}}}};
}

}  // namespace

int judge_by_tests(bench::RunFolder& run, const std::vector<bench::Problem>& problems,
                   const bench::Protocol& protocol, const RowsJudging& how) {
    const bench::Pending pending = bench::pending_of(run, problems, protocol);
    fmt::print(stderr, "{}: {} answers to {} problems, {} to be run\n", protocol.name, run.answers().size(),
               problems.size(), pending.rows.size());
    if (pending.rows.empty()) return 0;
    std::map<std::string, const bench::Problem*> by_id;
    const std::vector<bench::Problem> tested = protocol.by_trials() ? bench::with_trials(problems) : problems;
    for (const bench::Problem& one : tested) by_id.emplace(one.id, &one);
    bench::TestsJudge judge({describing_tracer(how.sandbox), how.device == "emulated" ? "" : how.device,
                             how.options.seed.value_or(0), how.options.candidate_seconds});
    Tally tally;
    Progress progress("answers", static_cast<int64_t>(pending.rows.size()));
    std::atomic<size_t> next = 0;
    std::mutex mutex;
    auto work = [&] {
        for (size_t i; (i = next++) < pending.rows.size();) {
            const judge::BatchRow& row = pending.rows[i];
            Json verdict;
            if (row.wrong) {
                verdict = verdict_of(*row.wrong);
            } else {
                try {
                    verdict = judge.judge(*by_id.at(row.task_spec),
                                          run.answers().at({row.task_spec, std::get<1>(pending.keys[i])}));
                } catch (const MachineError& error) {
                    verdict = {{"status", "machine_error"},
                               {"accepted", false},
                               {"reason", "machine_error"},
                               {"stage", "run"},
                               {"message", error.what()}};
                }
            }
            run.add(pending.keys[i], verdict);
            std::lock_guard lock(mutex);
            tally.count(verdict.at("status").get<std::string>());
            progress.note(tally.text());
            progress.advance();
        }
    };
    const size_t cores = std::max(1U, std::thread::hardware_concurrency());
    const size_t jobs = std::min(pending.rows.size(), how.jobs > 0 ? static_cast<size_t>(how.jobs) : cores);
    std::vector<std::future<void>> threads;
    for (size_t i = 0; i < jobs; ++i) threads.push_back(std::async(std::launch::async, work));
    for (std::future<void>& thread : threads) thread.get();
    return tally.of("machine_error");
}

}  // namespace tritonsmith::cli
