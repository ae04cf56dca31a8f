#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "numerics/precision.h"
#include "plan/ir/plan.h"

namespace tritonsmith::judge {

/// An element of a float64 evaluation and the magnitude S of what was summed for it.
struct OracleElement {
    double value = 0;
    double scale = 0;
};

/// Value of one element (linear storage offset, in elements of the buffer's dtype) of an input or weight
/// buffer.
using LeafElement =
    std::function<std::optional<OracleElement>(const plan::Tensor& tensor, int64_t storage_offset)>;

/// The same for out.size() elements that lie `stride` apart; false: not known.
using LeafLine = std::function<bool(const plan::Tensor& tensor, int64_t storage_offset, int64_t stride,
                                    std::span<double> out)>;

constexpr int64_t kOracleBudget = int64_t{4} << 20;  ///< elements evaluated for one

/// Evaluates single elements of a reference plan's outputs in float64, on demand: pointwise operators,
/// reductions over dimensions, products, softmax and normalisations, views by their strides. An operator that
/// it does not have, or work beyond the budget, gives nothing.
class ElementOracle {
  public:
    /// @param leaf asked for every element that no forward step of the plan wrote. @param line asked for many
    /// at once, where there is one.
    /// @param precision what noisy() may round operands to
    ElementOracle(const plan::Plan& reference, LeafElement leaf, LeafLine line = {},
                  numerics::Precision precision = numerics::Precision::defaults);
    ~ElementOracle();
    /// Element `index` (linear, row major) of an output tensor. @param budget elements that may be evaluated
    /// for it.
    std::optional<OracleElement> element(const plan::Tensor& output, int64_t index,
                                         int64_t budget = kOracleBudget);
    /// The same element as computations in float32 (and in the types of the plan's own steps, where these are
    /// narrower) may have it: each result of an operator, sum and difference is off by a random error as
    /// large as its roundings may make it (Monte Carlo arithmetic: D. S. Parker, 1997). How far the values
    /// lie apart says how well the element is conditioned. At most `most`; fewer where one is much work.
    std::vector<double> noisy(const plan::Tensor& output, int64_t index, size_t most);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tritonsmith::judge
