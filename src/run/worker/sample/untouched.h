#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "plan/ir/plan.h"
#include "ttir/interp/memory/memory.h"
#include "ttir/ir/byte_ranges.h"

namespace tritonsmith::run::sample {

/// Elements of a tensor that a program may write, as they were before it ran: those that it leaves so are
/// where a mask leaves out too much, however few they are, and whatever the host has put there.
class Untouched {
  public:
    /// @param may_write bytes of the buffer (ttir::Footprint)
    Untouched(const ttir::ByteRanges& may_write, const plan::Tensor& tensor, ttir::Buffer& buffer,
              std::mt19937_64& random);
    /// Linear indices of those that are as they were, `most` at most.
    std::vector<int64_t> find(size_t most) const;

  private:
    uint64_t bits_of(int64_t index) const;

    const plan::Tensor& tensor_;
    ttir::Buffer& buffer_;
    std::vector<int64_t> elements_;
    std::vector<uint64_t> before_;
};

}  // namespace tritonsmith::run::sample
