#include "grpo/collector.h"

#include <fmt/format.h>

#include <utility>

#include "base/random.h"
#include "grpo/judging/clock.h"
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

bool Collector::interrupted() const {
    return ended_ || (interrupt_ != nullptr && interrupt_->load() != 0);
}

void Collector::collect(std::vector<Group>& groups, const Draws& draws, SamplingTime& time) {
    // What an interrupted call left in the mailbox has places in other groups.
    if (interrupted()) throw Interrupted{};
    decoding_ = in_judgement_ = 0;
    draws_ = draws;
    for (size_t i = 0; i < groups.size(); ++i) {
        // Places for all turns, since answers and verdicts arrive by place; those of turns that are not
        // asked for go away at the end.
        groups[i].samples.resize(static_cast<size_t>(draws.samples * draws.turns));
        for (int n = 0; n < draws.samples * draws.turns; ++n) {
            groups[i].samples[static_cast<size_t>(n)].episode = n % draws.samples;
            groups[i].samples[static_cast<size_t>(n)].turn = n / draws.samples;
        }
        decoding_ += draws.samples;
        rollouts_.ask(static_cast<int>(i), groups[i].prompt, draws, groups[i].seed);
    }
    Clock::time_point last_answer = Clock::now(), before = last_answer;
    while (decoding_ > 0 || in_judgement_ > 0) {
        const bool decodes = decoding_ > 0;
        std::optional<Event> event = events_.take(look_every);
        const Clock::time_point now = Clock::now();
        time.add(std::exchange(before, now), now, decodes);
        judging_.check_deadlines();
        if (event) {
            if (auto* ended = std::get_if<EndedSample>(&*event)) {
                last_answer = before;
                take_answer(groups, std::move(*ended));
            } else {
                take_verdict(groups, std::move(std::get<JudgedSample>(*event)));
                if (!decodes && decoding_ > 0) last_answer = before;  // a next turn
            }
        }
        if (interrupted()) {
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
    for (Group& group : groups)
        std::erase_if(group.samples,
                      [](const Sample& sample) { return sample.tokens.empty() && sample.turn > 0; });
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
    sample.verdict = std::move(judged.judgement.verdict);
    sample.check = judged.judgement.check;
    sample.facts =
        reward::facts_of(sample.response, sample.verdict, settings_.estimate_speed ? &cost_model_ : nullptr);
    sample.reward =
        reward::reward_of(sample.check ? reward::as_checked(sample.facts, *sample.check) : sample.facts,
                          sample.length(), settings_.reward);
    if (sample.verdict.status == judge::Status::rejected && sample.end == engine::End::stop_token &&
        sample.turn + 1 < draws_.turns)
        next_turn(groups, judged.key);
}

/// The conversation so far with the verdict's feedback, where there is room for it.
void Collector::next_turn(std::vector<Group>& groups, SampleKey key) {
    Group& group = groups[static_cast<size_t>(key.group)];
    const auto episodes = static_cast<size_t>(draws_.samples), now = static_cast<size_t>(key.sample);
    Sample& next = group.samples[now + episodes];
    next.feedback =
        prompter_.feedback(*group.task, group.samples[now].tokens.back(), group.samples[now].verdict);
    std::vector<text::Token> prompt = group.prompt;
    for (size_t turn = now % episodes; turn <= now + episodes; turn += episodes) {
        const Sample& sample = group.samples[turn];
        prompt.insert(prompt.end(), sample.feedback.begin(), sample.feedback.end());
        prompt.insert(prompt.end(), sample.tokens.begin(), sample.tokens.end());
    }
    if (static_cast<int>(prompt.size()) + settings_.max_tokens > rollouts_.context_length()) return;
    Draws one = draws_;
    one.samples = 1;
    ++decoding_;
    const int number = key.sample + draws_.samples;
    rollouts_.ask(key.group, std::move(prompt), one, Random(group.seed, static_cast<uint64_t>(number)).next(),
                  number);
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
