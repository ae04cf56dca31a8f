#pragma once

#include <map>
#include <set>
#include <vector>

#include "plan/analysis/flow.h"
#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// Which of some tensors lie in a buffer, as they are, while the steps of a call are gone through: views, and
/// what copies and casts make of them, count.
class TensorsThere {
  public:
    explicit TensorsThere(const std::vector<Tensor>& tensors);
    const std::set<size_t>& in(int buffer) const;
    /// @return whether the step is a copy, which is all that it does then
    bool follow(const Step& step, const Flow& flow);

  private:
    std::map<int, std::set<size_t>> there_;
};

/// Of all weights, in their order.
std::vector<Tensor> tensors_of_weights(const Plan& plan);
/// Floats of two bytes or more.
bool holds_reals(const Tensor& tensor);

/// What a reference's call does with one of its tensors: what other values of it must keep to.
struct Use {
    bool read = false;
    bool index = false;     ///< read as an index of gather, embedding, index_put …
    bool compared = false;  ///< read by comparisons and logic: what counts is which values are equal, or zero
    bool boundaries = false;  ///< it, or what is computed from it element by element, is what bucketize and
                              ///< searchsorted look into: it must rise
    bool places = false;      ///< it, or an integer that is computed from it, is an index
    bool other = false;  ///< read in another way: by comparisons, arithmetic, as the first argument of those
    bool index_only() const { return index && !other; }
};
/// What bucketize and searchsorted look into, which must rise along its last dimension. Null where the step
/// is neither, or is given the order.
const Tensor* boundaries_of(const AtenStep& step);

/// One for each tensor. Copies, casts and views of it count as it.
std::vector<Use> uses(const Plan& plan, const std::vector<Tensor>& tensors);

/// Floating inputs from which comes what the call looks at for NaN and infinities (nan_to_num, isfinite,
/// x != x): ordinals.
std::vector<size_t> asked_whether_finite(const Plan& plan);

}  // namespace tritonsmith::plan
