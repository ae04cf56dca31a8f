#pragma once

#include <cstdint>
#include <vector>

#include "judge/compare/compare.h"
#include "numerics/bound.h"
#include "numerics/precision.h"
#include "plan/ir/plan.h"

namespace tritonsmith::judge {

/// What bounds the error of the elements of one sampled output.
struct SampledBound {
    numerics::Tolerance tolerance;
    numerics::Precision precision = numerics::Precision::defaults;
    /// Inputs follow the task's own law: what the reference does not stay finite on must not be finite
    /// either.
    bool own_law = true;
    bool wide = false;  ///< numerics::Bound
    int64_t longest_reduction = 1;
};

/// How far a sampled element may be off: the bound of whole outputs (numerics/bound.h), with what
/// computations in the reference's types make of this one element (ElementOracle::noisy) in the place of the
/// reference's own roundings. That costs many evaluations, so that it is asked for only beyond the rest.
/// Integers have no error, but where roundings turn them into others.
class SampledLimit {
  public:
    /// @param expected elements of the output, of which the rms is taken
    SampledLimit(plan::DType dtype, const SampledBound& bound, const std::vector<double>& expected);

    bool integers() const { return integers_; }
    /// @param scale S @param noise the largest error among the noisy values
    double allowed(double expected, double scale, double noise = 0) const;
    /// The bound holds without noise, or there is none.
    bool within(double expected, double scale, double found) const;
    /// The bound holds with it.
    bool within_noise(double expected, double scale, double found, const std::vector<double>& noisy) const;

  private:
    bool own_law_, integers_;
    numerics::Bound bound_;
    double most_ = 0;  ///< that the type holds
};

}  // namespace tritonsmith::judge
