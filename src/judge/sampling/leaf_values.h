#pragma once

#include <optional>
#include <span>
#include <vector>

#include "judge/elements/element_oracle.h"
#include "plan/ir/plan.h"
#include "run/draw/leaves.h"

namespace tritonsmith::judge {

/// Single elements of a reference's inputs and weights at full size, made when they are asked for.
class LeafValues {
  public:
    /// Both must outlive this.
    LeafValues(const plan::Plan& reference, const run::Leaves& leaves)
        : reference_(reference), leaves_(leaves) {}

    /// Nothing where the buffer is neither of them, nor constant.
    std::optional<OracleElement> element(const plan::Tensor& tensor, int64_t storage_offset);
    /// The same for elements that lie `stride` apart; false where that gives nothing.
    bool line(const plan::Tensor& tensor, int64_t storage_offset, int64_t stride, std::span<double> out);

  private:
    const plan::Plan& reference_;
    const run::Leaves& leaves_;
    std::vector<std::byte> bytes_;
};

}  // namespace tritonsmith::judge
