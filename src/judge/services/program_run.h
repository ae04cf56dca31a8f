#pragma once

#include <chrono>
#include <map>
#include <string>
#include <variant>

#include "base/error.h"
#include "judge/services/file_process.h"
#include "run/client/client.h"

namespace tritonsmith::judge {

/// A program with tests of its own, as benchmarks have them.
struct ProgramRequest {
    std::string source, filename;
    std::string tests;           ///< run in the program's namespace, behind it and behind the seed
    std::string device = "cpu";  ///< "cuda:0"; "cpu": launches are interpreted
    uint64_t seed = 0;
    std::chrono::milliseconds deadline{120000};
};

struct ProgramResult {
    /// What the tests assigned at their top level: a tensor of the pack for each tensor and number, by its
    /// place
    /// ("result_gold['test_case_1'][0]").
    run::Pack values;
    std::map<std::string, std::string> texts;  ///< anything else, by place
    std::string printed;                       ///< the beginning of stdout
    double seconds = 0;
};

/// Runs a program with its tests, in a sandboxed child. What it gives is its own account: whoever runs in a
/// test's process can change the test. Thread-safe as FileProcess is.
/// @return trace_error, syntax_error, trace_timeout, out_of_memory ... where it does not reach its end
/// @throws MachineError where the device cannot be used
std::variant<ProgramResult, Finding> run_program(FileProcess& process, const ProgramRequest& request);

}  // namespace tritonsmith::judge
