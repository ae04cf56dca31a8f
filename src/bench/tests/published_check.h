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

    /// @return as TestsJudge::judge does. @throws MachineError
    Json judge(const task::Task& task, const std::string& program);

  private:
    TestsJudge tests_;
};

}  // namespace tritonsmith::bench
