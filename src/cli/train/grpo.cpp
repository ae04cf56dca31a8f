#include "grpo/grpo.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>

#include "base/process/files.h"
#include "base/process/interrupts.h"
#include "base/process/progress.h"
#include "cli/command.h"
#include "cli/train/commands.h"
#include "cli/train/rollout_parts.h"
#include "train/settings/toml.h"

namespace tritonsmith::cli {
namespace {

struct GrpoFlags {
    std::string configuration;
    std::vector<std::string> changes;
    bool resume = false, json = false, unsafe_no_sandbox = false;
};

grpo::Settings settings_of(const GrpoFlags& flags) {
    Json configuration =
        train::parse_toml(read_file(flags.configuration, "the configuration", 16 << 20), flags.configuration);
    for (const std::string& change : flags.changes) train::set_toml(configuration, change);
    return grpo::read_settings(configuration, flags.configuration);
}

int train_grpo(const GrpoFlags& flags) {
    grpo::Settings settings = settings_of(flags);
    become_gpu_program(settings.device);
    settings.device = own_device(settings.device);
    const std::unique_ptr<train::Communicator> communicator = train::communicator_of_this_process(
        at::Device(settings.device), std::chrono::hours(2));  // as long as another one's answers may take
    const Interrupts interrupts;
    std::unique_ptr<Progress> progress;
    const grpo::Result result = grpo::run_grpo(
        settings, {.resume = flags.resume,
                   .signal = &interrupts.signal(),
                   .communicator = communicator.get(),
                   .tell = [](const std::string& line) { fmt::print(stderr, "{}\n", line); },
                   .on_step =
                       [&](int64_t step, const Json& metrics) {
                           if (!progress)
                               progress = std::make_unique<Progress>("steps", settings.steps - step + 1);
                           const Json& answers = metrics["answers"];
                           progress->note(fmt::format("reward {:.3f}, {:.0f} % right, {:.0f} tokens",
                                                      answers["reward"]["mean"].get<double>(),
                                                      100 * answers["pass_rate"].get<double>(),
                                                      answers["length"]["mean"].get<double>()));
                           progress->advance();
                       },
                   .judge = judge_of(settings, !flags.unsafe_no_sandbox),
                   .make_executor = rollout_executor,
                   .turn = training_turns(settings)});
    progress.reset();
    return end_of_run({{"steps", result.steps},
                       {"reward", result.reward},
                       {"pass_rate", result.pass_rate},
                       {"signal", result.signal}},
                      communicator->rank() == 0, flags.json);
}

}  // namespace

void add_grpo(CLI::App& train, int& exit_code) {
    auto flags = std::make_shared<GrpoFlags>();
    CLI::App* command =
        train.add_subcommand("grpo", "reinforcement learning with the judge as reward (docs/training.md)");
    command->add_option("configuration", flags->configuration, "TOML file")->required();
    command->add_option("--set", flags->changes, "a field in place of the file's: loss.clip_high=0.2")
        ->type_name("TABLE.FIELD=VALUE")
        ->allow_extra_args(false);
    command->add_flag("--resume", flags->resume, "go on from the run's last checkpoint, if there is one");
    command->add_flag("--json", flags->json, kJsonHelp);
    command->add_flag("--unsafe-no-sandbox", flags->unsafe_no_sandbox,
                      "trace answers without a sandbox: they may do whatever this user may");
    command->callback([flags, &exit_code] { exit_code = train_grpo(*flags); });
}

}  // namespace tritonsmith::cli
