#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "bench/answers/answer.h"
#include "bench/problem.h"
#include "judge/services/program_run.h"

namespace tritonsmith::bench {

/// Runs answers with their problems' tests and holds what they give against the golden program's: call and
/// execution accuracy. Thread-safe.
class TestsJudge {
  public:
    struct Options {
        trace::TracerOptions python;
        std::string device;  ///< "cuda:0"; "": launches are interpreted
        uint64_t seed = 0;
        double seconds = 180;  ///< of one program
    };
    explicit TestsJudge(Options options);
    ~TestsJudge();

    /// @param problem one with a tested program
    /// @return a verdict in the form of `verify --json`, with "tests": {"call", "execution",
    /// "execution_stdout"}. Unjudgeable: the golden program does not reach its end. @throws MachineError
    Json judge(const Problem& problem, const Answer& answer);

  private:
    struct Golden;
    std::shared_ptr<const Golden> golden_of(const Problem& problem);
    std::variant<judge::ProgramResult, Finding> run(const std::string& source, const Problem& problem);

    const Options options_;
    judge::FileProcess process_;
    std::mutex mutex_;
    std::deque<std::pair<std::string, std::shared_ptr<Golden>>> golden_;  ///< of the last problems
};

}  // namespace tritonsmith::bench
