#pragma once

#include <string>

#include "bench/tests/tests_judge.h"
#include "task/task.h"

namespace tritonsmith::bench {

/// KernelBench's published check (bench/tests/trials.h) of a program for any task: what a reward is worth
/// that trusts outputs. Thread-safe.
class PublishedCheck {
  public:
    explicit PublishedCheck(TestsJudge::Options options) : tests_(std::move(options)) {}

    struct Result {
        bool ran = false;    ///< to its end
        bool right = false;  ///< with the right outputs
    };
    /// What it cannot run the task itself through, it does not let pass. @throws MachineError
    Result check(const task::Task& task, const std::string& program);

  private:
    TestsJudge tests_;
};

}  // namespace tritonsmith::bench
