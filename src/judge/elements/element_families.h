#pragma once

#include <optional>
#include <string>

#include "judge/elements/element_ops.h"

/// Families of operators that the oracle evaluates element by element. Each gives nothing for operators that
/// are none of its own. @throws CannotEvaluate
namespace tritonsmith::judge {

using Family = std::optional<OracleElement>(const std::string& base, int result,
                                            const StepArguments& arguments, const Index& index,
                                            ElementContext& context);

/// Positions of extremes, sorted rows, the k largest, running sums (element_order.cpp).
Family ordering;
/// Norms of layers, groups and batches (element_norms.cpp).
Family norms;
/// Convolutions and pools (element_windows.cpp).
Family windows;
/// What takes elements from other places without arithmetic: cat, gather, embedding (element_moves.cpp).
Family moves;

/// Dimension `dim` of a tensor, counted from its end where it is negative.
size_t dimension(const plan::Tensor& tensor, int64_t dim);

}  // namespace tritonsmith::judge
