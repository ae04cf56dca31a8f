#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/process/process.h"
#include "run/client/client.h"

namespace tritonsmith::run {

/// Where the tensors of a pack lie: one after the other, 64-byte aligned.
class PackLayout {
  public:
    /// @return the entry's ordinal. @throws InputError where sizes overflow.
    size_t add(std::string name, plan::DType dtype, std::vector<int64_t> shape);
    const std::vector<PackEntry>& entries() const { return entries_; }
    int64_t bytes() const { return bytes_; }

  private:
    std::vector<PackEntry> entries_;
    int64_t bytes_ = 0;
};

/// Makes a pack: declare all tensors, then map, fill each, then seal. Not thread-safe.
class PackWriter {
  public:
    PackWriter() = default;
    ~PackWriter();
    PackWriter(const PackWriter&) = delete;
    PackWriter& operator=(const PackWriter&) = delete;

    /// @return the entry's ordinal. @throws InputError where sizes overflow.
    size_t add(std::string name, plan::DType dtype, std::vector<int64_t> shape) {
        return layout_.add(std::move(name), dtype, std::move(shape));
    }
    /// Makes the memory file; contents start as zeros. @throws MachineError
    void map();
    std::byte* data(size_t ordinal) { return map_ + layout_.entries()[ordinal].offset; }
    /// Unmaps and seals the file against writes; the descriptor passes to the caller.
    Fd seal();
    Json index() const;

  private:
    PackLayout layout_;
    Fd file_;
    std::byte* map_ = nullptr;
};

/// Bytes of a contiguous tensor. @throws InputError where a dimension is negative or the product overflows.
int64_t contiguous_bytes(plan::DType dtype, const std::vector<int64_t>& shape);
Json index_of(const std::vector<PackEntry>& entries);
/// @throws InputError where an entry does not lie inside of `size` bytes
std::vector<PackEntry> entries_from(const Json& index, int64_t size);

}  // namespace tritonsmith::run
