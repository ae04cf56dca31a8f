#include "bench/metrics/outcome.h"

namespace tritonsmith::bench {
namespace {

std::optional<double> positive_number(const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number() || !(found->get<double>() > 0)) return std::nullopt;
    return found->get<double>();
}

std::string text_or_empty(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

Outcome outcome_of(const Json& line) try {
    const Json& verdict = line.at("verdict");
    Outcome out;
    out.problem = line.at("problem");
    out.sample = line.at("sample");
    out.protocol = line.at("protocol");
    out.status = text_or_empty(verdict, "status");
    out.reason = text_or_empty(verdict, "reason");
    out.stage = text_or_empty(verdict, "stage");
    out.checked = text_or_empty(verdict, "checked");
    out.valid = verdict.value("valid", false);
    out.compiled = verdict.value("compiled", false);
    if (const auto tests = verdict.find("tests"); tests != verdict.end() && tests->is_object()) {
        out.call = tests->value("call", false);
        out.execution = tests->value("execution", false);
        out.execution_stdout = tests->value("execution_stdout", false);
    }
    out.speedup = positive_number(verdict, "speedup");
    out.candidate_ms = positive_number(verdict, "candidate_ms");
    if (const auto baseline = verdict.find("baseline_ms");
        baseline != verdict.end() && baseline->is_object() && out.candidate_ms)
        if (const std::optional<double> compiled = positive_number(*baseline, "compile"))
            out.compile_speedup = *compiled / *out.candidate_ms;
    return out;
} catch (const Json::exception&) {
    throw InputError("not a verdict of a run");
}

}  // namespace tritonsmith::bench
