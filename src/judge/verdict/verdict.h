#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace tritonsmith::judge {

/// unjudgeable: the task is. machine_error: this machine failed, nothing is said about candidate or task.
enum class Status : uint8_t { accepted, rejected, unjudgeable, machine_error };

/// How much of the task the evidence covers: nothing, since the kernels were not run; the shrunk task only;
/// also sampled programs at full size; all of it at full size.
enum class Checked : uint8_t { none, small, sampled, full };

struct StageTime {
    std::string stage;  ///< lint, trace, policy, interpret, compile, correctness ...
    double seconds = 0;
    std::string detail;  ///< one clause for a person: "2 launches, 1 host step"
};

/// The judge's answer. JSON form and exit codes: design of the command line (README, docs/judge.md).
struct Verdict {
    std::string task;
    std::string candidate_sha256;
    Status status = Status::rejected;
    Checked checked = Checked::none;
    std::string stage = "lint";  ///< stage reached; "done" when accepted
    std::string reason;          ///< empty when accepted
    std::string message;
    int line = 0;
    bool valid = false;  ///< obeys lint and policy
    bool compiled = false;
    bool correct = false;
    std::optional<double> speedup;
    Json baseline_ms = Json::object();
    std::optional<double> candidate_ms;
    Json
        feedback;  ///< {"person", "model"}: what would fix it (judge/verdict/feedback.h); null where accepted
    Json evidence = Json::object();
    std::vector<StageTime> stages;

    bool accepted() const { return status == Status::accepted; }
};

const char* name(Status status);
const char* name(Checked checked);
Json to_json(const Verdict& verdict);
/// 0 accepted, 1 rejected, 3 the machine failed, 4 unjudgeable.
int exit_code(const Verdict& verdict);

/// Concludes the verdict with a finding: the status is the reason's class (base/reasons.h). @param stage of
/// the contract
void conclude(Verdict& verdict, const std::string& stage, const Finding& finding,
              const std::string& candidate);

}  // namespace tritonsmith::judge
