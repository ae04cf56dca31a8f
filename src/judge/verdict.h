#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace tritonsmith::judge {

enum class Status : uint8_t { accepted, rejected, unjudgeable };

/// How much of the task the evidence covers: the shrunk task only; also sampled programs at full size; all of
/// it at full size.
enum class Checked : uint8_t { small, sampled, full };

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
    Checked checked = Checked::small;
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
    Json feedback;  ///< {"person", "model"}: what would mend it (judge/feedback.h); null where accepted
    Json evidence = Json::object();
    std::vector<StageTime> stages;

    bool accepted() const { return status == Status::accepted; }
};

const char* name(Status status);
const char* name(Checked checked);
Json to_json(const Verdict& verdict);
/// 0 accepted, 1 rejected, 4 unjudgeable.
int exit_code(const Verdict& verdict);

}  // namespace tritonsmith::judge
