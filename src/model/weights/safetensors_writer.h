#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/accumulate.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tritonsmith::model {

/// A tensor to be written, on any device; it is copied, or made, when its turn comes.
struct NamedTensor {
    NamedTensor(std::string name, const at::Tensor& tensor)
        : name(std::move(name)),
          dtype(tensor.scalar_type()),
          shape(tensor.sizes().vec()),
          value([tensor] { return tensor; }) {}
    NamedTensor(std::string name, at::ScalarType dtype, std::vector<int64_t> shape,
                std::function<at::Tensor()> value)
        : name(std::move(name)), dtype(dtype), shape(std::move(shape)), value(std::move(value)) {}

    std::string name;
    at::ScalarType dtype;
    std::vector<int64_t> shape;
    std::function<at::Tensor()> value;

    int64_t bytes() const {
        return c10::multiply_integers(shape) * static_cast<int64_t>(c10::elementSize(dtype));
    }
};

/// Writes a safetensors file with tensors in the given order and flushes it to the disk.
/// @throws MachineError (disk full, no permission); a partial file may remain
void write_safetensors(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors);
/// model.safetensors, or shards of at most `shard_bytes` (a tensor is never split) and
/// model.safetensors.index.json.
void write_shards(const std::filesystem::path& folder, const std::vector<NamedTensor>& tensors,
                  int64_t shard_bytes);

}  // namespace tritonsmith::model
