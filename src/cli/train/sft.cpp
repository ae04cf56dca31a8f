#include "train/sft/sft.h"

#include <fmt/format.h>

#include <memory>

#include "base/process/files.h"
#include "base/process/interrupts.h"
#include "base/process/progress.h"
#include "cli/command.h"
#include "cli/train/commands.h"
#include "train/parallel/communicator.h"
#include "train/settings/toml.h"

namespace tritonsmith::cli {
namespace {

struct SftFlags {
    std::string configuration;
    std::vector<std::string> changes;
    bool resume = false, json = false;
};

train::SftSettings read_settings(const SftFlags& flags) {
    Json configuration =
        train::parse_toml(read_file(flags.configuration, "the configuration", 16 << 20), flags.configuration);
    for (const std::string& change : flags.changes) train::set_toml(configuration, change);
    return train::read_sft_settings(configuration, flags.configuration);
}

int train_sft(const SftFlags& flags) {
    train::SftSettings settings = read_settings(flags);
    become_gpu_program(settings.device);
    settings.device = own_device(settings.device);
    const std::unique_ptr<train::Communicator> communicator =
        train::communicator_of_this_process(at::Device(settings.device));
    const Interrupts interrupts;
    std::unique_ptr<Progress> progress;
    const train::SftResult result = train::run_sft(
        settings,
        {.resume = flags.resume,
         .signal = &interrupts.signal(),
         .communicator = communicator.get(),
         .tell = [](const std::string& line) { fmt::print(stderr, "{}\n", line); },
         .on_step =
             [&](int64_t step, const Json& metrics) {
                 if (!progress) progress = std::make_unique<Progress>("steps", settings.steps - step + 1);
                 progress->note(fmt::format("loss {:.4f}, {:.0f} tokens/s", metrics["loss"].get<double>(),
                                            metrics["tokens_per_second"].get<double>()));
                 progress->advance();
             }});
    progress.reset();
    return end_of_run({{"steps", result.steps}, {"loss", result.loss}, {"signal", result.signal}},
                      communicator->rank() == 0, flags.json);
}

}  // namespace

void add_sft(CLI::App& train, int& exit_code) {
    auto flags = std::make_shared<SftFlags>();
    CLI::App* command =
        train.add_subcommand("sft", "supervised training on conversations (docs/training.md)");
    command->add_option("configuration", flags->configuration, "TOML file")->required();
    command
        ->add_option("--set", flags->changes, "a field in place of the file's: schedule.learning_rate=1e-4")
        ->type_name("TABLE.FIELD=VALUE")
        ->allow_extra_args(false);
    command->add_flag("--resume", flags->resume, "go on from the run's last checkpoint, if there is one");
    command->add_flag("--json", flags->json, kJsonHelp);
    command->callback([flags, &exit_code] { exit_code = train_sft(*flags); });
}

}  // namespace tritonsmith::cli
