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
/// What takes elements from other places without arithmetic: cat, gather, embedding, pads
/// (element_moves.cpp).
Family moves;
/// Attention, with a bias and with groups of queries (element_attention.cpp).
Family attention;
/// Interpolation (element_resampling.cpp).
Family resampled;
/// What writes at places that a tensor holds: scatter, index_add (element_scatter.cpp).
Family scattered;
/// Of three tensors and more: addcmul, lerp, losses that reduce nothing (element_combinations.cpp).
Family combined;
/// all, any, extremes in pairs (element_combinations.cpp).
Family counted;

using Line = std::vector<OracleElement>;

/// Σ_k left[k] · right[k].
OracleElement dot(const Line& left, const Line& right, ElementContext& context);

/// The element of a broadcast argument that belongs to an index of the result.
OracleElement broadcast(const plan::Tensor& tensor, const Index& index, ElementContext& context);
/// The same of an argument that is a tensor or a number.
OracleElement operand(const StepArguments& a, size_t position, const char* name, const Index& index,
                      ElementContext& context);

/// A position that a tensor of indices holds, of a dimension of this size. @throws CannotEvaluate
int64_t place(const plan::Tensor& indices, const Index& at, int64_t size, ElementContext& context);

/// Dimension `dim` of a tensor, counted from its end where it is negative.
size_t dimension(const plan::Tensor& tensor, int64_t dim);

}  // namespace tritonsmith::judge
