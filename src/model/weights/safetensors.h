#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"

namespace tritonsmith::model {

/// One tensor of a safetensors file.
struct TensorEntry {
    std::string dtype;  ///< as written there: "BF16", "F32", "I64" ...
    std::vector<int64_t> shape;
    int64_t begin = 0, end = 0;  ///< bytes, from the end of the header
};

/// The header of a safetensors file: https://huggingface.co/docs/safetensors (8 bytes of length, JSON, data).
/// The file is untrusted: lengths and offsets are checked against its size, sizes against shapes, and no two
/// tensors overlap.
/// @param bytes  of the whole file   @param header its JSON, of header_length() bytes
/// @throws InputError that names `where`, the tensor and the fix
std::map<std::string, TensorEntry> parse_safetensors_header(std::string_view header, int64_t bytes,
                                                            const std::string& where);

/// A mapped file. Immutable; tensors keep the mapping alive.
class Safetensors {
  public:
    /// @throws InputError (missing, truncated, corrupt)
    static Safetensors open(const std::filesystem::path& path);

    const std::map<std::string, TensorEntry>& entries() const { return entries_; }
    const std::string& where() const { return where_; }
    /// The mapped bytes of a tensor, not to be written to. A copy if they are not aligned to its elements.
    /// @throws InputError if there is no such tensor, or its dtype is none of float32, float16, bfloat16,
    /// int64, int32, uint8, int8
    at::Tensor tensor(const std::string& name) const;
    /// Several as one, [sum of first dimensions, ...], mapped: undefined unless they are adjacent in this
    /// order and have one dtype and the same other dimensions.
    at::Tensor adjacent(const std::vector<std::string>& names) const;
    /// Drops its pages from this process's memory until they are read again.
    void release(const std::string& name) const;

  private:
    class Mapping;
    at::Tensor view(int64_t begin, const std::string& name, const TensorEntry& entry,
                    const std::vector<int64_t>& shape) const;
    const TensorEntry& entry(const std::string& name) const;

    std::string where_;
    std::shared_ptr<const Mapping> mapping_;
    int64_t data_ = 0;  ///< where the data begins, in bytes
    std::map<std::string, TensorEntry> entries_;
};

}  // namespace tritonsmith::model
