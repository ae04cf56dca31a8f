#include "judge/further_plans.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/candidate_stages.h"
#include "judge/services/worker_findings.h"
#include "judge/task/bent_numbers.h"
#include "judge/task/requests.h"

namespace tritonsmith::judge {

std::optional<Finding> judge_other_configurations(CandidateState& first) {
    for (int i = 1; i < first.configurations(); ++i) {
        CandidateState other(first.task, first.text, first.name, first.options, first.services,
                             first.seconds_left, i);
        std::optional<Finding> finding = run_stages(other, OnDevice::timings);
        Timing& taken = first.evidence.timing;
        const Timing& timing = other.evidence.timing;
        if (!finding && timing.candidate_ms && taken.candidate_ms &&
            *timing.candidate_ms < *taken.candidate_ms) {
            taken = timing;  // the fastest is what the tuner takes
            taken.evidence["configuration"] = i + 1;
        }
        if (!finding) first.evidence.checked = std::min(first.evidence.checked, other.evidence.checked);
        if (!finding || finding->reason == "out_of_resources") continue;
        if (!about_candidate(*finding)) return finding;
        finding->evidence["why"] = finding->reason;
        finding->message =
            fmt::format("autotune configuration number {} is wrong: {}", i + 1, finding->message);
        finding->reason = "autotune_config_wrong";
        return finding;
    }
    return std::nullopt;
}

namespace {

/// The call with gradients enabled (python/tritonsmith/trace/later_calls.py).
constexpr int kWithGradients = 4;

}  // namespace

std::optional<Finding> judge_later_call(CandidateState& first, int call) {
    // A module that leaves training to PyTorch does with gradients what the policy forbids, and is right.
    Options options = first.options;
    options.relaxed = options.relaxed || call == kWithGradients;
    CandidateState later(first.task, first.text, first.name, options, first.services, first.seconds_left, 0,
                         call);
    std::optional<Finding> finding = run_stages(later, OnDevice::runs);
    Evidence& evidence = first.evidence;
    evidence.later_calls.push_back(call);
    if (!finding) evidence.checked = std::min(evidence.checked, later.evidence.checked);
    if (!later.evidence.state_notes.empty()) evidence.state_notes = later.evidence.state_notes;
    if (!finding || !about_candidate(*finding) || finding->reason == "stale_state" ||
        finding->reason == "output_overwritten")
        return finding;
    finding->evidence["why"] = finding->reason;
    finding->message =
        fmt::format("call {} of the module{} does something else than the first: {}", call,
                    call == kWithGradients ? ", with gradients enabled," : "", finding->message);
    finding->reason = "nondeterministic";
    return finding;
}

std::optional<Finding> judge_kept_size(const CandidateState& first) {
    if (!first.full.plan.keeps_size) return std::nullopt;
    trace::Request half = reference_request(first.task.task, first.options.target, "cuda");
    half.moved = "half";
    const trace::Outcome traced = first.services.tracer->trace(half);
    if (!std::holds_alternative<plan::Plan>(traced)) return std::nullopt;
    return Finding{
        "nondeterministic",
        "called with half a batch behind a first call, the module goes by the size of that call: a "
        "new module does something else, and so does the reference",
        0, Json::object()};
}

namespace {

bool has_number(const plan::Value& value, task::MovedNumbers which) {
    if (const auto* list = std::get_if<plan::Sequence>(&value.v)) return has_numbers(list->items, which);
    if (which == task::MovedNumbers::floats) return std::holds_alternative<double>(value.v);
    if (which != task::MovedNumbers::whole) return std::holds_alternative<int64_t>(value.v);
    return std::holds_alternative<int64_t>(value.v) || std::holds_alternative<bool>(value.v);
}

std::string description(task::MovedNumbers which) {
    switch (which) {
        case task::MovedNumbers::floats:
            return "other Python floats";
        case task::MovedNumbers::above:
            return "far larger Python integers";
        case task::MovedNumbers::below:
            return "far smaller Python integers";
        case task::MovedNumbers::order:
            return "lists of Python integers in another order";
        default:
            return "other Python integers and booleans";
    }
}

/// Why the task says nothing with such numbers.
std::optional<Finding> unfit(const std::variant<PreparedTask, Finding>& prepared) {
    if (const auto* finding = std::get_if<Finding>(&prepared)) return *finding;
    const auto& runs = std::get<PreparedTask>(prepared).small->runs.get();
    if (const auto* failed = std::get_if<Finding>(&runs)) return *failed;
    return std::nullopt;
}

}  // namespace

bool has_numbers(const plan::List& inputs, task::MovedNumbers which) {
    return std::any_of(inputs.begin(), inputs.end(), [&](const auto& v) { return has_number(v, which); });
}

std::vector<task::MovedNumbers> further_numbers(const PreparedTask& task,
                                                const std::variant<PreparedTask, Finding>& by_one) {
    using enum task::MovedNumbers;
    const plan::List& inputs = task.full.inputs;
    const bool lists = std::any_of(inputs.begin(), inputs.end(), [](const plan::Value& value) {
        return std::holds_alternative<plan::Sequence>(value.v) && has_number(value, order);
    });
    if (unfit(by_one)) return lists ? std::vector{order} : std::vector<task::MovedNumbers>{};
    if (!has_numbers(inputs, above) || !are_data(task.full, std::get<PreparedTask>(by_one).full)) return {};
    return {above, below};
}

std::optional<Finding> judge_with_further_numbers(CandidateState& first,
                                                  const std::variant<PreparedTask, Finding>& by_one,
                                                  const std::variant<PreparedTask, Finding>& prepared,
                                                  task::MovedNumbers which) {
    if (which != task::MovedNumbers::order) {
        const auto* far = std::get_if<PreparedTask>(&prepared);
        if (!far || !bends(first.task.full, std::get<PreparedTask>(by_one).full, far->full))
            return std::nullopt;
    }
    return judge_with_other_numbers(first, prepared, which);
}

std::optional<Finding> judge_with_other_numbers(CandidateState& first,
                                                const std::variant<PreparedTask, Finding>& prepared,
                                                task::MovedNumbers which) {
    const bool floats = which == task::MovedNumbers::floats;
    const std::string what = description(which);
    std::vector<std::string>& skipped = first.evidence.skipped_input_variants;
    if (const auto why = unfit(prepared)) {
        if (why->reason == "machine_error") return why;
        skipped.push_back(what + ": " + why->message);
        return std::nullopt;
    }
    CandidateState other(std::get<PreparedTask>(prepared), first.text, first.name, first.options,
                         first.services, first.seconds_left);
    std::optional<Finding> finding = run_stages(other, OnDevice::nothing);
    if (!finding || !about_candidate(*finding)) return finding;
    // An integer may say what is to be done (a dimension, a mode): a candidate may be made for one, and say
    // so.
    if (!floats && finding->reason != "wrong_result") {
        skipped.push_back(what + ": " + finding->message);
        return std::nullopt;
    }
    finding->message = fmt::format("with {} among the inputs: {}", what, finding->message);
    return finding;
}

}  // namespace tritonsmith::judge
