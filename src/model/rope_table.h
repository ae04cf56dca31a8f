#pragma once

#include <mutex>

#include "model/operators.h"
#include "model/rope.h"

namespace tritonsmith::model {

/// Cosines and sines of all positions that were ever asked for: computed once, since for a single token the
/// dozen small operators that make them take as long as a whole layer. A position's row is always computed
/// among the same neighbours, so that its bits hang on nothing else. Thread-safe.
class RopeTable {
  public:
    /// @param dtype that values are rounded to, as transformers does
    RopeTable(RopeFrequencies frequencies, at::ScalarType dtype)
        : frequencies_(std::move(frequencies)), dtype_(dtype) {}

    /// @param positions [n] int64 on the CPU, 0 or more @return rows of the table that they take; it stays as
    /// it is when the table grows
    RopeAngles angles(const at::Tensor& positions) const;

  private:
    void grow(int64_t positions) const;

    const RopeFrequencies frequencies_;
    const at::ScalarType dtype_;
    mutable std::mutex mutex_;
    mutable RopeRows rows_;  ///< replaced, never changed
};

}  // namespace tritonsmith::model
