#include "grpo/collector.h"

#include <fmt/format.h>

#include "grpo/clock.h"
#include "reward/answer.h"

namespace tritonsmith::grpo {
namespace {

/// How often deadlines and interruptions are looked at, in seconds.
constexpr double look_every = 0.2;

}  // namespace

Collector::Collector(const model::Model& trained, const Settings& settings, const Prompter& prompter,
                     const MakeExecutor& make_executor, const JudgeProgram& judge,
                     const std::atomic<int>* interrupt)
    : settings_(settings),
      prompter_(prompter),
      interrupt_(interrupt),
      judging_(judge,
               {.jobs = settings.jobs, .retries = settings.retries, .deadline = settings.judge_deadline},
               [this](JudgedSample judged) { events_.put(std::move(judged)); }),
      rollouts_(trained, settings, prompter.tokenizer().ends(), make_executor,
                [this](EndedSample ended) { events_.put(std::move(ended)); }) {}

void Collector::collect(std::vector<Group>& groups, const Draws& draws, StepTime& time) {
    decoding_ = in_judgement_ = 0;
    for (size_t i = 0; i < groups.size(); ++i) {
        groups[i].samples.resize(static_cast<size_t>(draws.samples));
        decoding_ += draws.samples;
        rollouts_.ask(static_cast<int>(i), groups[i].prompt, draws, groups[i].seed);
    }
    Clock::time_point last_answer = Clock::now(), before = last_answer;
    while (decoding_ > 0 || in_judgement_ > 0) {
        const bool decodes = decoding_ > 0;
        std::optional<Event> event = events_.take(look_every);
        (decodes ? time.decode : time.judge) += seconds_since(before);
        before = Clock::now();
        judging_.check_deadlines();
        if (event) {
            if (auto* ended = std::get_if<EndedSample>(&*event)) {
                last_answer = before;
                take_answer(groups, std::move(*ended));
            } else {
                take_verdict(groups, std::move(std::get<JudgedSample>(*event)));
            }
        }
        if (interrupt_ != nullptr && interrupt_->load() != 0) {
            stop();
            throw Interrupted{};
        }
        if (decoding_ > 0 && seconds_since(last_answer) > settings_.deadline) {
            const int missing = decoding_;
            stop();
            throw MachineError(
                fmt::format("waiting for the engine: no answer ended within rollout.deadline, {:g} s; {} "
                            "answers are missing",
                            settings_.deadline, missing));
        }
    }
    rollouts_.finished();
}

void Collector::take_answer(std::vector<Group>& groups, EndedSample ended) {
    if (ended.end == engine::End::failed || ended.end == engine::End::cancelled)
        throw MachineError("the engine failed: " + ended.error);
    --decoding_;
    const Group& group = groups[static_cast<size_t>(ended.key.group)];
    Sample& sample =
        groups[static_cast<size_t>(ended.key.group)].samples[static_cast<size_t>(ended.key.sample)];
    sample.tokens = std::move(ended.tokens);
    sample.rollout = std::move(ended.log_probabilities);
    sample.end = ended.end;
    sample.text = prompter_.tokenizer().decode(sample.tokens, true);
    sample.response = text::parse_response(sample.text);
    sample.spans = text::token_spans(sample.response, prompter_.tokenizer(), sample.tokens);
    std::string& code = sample.response.code;
    if (!code.empty() && !code.ends_with('\n')) code += '\n';  // it becomes a file
    ++in_judgement_;
    const bool cut = sample.end == engine::End::length;
    if (auto verdict = reward::verdict_without_program(sample.response, cut, group.task->task->id))
        take_verdict(groups, {ended.key, std::move(*verdict)});
    else
        judging_.submit(ended.key, group.task->task, code);
}

void Collector::take_verdict(std::vector<Group>& groups, JudgedSample judged) {
    --in_judgement_;
    Sample& sample =
        groups[static_cast<size_t>(judged.key.group)].samples[static_cast<size_t>(judged.key.sample)];
    sample.verdict = std::move(judged.verdict);
    sample.facts =
        reward::facts_of(sample.response, sample.verdict, settings_.estimate_speed ? &cost_model_ : nullptr);
    sample.reward = reward::reward_of(sample.facts, sample.length(), settings_.reward);
}

/// Nothing of this step arrives any more.
void Collector::stop() {
    rollouts_.cancel();
    judging_.cancel();
    const auto start = Clock::now();
    while (decoding_ > 0 && seconds_since(start) < settings_.deadline)
        if (const std::optional<Event> event = events_.take(look_every))
            if (std::holds_alternative<EndedSample>(*event)) --decoding_;
}

}  // namespace tritonsmith::grpo
