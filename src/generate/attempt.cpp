#include "generate/attempt.h"

#include "base/reasons.h"
#include "text/prompt/response.h"

namespace tritonsmith::generate {
namespace {

Json verdict_without_judge(const char* reason, const char* message) {
    const std::string fix(fix_of(reason));
    const std::string model = std::string("[") + reason + "] " + message + " FIX: " + fix;
    return {{"status", "rejected"},
            {"accepted", false},
            {"stage", "answer"},
            {"reason", reason},
            {"message", message},
            {"feedback", {{"person", std::string(message) + "\n" + fix}, {"model", model}}}};
}

}  // namespace

std::string Attempt::reason() const {
    if (!judged()) return "not judged";
    const Json reason = verdict.value("reason", Json());
    return reason.is_string() ? reason.get<std::string>() : verdict.value("status", "");
}

double Attempt::speedup() const {
    const Json value = verdict.is_object() ? verdict.value("speedup", Json()) : Json();
    return value.is_number() ? value.get<double>() : 0;
}

void read_answer(Attempt& attempt) {
    const text::Response response = text::parse_response(attempt.answer.content);
    attempt.code = response.code;
    if (!attempt.code.empty() && !attempt.code.ends_with('\n')) attempt.code += '\n';  // it becomes a file
    const bool cut = attempt.answer.finish == "length";
    if (cut && (attempt.code.empty() || response.truncated)) {
        attempt.code.clear();
        attempt.verdict =
            verdict_without_judge("answer_cut", "The answer was cut off before its program ended.");
    } else if (attempt.code.empty()) {
        attempt.verdict = verdict_without_judge("no_code", "The answer holds no program.");
    }
}

std::string feedback_for_model(const Attempt& attempt) {
    const Json feedback = attempt.verdict.is_object() ? attempt.verdict.value("feedback", Json()) : Json();
    if (feedback.is_object() && feedback.contains("model") && feedback["model"].is_string())
        return feedback["model"];
    return "[" + attempt.reason() + "]";
}

}  // namespace tritonsmith::generate
