#pragma once

#include <optional>
#include <string>
#include <vector>

#include "forge/emit/code.h"
#include "graph/scalar.h"

namespace tritonsmith::forge {

using graph::DType;
using graph::ScalarOp;

/// The dtype in which a kernel computes: float32 for smaller floats.
DType compute_dtype(DType dtype);
bool is_float(DType dtype);
/// "tl.float32"; "torch.float32".
std::string triton_name(DType dtype);
std::string torch_name(DType dtype);
/// A literal as Triton code writes it: 0.5, float("-inf"), 3.
Code number_code(const graph::Number& number, DType dtype);

/// One scalar operation in Triton, with PyTorch's meaning for NaN, ties and signs. Nothing where there is no
/// way to write it. @param dtype of the result @param of dtype of the first argument
std::optional<Code> scalar_code(ScalarOp op, const std::vector<Code>& args, DType dtype, DType of);
Code cast_code(const Code& x, DType from, DType to);
/// Whether that writes an argument more than once, so that it needs a name.
bool repeats_argument(ScalarOp op, size_t argument);
/// Whether the text of an operation calls libdevice.
bool needs_libdevice(const std::string& text);

}  // namespace tritonsmith::forge
