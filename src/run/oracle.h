#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <vector>

#include "run/executor.h"

namespace tritonsmith::run {

/// What a native execution holds when its forward phase begins: inputs, weights, tables. The float64 runs
/// start from the same values, widened, so that they are the oracle of the very inputs that the candidate
/// gets (and not of inputs rounded otherwise).
class ForwardState {
  public:
    /// Copies every live buffer that the plan's forward phase may read.
    ForwardState(const plan::Plan& native, Memory& memory);
    /// Fills the buffers of `promoted` (same buffer ids) with the values in its own dtypes, or with their
    /// magnitudes.
    void load(const plan::Plan& promoted, Memory& memory, bool magnitudes) const;

  private:
    struct Saved {
        at::Tensor values;
        plan::DType dtype;
    };
    std::map<int, Saved> saved_;
};

}  // namespace tritonsmith::run
