#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace tritonsmith {

using Json = nlohmann::json;

/// Bad usage or bad input (exit code 2). The text is one line that names the file, field or line and the
/// fix.
class InputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The machine failed: disk full, a worker could not start, a missing device (exit code 3).
class MachineError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Something found wrong with a candidate or a task: an expected outcome, returned and not thrown.
struct Finding {
    std::string reason;              ///< stable code, listed in docs/reasons.md
    std::string message;             ///< one sentence for a person
    int line = 0;                    ///< line of the candidate's own source, 0 where none is known
    Json evidence = Json::object();  ///< what was seen: index, expected, found, pointer, offset, extent ...
    std::string output = {};  ///< that it is about: "output/0", "weight/…"; empty where it is about none
    bool right_on_own_inputs = false;  ///< on the task's own distribution the answer was right
};

/// All of it that verdicts show.
inline Json shown_evidence(const Finding& finding) {
    Json shown = finding.evidence;
    if (!finding.output.empty()) shown["output"] = finding.output;
    if (finding.right_on_own_inputs) shown["right_on_own_inputs"] = true;
    return shown;
}

}  // namespace tritonsmith
