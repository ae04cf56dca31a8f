#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "data/synth/pair.h"
#include "data/synth/tally.h"

namespace tritonsmith::data {

struct RunOptions {
    std::string folder;
    PairOptions pairs;
    int64_t count = 1000;       ///< tasks that are sampled
    int64_t shard_size = 1000;  ///< of them in one file
    int jobs = 1;               ///< processes
    int repairs = 0;            ///< broken solutions that are tried for a pair, for the folder's head
    /// Judges the pairs of a shard and leaves those that are accepted; in this process, one shard at a time.
    /// The last argument is to be called behind each pair.
    std::function<void(std::vector<Pair>&, Tally&, const std::function<void()>&)> verify;
};

/// Writes shard-00000.jsonl.zst … and counts beside them into the folder, then README.md and counts.json. A
/// shard is written at once or not at all, and what is there is kept: the same command goes on where an
/// earlier one stopped.
/// @param stopped is asked between shards @return the counts; fewer shards than asked for where it was
/// stopped
/// @throws InputError where the folder holds another run, MachineError
Tally run_synth(const RunOptions& options, const std::atomic<bool>& stopped);

/// The pairs of shard `number`, in order, without verification.
std::vector<Pair> make_shard(const RunOptions& options, int64_t number, Tally& tally);

}  // namespace tritonsmith::data
