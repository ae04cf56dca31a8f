#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/tested_program.h"
#include "task/task.h"

namespace tritonsmith::bench {

/// One problem of a suite. Answers are found by its id, or by what their format names instead.
struct Problem {
    std::string id;          ///< unique within a run: "L1-11", "G-softmax"
    std::string suite;       ///< "kernelbench", "tritonbench-g" ...
    int level = 0;           ///< 0 where the suite has none
    std::string name;        ///< for people
    std::string family;      ///< of its dominating operator (suites/family.h)
    std::string difficulty;  ///< as the suite grades it; "" where it does not
    std::string flaw;  ///< why an accepted answer proves little here (suites/flaws.h); "" where none is known
    std::shared_ptr<const task::Task> task;  ///< null: no answer can be judged, `no_task` says why
    std::string no_task;
    std::shared_ptr<const TestedProgram> tested;  ///< null: its answers have no tests of their own
    std::string
        instruction;  ///< what a model is asked where there is no task; "" where the suite has no such text
    /// Texts by which TritonBench's answers name the problem: instructions and the golden program.
    std::vector<std::string> keys;

    bool flawed() const { return !flaw.empty(); }
};

}  // namespace tritonsmith::bench
