#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tritonsmith::model {

/// A tensor to be written. Where it lies may be any device; it is copied when its turn comes.
using NamedTensor = std::pair<std::string, at::Tensor>;

/// Writes a safetensors file, tensors one behind the other in the order given, and flushes it to the disk.
/// @throws MachineError (disk full, no permission); a part of the file may remain then
void write_safetensors(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors);
/// model.safetensors, or shards of at most `shard_bytes` (a tensor is never split) and
/// model.safetensors.index.json.
void write_shards(const std::filesystem::path& folder, const std::vector<NamedTensor>& tensors,
                  int64_t shard_bytes);

}  // namespace tritonsmith::model
