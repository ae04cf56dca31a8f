#include "train/parallel/ranks.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

#include "base/error.h"

namespace tritonsmith::train {
namespace {

/// Names of the variables in which a launcher says which process this is.
struct Launcher {
    const char *rank, *count, *local;
};
constexpr Launcher launchers[] = {
    {"RANK", "WORLD_SIZE", "LOCAL_RANK"},  // torchrun
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},  // MPICH and Intel MPI
};

int whole_number(const char* name, const std::string& text, int least, int most) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
        throw InputError(fmt::format("{}={}: must be {} to {}", name, text, least, most));
    return value;
}

}  // namespace

Ranks ranks_of(const Environment& environment) {
    Ranks ranks;
    for (const Launcher& launcher : launchers) {
        const auto rank = environment(launcher.rank), count = environment(launcher.count);
        if (!rank || !count) continue;
        ranks.count = whole_number(launcher.count, *count, 1, 1 << 16);
        ranks.rank = whole_number(launcher.rank, *rank, 0, ranks.count - 1);
        const auto local = environment(launcher.local);
        ranks.local = local ? whole_number(launcher.local, *local, 0, 1 << 16) : ranks.rank;
        break;
    }
    if (ranks.count == 1) return ranks;
    const auto master = environment("MASTER_ADDR"), launch_node = environment("SLURM_LAUNCH_NODE_IPADDR"),
               port = environment("MASTER_PORT");
    if (master || launch_node) ranks.master = master ? *master : *launch_node;
    if (port) ranks.port = whole_number("MASTER_PORT", *port, 1, 65535);
    ranks.has_store = environment("TORCHELASTIC_USE_AGENT_STORE") == "True";
    return ranks;
}

Ranks ranks_of_this_process() {
    return ranks_of([](const char* name) -> std::optional<std::string> {
        const char* value = std::getenv(name);
        return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
    });
}

}  // namespace tritonsmith::train
