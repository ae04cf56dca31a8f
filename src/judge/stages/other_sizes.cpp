#include <fmt/format.h>

#include <set>

#include "judge/stages/judgement.h"
#include "judge/stages/size_assumptions.h"

/// What is found at a scaled size need not hold at the task's own: tiles that divide 768 do not divide 384.
/// Such a finding is put aside, until programs at full size show it too, or other sizes decide.
namespace tritonsmith::judge {

namespace {

/// Reasons that are the program's, whatever the sizes are.
bool may_depend_on_sizes(const Finding& finding) {
    static const std::set<std::string> others = {"input_mutated", "int_to_ptr", "inline_asm", "worker_died",
                                                 "out_of_memory"};
    return !others.contains(finding.reason);
}

/// What a sample of programs that run once can show.
bool shows_in_sample(const Finding& finding) {
    static const std::set<std::string> others = {"race", "nondeterministic", "kernel_without_effect",
                                                 "interpret_timeout", "unsupported_kernel"};
    return !others.contains(finding.reason);
}

}  // namespace

std::optional<Finding> Judgement::put_aside(std::optional<Finding> finding) {
    if (!finding || small_is_full_ || !may_depend_on_sizes(*finding)) return finding;
    put_aside_ = std::move(finding);
    note_size(put_aside_);
    return std::nullopt;
}

Finding Judgement::confirmed(Finding at_own_size) const {
    if (!put_aside_) return at_own_size;
    // An answer that changes between runs is as wrong in one of them.
    const bool same = put_aside_->reason == at_own_size.reason ||
                      (put_aside_->reason == "nondeterministic" && at_own_size.reason == "wrong_result");
    if (!same) return at_own_size;
    Finding finding = *put_aside_;
    finding.evidence["at_full_size"] = at_own_size.message;
    return finding;
}

void Judgement::note_size(const std::optional<Finding>& finding) {
    Json note = {{"scaled", scaled_json(task_.full, *size_)}};
    if (finding)
        note.update({{"reason", finding->reason}, {"message", finding->message}, {"line", finding->line}});
    verdict_.evidence["sizes_that_failed"].push_back(note);
}

std::optional<Finding> Judgement::judge_at(std::shared_ptr<const ScaledTask> size) {
    size_ = std::move(size);
    calls_.clear();
    specialised_ = same_launches_ = false;
    only_at_full_.reset();
    small_is_full_ = !size_->shrunk();
    if (const auto* finding = std::get_if<Finding>(&size_->runs.get())) {
        specialised_ = true;  // the reference itself says nothing here
        note_size(*finding);
        return std::nullopt;
    }
    if (small_is_full_) {
        small_ = full_;
        small_links_ = links_;
    } else {
        trace::Request small = request(size_->plan);
        small.lowered = lowered_;
        trace::Outcome traced = services_.tracer->trace(small);
        if (const auto* finding = std::get_if<Finding>(&traced)) {
            specialised_ = true;
            note_size(*finding);
            return std::nullopt;
        }
        small_ = std::move(std::get<plan::Plan>(traced));
        policy_at_small_size();
        if (specialised_) return interpret_same_launches();
    }
    if (auto finding = interpret_sets()) return finding;
    return check_small();
}

bool Judgement::may_be_due_to_size() const {
    return rests_on_own_size({full_, modules_}, {small_, small_modules_}, task_.full.constants,
                             size_->scaled);
}

std::optional<Finding> Judgement::other_sizes() {
    if (!put_aside_ && !specialised_ && !only_at_full_) return std::nullopt;
    if (only_at_full_)
        verdict_.evidence["only_at_full_size"] = {{"what", only_at_full_->what},
                                                  {"line", only_at_full_->line}};
    verdict_.evidence["shape_specialised"] = put_aside_ || specialised_;
    // What was found where it does what it does at full size; and somewhere where sizes are no excuse.
    std::optional<Finding> alike;
    bool no_excuse = false;
    int found = 0;
    const auto note = [&](const Finding& finding) {
        if (only_at_full_) return;
        const bool due_to_size = may_be_due_to_size() && !finding.evidence.contains("right_on_own_inputs");
        if (!alike || (!no_excuse && !due_to_size)) alike = finding;
        no_excuse |= !due_to_size;
        ++found;
    };
    if (put_aside_) note(*put_aside_);
    for (const OtherSize which : {OtherSize::outer, OtherSize::inner, OtherSize::own, OtherSize::large}) {
        if (no_excuse && found > 1 && which >= OtherSize::own) return alike;
        std::shared_ptr<const ScaledTask> size = task_.others->at(which);
        if (!size) continue;
        const std::optional<Finding> finding = judge_at(std::move(size));
        if (finding && (which == OtherSize::own || specialised_))
            return finding;  // proof: interpret_same_launches
        if (finding) {
            note_size(finding);
            note(*finding);
        }
        if (finding || specialised_ || only_at_full_) continue;
        verdict_.evidence["scaled"] = scaled_json(task_.full, *size_);
        if (which == OtherSize::own) {
            verdict_.evidence.erase("scaled");
            verdict_.checked = Checked::full;
        }
        return std::nullopt;
    }
    if (alike && (no_excuse || !shows_in_sample(*alike))) return alike;
    return decide_by_sample();
}

/// Of the output that something was found about: others say nothing of it.
bool Judgement::compared_at_full_size(const std::optional<Finding>& found) const {
    const Json& evidence = verdict_.evidence;
    if (!found || !found->evidence.contains("output") || !evidence.contains("full_size_sample"))
        return sampled_elements_ > 0;
    const Json& outputs = evidence.at("full_size_sample").at("outputs");
    return std::any_of(outputs.begin(), outputs.end(), [&](const Json& output) {
        return output.at("output") == found->evidence.at("output") && output.at("compared").get<int64_t>() > 0;
    });
}

std::optional<Finding> Judgement::decide_by_sample() {
    constexpr int times = 8;
    if (auto finding = sample(times)) return finding;
    if (compared_at_full_size(put_aside_) || services_.device) return std::nullopt;
    return Finding{"shape_specialised",
                   "the kernel fits the task's own sizes only, and its full-size outputs cannot be compared "
                   "without a GPU",
                   0, Json::object()};
}

}  // namespace tritonsmith::judge
