#include "reward/reward.h"

#include <fmt/format.h>

#include <algorithm>

namespace tritonsmith::reward {
namespace {

/// min(speedup, cap) of a correct program (TritonRL, section 3: speedup = t_reference / t_candidate ·
/// correct).
double capped_speedup(const Facts& facts, double cap) {
    return facts.correct && facts.speedup ? std::min(*facts.speedup, cap) : 0;
}

Reward autotriton(const Facts& facts, const Settings& settings) {
    const double value = facts.correct && (facts.is_triton || !settings.rule) ? 1 : 0;
    return {{{Tokens::all, value, 1}}, value};
}

Reward hrd(const Facts& facts, const Settings& settings) {
    const double valid = facts.valid() ? 1 : 0;
    const double code = valid * (facts.correct ? 1 : 0), plan = valid * capped_speedup(facts, settings.cap);
    return {{{Tokens::plan, plan, settings.alpha}, {Tokens::code, code, 1}}, code, plan};
}

Reward uniform(const Facts& facts, const Settings& settings) {
    const Reward two = hrd(facts, settings);
    const double value = settings.beta * two.correctness + (1 - settings.beta) * two.speed;
    return {{{Tokens::all, value, 1}}, two.correctness, two.speed};
}

Reward milestones(const Facts& facts, const Settings& settings) {
    Reward reward;
    if (facts.valid()) {
        reward.correctness = settings.valid + (facts.compiled ? settings.compiled : 0);
        if (facts.correct) {
            reward.correctness = 1;
            for (const double speed : settings.speeds)
                if (facts.best_speedup && *facts.best_speedup >= speed) reward.speed += settings.speed_step;
        }
    }
    reward.parts = {{Tokens::all, reward.correctness + reward.speed, 1}};
    return reward;
}

Reward of_kind(const Facts& facts, const Settings& settings) {
    switch (settings.kind) {
        case Kind::autotriton:
            return autotriton(facts, settings);
        case Kind::hrd:
            return hrd(facts, settings);
        case Kind::uniform:
            return uniform(facts, settings);
        case Kind::milestones:
            break;
    }
    return milestones(facts, settings);
}

}  // namespace

Kind kind_of(const std::string& name) {
    for (const Kind kind : {Kind::autotriton, Kind::hrd, Kind::uniform, Kind::milestones})
        if (name == reward::name(kind)) return kind;
    throw InputError(
        fmt::format("reward \"{}\" is unknown: give autotriton, hrd, uniform or milestones", name));
}

const char* name(Kind kind) {
    switch (kind) {
        case Kind::autotriton:
            return "autotriton";
        case Kind::hrd:
            return "hrd";
        case Kind::uniform:
            return "uniform";
        case Kind::milestones:
            break;
    }
    return "milestones";
}

double overlong_penalty(const Overlong& overlong, int length) {
    if (overlong.buffer <= 0) return 0;
    const double over = length - (overlong.longest - overlong.buffer);
    return -std::clamp(over / overlong.buffer, 0.0, 1.0);
}

double Reward::total() const {
    double sum = 0;
    for (const Part& part : parts) sum += part.weight * part.reward;
    return sum;
}

Reward reward_of(const Facts& facts, int length, const Settings& settings) {
    Reward reward = of_kind(facts, settings);
    reward.format = facts.format ? settings.format : 0;
    reward.length = overlong_penalty(settings.overlong, length);
    for (Part& part : reward.parts) part.reward += reward.format + reward.length;
    return reward;
}

Json to_json(const Reward& reward) {
    Json parts = Json::array();
    for (const Part& part : reward.parts)
        parts.push_back({{"tokens", name(part.tokens)}, {"reward", part.reward}, {"weight", part.weight}});
    return {{"parts", parts},        {"total", reward.total()}, {"correctness", reward.correctness},
            {"speed", reward.speed}, {"format", reward.format}, {"length", reward.length}};
}

}  // namespace tritonsmith::reward
