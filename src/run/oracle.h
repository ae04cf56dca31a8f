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
    /// Every live buffer that the plan's forward phase may read: copied on the CPU, held on devices, where
    /// nothing may change them before they are loaded.
    ForwardState(const plan::Plan& native, Memory& memory);
    /// Fills the buffers of `promoted` (same buffer ids) with the values in its own dtypes, or with their
    /// magnitudes.
    void load(const plan::Plan& promoted, Memory& memory, bool magnitudes) const;
    /// The same, and gives each buffer's values up when they are there.
    void unload(const plan::Plan& promoted, Memory& memory, bool magnitudes);

  private:
    void load_constants(const plan::Plan& promoted, const std::map<int, plan::DType>& dtypes,
                        Memory& memory) const;
    struct Saved {
        at::Tensor values;
        plan::DType dtype;
    };
    static void load(int buffer, const Saved& saved, const plan::Plan& promoted,
                     const std::map<int, plan::DType>& dtypes, Memory& memory, bool magnitudes);
    std::map<int, Saved> saved_;
};

/// softmax of magnitudes is no bound of softmax: what stands out among them takes the share of the others.
/// The run on magnitudes takes the oracle's results where they are larger.
class SoftmaxResults {
  public:
    /// Keeps those of the oracle's forward phase, in place of what was kept.
    void keep(Executor& oracle);
    /// Raises those of the magnitudes' forward phase, whose plan has the same softmaxes in the same order.
    void raise(Executor& magnitudes);

  private:
    std::vector<at::Tensor> kept_;
    size_t next_ = 0;
};

}  // namespace tritonsmith::run
