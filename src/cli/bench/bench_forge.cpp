#include "cli/bench/bench_forge.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

#include "base/process/progress.h"
#include "generate/forge_smith.h"

namespace tritonsmith::cli {

void write_by_forge(bench::RunFolder& run, const std::vector<bench::Problem>& problems,
                    const RowsJudging& how, bool relaxed) {
    std::vector<const bench::Problem*> open;
    for (const bench::Problem& one : problems)
        if (one.task && !run.answers().contains({one.id, 0})) open.push_back(&one);
    if (open.empty()) return;
    judge::Paths paths = judge::find_paths();
    paths.sandbox = how.sandbox;
    Progress progress("programs by the forge", static_cast<int64_t>(open.size()));
    std::atomic<size_t> next = 0;
    auto work = [&] {
        for (size_t i; (i = next++) < open.size();) {
            const generate::Forged forged =
                generate::forge_program(*open[i]->task, paths, how.options.target, relaxed);
            bench::Answer answer{open[i]->id, 0, forged.program.code, "forge", "", ""};
            if (!forged.failure.empty()) {
                answer.code.clear();
                answer.reason = "no_code";
                answer.message = forged.failure;
            }
            run.add(answer);
            progress.advance();
        }
    };
    const size_t cores = std::max(1U, std::thread::hardware_concurrency());
    const size_t jobs = std::min(open.size(), how.jobs > 0 ? static_cast<size_t>(how.jobs) : cores);
    std::vector<std::future<void>> threads;
    for (size_t i = 0; i < jobs; ++i) threads.push_back(std::async(std::launch::async, work));
    for (std::future<void>& thread : threads) thread.get();
}

}  // namespace tritonsmith::cli
