#include "train/checkpoint/export.h"

#include "cli/command.h"
#include "cli/train/commands.h"

namespace tritonsmith::cli {
namespace {

struct ExportFlags {
    std::string from, to, dtype = "auto";
    int64_t shard_mib = 4096;
};

int export_model(const ExportFlags& flags) {
    const bool as_stored = flags.dtype == "auto", int8 = flags.dtype == "int8";
    const std::string dtype = as_stored ? model::load_config(flags.from).dtype : flags.dtype;
    train::export_model(flags.from, flags.to, dtype == "float32" ? at::kFloat : at::kBFloat16,
                        {.shard_bytes = flags.shard_mib << 20, .int8_matrices = int8});
    return kDone;
}

}  // namespace

void add_export(CLI::App& train, int& exit_code) {
    auto flags = std::make_shared<ExportFlags>();
    CLI::App* command = train.add_subcommand(
        "export",
        "a model's folder, such as a checkpoint, written anew: int8, smaller files (docs/training.md)");
    command->add_option("from", flags->from, "folder of a model (Hugging Face's layout)")->required();
    command->add_option("-o,--output", flags->to, "folder that is made")->required();
    command
        ->add_option(
            "--dtype", flags->dtype,
            "auto (as it is), float32, bfloat16, or int8: the layers' matrices in int8 with a scale for "
            "each row, the rest in bfloat16")
        ->check(CLI::IsMember({"auto", "float32", "bfloat16", "int8"}))
        ->capture_default_str();
    command->add_option("--shard-mib", flags->shard_mib, "size of a file, at most")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str();
    command->callback([flags, &exit_code] { exit_code = export_model(*flags); });
}

}  // namespace tritonsmith::cli
