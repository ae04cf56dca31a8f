#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "plan/analysis/flow.h"
#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// Products of matrices that a reference computes in a wide type from numbers of float16 or bfloat16, and
/// whose results reach outputs of narrow types alone. Tensor cores take both operands in one type, so that
/// published kernels round to it
/// - what is computed, where the other operand only holds narrow numbers (`softmax(…) @ v.float()`): flash
///   attention its probabilities, dequantising products their weights;
/// - the first operand, where both hold narrow numbers and the product is scaled (`q.float() @ k.float().mT *
///   c`): they scale that one before.
class NarrowProducts {
  public:
    explicit NarrowProducts(const Plan& reference);

    struct Rounded {
        Tensor operand, other;
        DType type;  ///< to which kernels round the operand
    };
    /// @param step of the reference's forward phase, or of its promoted plan, which has the same buffers
    std::optional<Rounded> rounded(const AtenStep& step) const;

  private:
    void find_scaled(const std::vector<Executed>& steps);

    std::map<int, DType> holds_;  ///< wide buffers: the narrow type that holds all their numbers
    std::set<int> computed_;      ///< wide buffers that hold others, of this call's arithmetic
    std::set<int> scaled_;        ///< results of products that are multiplied by a number
    std::set<int> to_wide_;       ///< buffers that an output of a wide type depends on
};

}  // namespace tritonsmith::plan
