#pragma once

#include <filesystem>
#include <vector>

namespace tritonsmith::bench {

/// Makes one run of several: the shards of one, or runs of other levels. Their configurations may differ in
/// `shard`, `levels`, `only`, `limit`, `path` and `answers`; how answers were judged must be the same.
/// @throws InputError where it is not, where two have different answers for one sample, or where `output`
/// exists
void merge_runs(const std::vector<std::filesystem::path>& runs, const std::filesystem::path& output);

}  // namespace tritonsmith::bench
