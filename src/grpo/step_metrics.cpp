#include "grpo/step_metrics.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/verdict/hacks.h"

namespace tritonsmith::grpo {

void AnswerCounts::count(const Group& group) {
    ++groups_;
    if (!group.left_out.empty()) ++left_out_[group.left_out];
    for (const Sample& sample : group.samples) {
        if (!sample.judged()) {
            ++unjudged_;
            continue;
        }
        ++answers_;
        right_ += sample.facts.correct;
        valid_ += sample.facts.valid();
        compiled_ += sample.facts.compiled;
        format_ += sample.facts.format;
        cut_ += sample.end == engine::End::length;
        tokens_ += sample.length();
        plan_ += reward::tokens_of(reward::Tokens::plan, sample.spans, sample.length()).end;
        if (sample.check) {
            ++checked_;
            check_right_ += sample.check->right;
        }
        longest_ = std::max(longest_, static_cast<double>(sample.length()));
        reward_ += sample.reward.total();
        correctness_ += sample.reward.correctness;
        speed_ += sample.reward.speed;
        penalty_ += sample.reward.length;
        ++reasons_[sample.verdict.accepted() ? "accepted" : sample.verdict.reason];
        if (const std::string hack = judge::hack_of(sample.verdict.reason); !hack.empty()) {
            ++hacks_[hack];
            ++cheating_;
        }
        const auto count_under = [&](Rate& rate) {
            ++rate.answers;
            rate.right += sample.facts.correct;
        };
        count_under(turns_[sample.turn]);
        for (const std::string& family : group.task->families) count_under(families_[family]);
        if (!group.task->difficulty.empty()) count_under(difficulties_[group.task->difficulty]);
    }
}

Json AnswerCounts::metrics(const std::function<double(double)>& sum_of_all) const {
    const double answers = sum_of_all(answers_);
    const auto mean = [&](double sum) { return sum_of_all(sum) / std::max(answers, 1.0); };
    const auto rates_of = [](const std::map<std::string, Rate>& rates) {
        Json out = Json::object();
        for (const auto& [name, rate] : rates)
            out[name] = {{"rate", static_cast<double>(rate.right) / static_cast<double>(rate.answers)},
                         {"answers", rate.answers}};
        return out;
    };
    Json left_out = Json::object();
    for (const char* why : {"equal_rewards", "unjudgeable", "unjudged"}) {
        const auto found = left_out_.find(why);
        left_out[why] = sum_of_all(found == left_out_.end() ? 0 : found->second);
    }
    Json out = {{"answers", answers},
                {"unjudged", sum_of_all(unjudged_)},
                {"groups", sum_of_all(groups_)},
                {"left_out", left_out},
                {"pass_rate", mean(right_)},
                {"valid", mean(valid_)},
                {"compiled", mean(compiled_)},
                {"cheating", mean(cheating_)},
                {"format", mean(format_)},
                {"cut", mean(cut_)},
                {"length", {{"mean", mean(tokens_)}, {"plan", mean(plan_)}, {"longest", longest_}}},
                {"reward",
                 {{"mean", mean(reward_)},
                  {"correctness", mean(correctness_)},
                  {"speed", mean(speed_)},
                  {"length", mean(penalty_)}}}};
    if (sum_of_all(checked_) > 0) out["check_rate"] = mean(check_right_);
    out["families"] = rates_of(families_);
    if (turns_.size() > 1) {
        std::map<std::string, Rate> turns;
        for (const auto& [turn, rate] : turns_) turns[fmt::format("{}", turn + 1)] = rate;
        out["turns"] = rates_of(turns);
    }
    if (!difficulties_.empty()) out["difficulty"] = rates_of(difficulties_);
    out["reasons"] = reasons_;
    out["hacks"] = hacks_;
    return out;
}

Json to_json(const StepTime& time) {
    return {{"decode", time.decode}, {"judge", time.judge}, {"ahead", time.ahead},
            {"train", time.train},   {"wait", time.wait()}, {"total", time.total}};
}

}  // namespace tritonsmith::grpo
