#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

/// What this machine can do for us, and what is missing.
namespace tritonsmith::cli {

enum class State { good, note, missing };  ///< note: not needed for judging on the CPU

struct Check {
    std::string name;  ///< "torch", "landlock" ...
    State state = State::good;
    std::string text{};  ///< one line for people
    std::string fix{};   ///< what to do about it; empty where nothing is to be done
    Json details = Json::object();
};

/// Each probes one part of the machine and never throws: what cannot be found out is said in the check.
Check check_cpu();
Check check_memory();
Check check_disk(const std::string& folder);
Check check_gpu();
/// Nothing where there is no GPU.
std::optional<Check> check_gpu_sandbox();
std::vector<Check> check_python(const std::string& python);
Check check_host_compiler();
std::vector<Check> check_sandbox();

/// Every check, in the order in which people read them.
std::vector<Check> examine(const std::string& python);

}  // namespace tritonsmith::cli
