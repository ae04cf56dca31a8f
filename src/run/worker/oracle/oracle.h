#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <vector>

#include "run/worker/exec/executor.h"

namespace tritonsmith::run {

/// The dtype through which the plan sees each buffer (its first view, in the order of the plan). A promoted
/// plan has the same buffers: what the reference stores them in.
std::map<int, plan::DType> buffer_dtypes(const plan::Plan& plan);

/// What a native execution holds when its forward phase begins: inputs, weights, tables. The float64 runs
/// start from the same values, widened, so that they are the oracle of the very inputs that the candidate
/// gets (and not of inputs rounded otherwise).
class ForwardState {
  public:
    /// Every live buffer that the plan's forward phase may read. On the CPU they are copied. On devices those
    /// are that the forward phase writes; the others are held, and nothing else may change them.
    ForwardState(const plan::Plan& native, Memory& memory);
    /// Fills the buffers of `promoted` (same buffer ids) with the values in its own dtypes, or with their
    /// magnitudes.
    void load(const plan::Plan& promoted, Memory& memory, bool magnitudes) const;

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

/// What the run on magnitudes takes from the oracle.
/// - Exponentials of magnitudes are no bound of exponentials. In a softmax what stands out among them takes
/// the
///   share of the others: the oracle's results count where they are larger. The error of exp(u) is exp(u)
///   times that of u: the oracle's results, times one more than the magnitude of u.
/// - Of attention the probabilities are the oracle's, and the values their magnitudes.
/// - Where a result is stored in a narrow type and kernels round to it inside of the operator, that rounding
/// is
///   what errors are relative to (inner_rounding.h).
/// - Of what is sampled at places that a tensor holds, the places are the oracle's (resampling_terms.h).
/// - Norms subtract a mean: the terms of that difference count (norm_terms.h), where they are larger.
class OracleTerms {
  public:
    /// @param native the plan before it was promoted
    explicit OracleTerms(const plan::Plan& native) : stored_(buffer_dtypes(native)) {}
    /// The whole of the magnitudes' result comes from the oracle: for plan::absolute.
    bool given(const plan::AtenStep& step) const;
    /// Keeps them in the oracle's forward phase, in place of what was kept.
    void keep(Executor& oracle);
    /// Uses and releases them in the magnitudes' forward phase, whose plan has the same steps of these kinds
    /// in the same order.
    void raise(Executor& magnitudes);

  private:
    bool is_kept(const plan::AtenStep& step) const;
    at::Tensor kept(const plan::AtenStep& step, Executor& oracle) const;
    plan::DType stored_as(const plan::Tensor& promoted) const;

    const std::map<int, plan::DType> stored_;
    std::vector<at::Tensor> kept_;
    at::Tensor argument_;  ///< of the exponential that is being executed
    size_t next_ = 0;
};

}  // namespace tritonsmith::run
