#pragma once

#include <vector>

#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// What a reference's call does with one of its tensors: what other values of it must keep to.
struct Use {
    bool read = false;
    bool index = false;  ///< read as an index of gather, embedding, index_put …
    bool other = false;  ///< read in another way: by comparisons, arithmetic, as the first argument of those
    bool index_only() const { return index && !other; }
};
/// One for each tensor. Copies, casts and views of it count as it.
std::vector<Use> uses(const Plan& plan, const std::vector<Tensor>& tensors);

/// Floating inputs from which comes what the call looks at for NaN and infinities (nan_to_num, isfinite,
/// x != x): ordinals.
std::vector<size_t> asked_whether_finite(const Plan& plan);

}  // namespace tritonsmith::plan
