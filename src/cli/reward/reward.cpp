#include "reward/reward.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "bench/tests/published_check.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/judge_options.h"
#include "judge/judge.h"
#include "reward/answer.h"
#include "task/task.h"
#include "text/tokenizer/tokenizer.h"

namespace tritonsmith::cli {
namespace {

struct RewardFlags {
    std::string task, answer, kind = "milestones", check = "judge", tokenizer;
    bool no_rule = false, estimate = false, json = false;
    reward::Settings settings;
    JudgeFlags judge;
};

/// Of a program alone, or of a model's answer.
text::Response read_answer(const std::string& path) {
    const std::string text = task::load_candidate(path);
    if (!path.ends_with(".py")) return text::parse_response(text);
    text::Response response;
    response.code = text;
    response.code_bytes = {0, static_cast<int>(text.size())};
    return response;
}

judge::Verdict judge_answer(const RewardFlags& flags, const task::Task& task, const std::string& device,
                            const text::Response& answer) {
    judge::Paths paths = judge::find_paths();
    paths.device = device;
    paths.sandbox = !flags.judge.unsafe_no_sandbox;
    const judge::Options options = flags.judge.options(false);
    if (auto verdict = reward::verdict_without_program(answer, false, task.id)) return *verdict;
    judge::Judge judge(paths);
    judge::Verdict verdict = judge.judge(task, answer.code, flags.answer, options);
    if (verdict.status == judge::Status::machine_error) throw MachineError(verdict.message);
    return verdict;
}

/// What the check that the reward goes by says of the program; nothing where that is the judge.
std::optional<reward::CheckResult> check_answer(const RewardFlags& flags, const task::Task& task,
                                                const std::string& device, const text::Response& answer) {
    if (flags.check == "judge" || answer.code.empty()) return std::nullopt;
    bench::PublishedCheck check(
        bench::TestsJudge::Options{.python = describing_tracer(!flags.judge.unsafe_no_sandbox),
                                   .device = device == "emulated" ? "" : device,
                                   .seed = flags.judge.options(false).seed.value_or(0)});
    const auto [ran, right] = check.check(task, answer.code);
    return reward::CheckResult{ran, right};
}

/// Where the answer's tokens are, by class. @throws InputError for a folder without a tokenizer
Json token_spans(const RewardFlags& flags, const text::Response& answer, int& length) {
    const text::Tokenizer tokenizer = text::Tokenizer::load(flags.tokenizer);
    const std::vector<text::Token> tokens = tokenizer.encode(task::load_candidate(flags.answer));
    length = static_cast<int>(tokens.size());
    const text::ResponseTokens spans = text::token_spans(answer, tokenizer, tokens, false);
    Json out = {{"tokens", length}};
    for (const auto which : {reward::Tokens::plan, reward::Tokens::code}) {
        const text::Span span = reward::tokens_of(which, spans, length);
        out[reward::name(which)] = {span.begin, span.end};
    }
    return out;
}

int run_reward(RewardFlags& flags) {
    reward::Settings& settings = flags.settings;
    settings.kind = reward::kind_of(flags.kind);
    settings.rule = !flags.no_rule;
    if (settings.overlong.buffer > settings.overlong.longest)
        throw InputError("--overlong-buffer must not be above --longest");
    if (settings.overlong.longest > 0 && flags.tokenizer.empty())
        throw InputError("--longest counts tokens: give --tokenizer DIR");
    const text::Response answer = read_answer(flags.answer);
    int length = 0;
    const Json spans = flags.tokenizer.empty() ? Json() : token_spans(flags, answer, length);
    const std::string device = flags.judge.resolve_device();
    const task::Task task = task::load(flags.task);
    const judge::Verdict verdict = judge_answer(flags, task, device, answer);
    const reward::CostModel model;
    const reward::Facts facts = reward::facts_of(answer, verdict, flags.estimate ? &model : nullptr);
    const std::optional<reward::CheckResult> check = check_answer(flags, task, device, answer);
    const reward::Reward reward =
        reward::reward_of(check ? reward::as_checked(facts, *check) : facts, length, settings);
    if (flags.json) {
        Json out = {{"reward", to_json(reward)}, {"facts", to_json(facts)}, {"verdict", to_json(verdict)}};
        if (check) out["check"] = to_json(*check);
        if (!spans.is_null()) out["spans"] = spans;
        print_json(out);
    } else {
        std::string text =
            fmt::format("verdict  {}\n", verdict.reason.empty() ? name(verdict.status) : verdict.reason);
        for (const reward::Part& part : reward.parts)
            text += fmt::format("{:8} {:.4f}  weight {:g}\n", name(part.tokens), part.reward, part.weight);
        print(text + fmt::format("total    {:.4f}\n", reward.total()));
    }
    return verdict.status == judge::Status::unjudgeable ? kUnjudgeable : kDone;
}

void add_settings(CLI::App& command, RewardFlags& flags) {
    reward::Settings& settings = flags.settings;
    command
        .add_option("--kind", flags.kind,
                    "autotriton: 1 if there is a kernel and the program is right; hrd: correctness for the "
                    "code's tokens, speed for the plan's (TritonRL); uniform: both for all tokens; "
                    "milestones: steps on the way to a right program, then goals of speed")
        ->check(CLI::IsMember({"autotriton", "hrd", "uniform", "milestones"}))
        ->capture_default_str();
    command.add_flag("--no-rule", flags.no_rule, "autotriton: without the rule that there is a kernel");
    command
        .add_option("--check", flags.check,
                    "whose word on correctness counts: judge, or kernelbench: its published check, which "
                    "has no policy (for ablations; the verdict stays the judge's)")
        ->check(CLI::IsMember({"judge", "kernelbench"}))
        ->capture_default_str();
    command.add_option("--alpha", settings.alpha, "hrd: weight of the plan's loss")
        ->check(CLI::Range(0.0, 100.0))
        ->capture_default_str();
    command.add_option("--beta", settings.beta, "uniform: share of correctness")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command.add_option("--cap", settings.cap, "hrd and uniform: speedups above it count as this")
        ->check(CLI::Range(0.0, 1e6))
        ->capture_default_str();
    command
        .add_option("--speeds", settings.speeds,
                    "milestones: ratios to the better of eager and torch.compile (1 1.2 1.5 2)")
        ->check(CLI::Range(0.0, 1e6));
    command.add_option("--speed-step", settings.speed_step, "milestones: what each of them adds")
        ->check(CLI::Range(0.0, 100.0))
        ->capture_default_str();
    command.add_option("--valid", settings.valid, "milestones: for a program that obeys the policy")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command.add_option("--compiled", settings.compiled, "milestones: for one that compiles as well")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command.add_option("--format", settings.format, "added for an answer with one whole program")
        ->check(CLI::Range(0.0, 100.0))
        ->capture_default_str();
    command.add_option("--longest", settings.overlong.longest, "tokens at which an answer loses 1 (DAPO)")
        ->check(CLI::Range(1, 1 << 24));
    command
        .add_option("--overlong-buffer", settings.overlong.buffer, "tokens before that from which it loses")
        ->check(CLI::Range(0, 1 << 24));
    command.add_option("--tokenizer", flags.tokenizer,
                       "a model's folder: tokens are counted, and where each class is is printed (--json)");
    command.add_flag("--estimate-speed", flags.estimate,
                     "where nothing was timed, a speed by memory traffic and arithmetic");
}

}  // namespace

void add_reward_itself(CLI::App& app, int& exit_code) {
    auto flags = std::make_shared<RewardFlags>();
    CLI::App* command = app.add_subcommand("reward", reward_help);
    command->add_option("task", flags->task, "KernelBench-style .py file, or FILE.jsonl#ID")->required();
    command->add_option("answer", flags->answer, "a model's answer as text, or a program (.py)")->required();
    command->add_flag("--json", flags->json, kJsonHelp);
    add_settings(*command, *flags);
    flags->judge.add_to(*command);
    command->callback([flags, &exit_code] { exit_code = run_reward(*flags); });
}

}  // namespace tritonsmith::cli
