#include "train/parallel/ranks.h"

#include <gtest/gtest.h>

#include <map>

#include "base/error.h"

namespace tritonsmith::train {
namespace {

Ranks ranks_in(const std::map<std::string, std::string>& variables) {
    return ranks_of([&](const char* name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
    });
}

TEST(Ranks, AreThoseOfTheLauncher) {
    const Ranks alone = ranks_in({});
    EXPECT_EQ(alone.count, 1);
    const Ranks torchrun = ranks_in({{"RANK", "5"},
                                     {"WORLD_SIZE", "8"},
                                     {"LOCAL_RANK", "1"},
                                     {"MASTER_ADDR", "node1"},
                                     {"MASTER_PORT", "1234"},
                                     {"TORCHELASTIC_USE_AGENT_STORE", "True"},
                                     {"SLURM_PROCID", "0"},
                                     {"SLURM_NTASKS", "1"}});
    EXPECT_EQ(torchrun.rank, 5);
    EXPECT_EQ(torchrun.count, 8);
    EXPECT_EQ(torchrun.local, 1);
    EXPECT_EQ(torchrun.master, "node1");
    EXPECT_EQ(torchrun.port, 1234);
    EXPECT_TRUE(torchrun.has_store);
    const Ranks slurm = ranks_in({{"SLURM_PROCID", "3"},
                                  {"SLURM_NTASKS", "4"},
                                  {"SLURM_LOCALID", "3"},
                                  {"SLURM_LAUNCH_NODE_IPADDR", "10.0.0.1"}});
    EXPECT_EQ(slurm.rank, 3);
    EXPECT_EQ(slurm.master, "10.0.0.1");
    EXPECT_FALSE(slurm.has_store);
    EXPECT_EQ(ranks_in({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}}).local, 1);
    EXPECT_EQ(ranks_in({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}}).count, 2);
}

TEST(Ranks, RefuseWhatDoesNotFitTogether) {
    EXPECT_THROW(ranks_in({{"RANK", "2"}, {"WORLD_SIZE", "2"}}), InputError);
    EXPECT_THROW(ranks_in({{"RANK", "x"}, {"WORLD_SIZE", "2"}}), InputError);
    EXPECT_THROW(ranks_in({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_PORT", "0"}}), InputError);
}

}  // namespace
}  // namespace tritonsmith::train
