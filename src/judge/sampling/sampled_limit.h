#pragma once

#include <cstdint>
#include <vector>

#include "judge/compare/compare.h"
#include "plan/ir/plan.h"

namespace tritonsmith::judge {

/// What bounds the error of the elements of one sampled output.
struct SampledBound {
    Tolerance tolerance;
    /// Inputs follow the task's own law: what the reference does not stay finite on must not be finite
    /// either.
    bool own_law = true;
    /// The larger of the two bounds holds, not the smaller (Bound::by_conditioning).
    bool wide = false;
    int64_t longest_reduction = 1;
};

/// How far a sampled element may be off: the bound of whole outputs (judge/compare/compare.h), with what
/// computations in float32 make of this one element in the place of the reference's own error,
///     max(2·noise, min(16·eps·√K·S, tolerance · max(|expected|, rms)))
/// `noise` is the largest error of ElementOracle::noisy; it costs many evaluations, so that it is asked for
/// only beyond the rest. Integers have no error, but where roundings turn them into others.
class SampledLimit {
  public:
    /// @param expected finite elements of the output, of which the rms is taken
    SampledLimit(plan::DType dtype, const SampledBound& bound, const std::vector<double>& expected);

    bool integers() const { return integers_; }
    /// Without noise. @param scale S
    double allowed(double expected, double scale) const;
    /// The bound holds, or there is none. False: `noisy` decides.
    bool within(double expected, double scale, double found) const;
    /// Whether computations in float32 may have what was found.
    bool within_noise(double expected, double found, const std::vector<double>& noisy) const;

  private:
    SampledBound bound_;
    bool integers_;
    double rms_ = 0, tolerance_ = 0, by_scale_ = 0, least_ = 0, most_ = 0;
};

}  // namespace tritonsmith::judge
