#include "judge/verdict/verdict.h"

#include "base/reasons.h"
#include "judge/verdict/feedback.h"

namespace tritonsmith::judge {

const char* name(Status status) {
    switch (status) {
        case Status::accepted:
            return "accepted";
        case Status::rejected:
            return "rejected";
        case Status::unjudgeable:
            return "unjudgeable";
        case Status::machine_error:
            return "machine_error";
    }
    return "rejected";
}

const char* name(Checked checked) {
    switch (checked) {
        case Checked::none:
            return "none";
        case Checked::small:
            return "small";
        case Checked::sampled:
            return "sampled";
        case Checked::full:
            return "full";
    }
    return "none";
}

namespace {
template <class T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}
}  // namespace

Json to_json(const Verdict& v) {
    Json stages = Json::array();
    for (const StageTime& s : v.stages)
        stages.push_back({{"stage", s.stage}, {"seconds", s.seconds}, {"detail", s.detail}});
    return {{"task", v.task},
            {"candidate_sha256", v.candidate_sha256},
            {"status", name(v.status)},
            {"accepted", v.accepted()},
            {"checked", name(v.checked)},
            {"stage", v.stage},
            {"reason", v.reason.empty() ? Json() : Json(v.reason)},
            {"message", v.message},
            {"line", v.line > 0 ? Json(v.line) : Json()},
            {"valid", v.valid},
            {"compiled", v.compiled},
            {"correct", v.correct},
            {"speedup", or_null(v.speedup)},
            {"baseline_ms", v.baseline_ms},
            {"candidate_ms", or_null(v.candidate_ms)},
            {"feedback", v.feedback},
            {"evidence", v.evidence},
            {"stages", stages}};
}

namespace {

Status status_of(const Finding& finding) {
    const Reason* reason = find_reason(finding.reason);
    if (reason && reason->kind == ReasonClass::unjudgeable) return Status::unjudgeable;
    if (reason && reason->kind == ReasonClass::machine) return Status::machine_error;
    return Status::rejected;
}

/// Some reasons come from one stage only, wherever they are found.
std::string stage_of(const Finding& finding, const std::string& found_at) {
    const Reason* reason = find_reason(finding.reason);
    for (Stage only : {Stage::compile, Stage::correctness})
        if (reason && reason->stages.bits == static_cast<uint16_t>(only)) return name(only);
    return found_at;
}

}  // namespace

void conclude(Verdict& verdict, const std::string& stage, const Finding& finding,
              const std::string& candidate) {
    verdict.status = status_of(finding);
    verdict.stage = stage_of(finding, stage);
    verdict.reason = finding.reason;
    verdict.message = finding.message;
    verdict.line = finding.line;
    const Json evidence = shown_evidence(finding);
    for (const auto& [key, value] : evidence.items()) verdict.evidence[key] = value;
    verdict.feedback = feedback(verdict, candidate);
}

int exit_code(const Verdict& verdict) {
    switch (verdict.status) {
        case Status::accepted:
            return 0;
        case Status::rejected:
            return 1;
        case Status::unjudgeable:
            return 4;
        case Status::machine_error:
            return 3;
    }
    return 1;
}

}  // namespace tritonsmith::judge
