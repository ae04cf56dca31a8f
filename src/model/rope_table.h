#pragma once

#include <mutex>

#include "model/operators.h"
#include "model/rope.h"

namespace tritonsmith::model {

/// Caches cosines and sines of all positions that were requested so far: for a single token the dozen small
/// operators that compute them take as long as a whole layer. A position's row is always computed together
/// with the same neighbours, so its bits depend on nothing else. Thread-safe.
class RopeTable {
  public:
    /// @param dtype that values are rounded to, as transformers does
    RopeTable(RopeFrequencies frequencies, at::ScalarType dtype)
        : frequencies_(std::move(frequencies)), dtype_(dtype) {}

    /// @param positions [n] int64 on the CPU, 0 or more @return the table and their rows in it; unchanged
    /// when the table grows later
    RopeAngles angles(const at::Tensor& positions) const;

  private:
    void grow(int64_t positions) const;

    const RopeFrequencies frequencies_;
    const at::ScalarType dtype_;
    mutable std::mutex mutex_;
    mutable RopeRows rows_;  ///< replaced, never changed
};

}  // namespace tritonsmith::model
