#include "judge/verdict.h"

namespace tritonsmith::judge {

const char* name(Status status) {
    switch (status) {
        case Status::accepted:
            return "accepted";
        case Status::rejected:
            return "rejected";
        case Status::unjudgeable:
            return "unjudgeable";
    }
    return "rejected";
}

const char* name(Checked checked) {
    switch (checked) {
        case Checked::small:
            return "small";
        case Checked::sampled:
            return "sampled";
        case Checked::full:
            return "full";
    }
    return "small";
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

int exit_code(const Verdict& verdict) {
    switch (verdict.status) {
        case Status::accepted:
            return 0;
        case Status::rejected:
            return 1;
        case Status::unjudgeable:
            return 4;
    }
    return 1;
}

}  // namespace tritonsmith::judge
