#pragma once

#include <string>
#include <string_view>

#include "ttir/ir/ir.h"
#include "ttir/ir/lexer.h"

namespace tritonsmith::ttir {

constexpr int64_t kMaxTensorElements = int64_t{1} << 20;  ///< Triton's own limit (TRITON_MAX_TENSOR_NUMEL)
constexpr int kMaxRank = 32;                              ///< tl.sort of n elements uses rank log2(n)

bool is_floating(Scalar scalar);
bool is_integer(Scalar scalar);  ///< i1 … i64 and index
int bit_width(Scalar scalar);    ///< index: 64; none: 0
bool points(const Type& type);   ///< a pointer or a descriptor: leads to memory
/// "f32"; "none" for Scalar::none.
std::string_view scalar_name(Scalar scalar);

/// `i32`, `tensor<4x!tt.ptr<f32>>`, … as MLIR writes them.
std::string to_string(const Type& type);

/// Reads one type. @throws ParseError for types that TTIR does not have and beyond the limits above.
Type parse_type(Lexer& lexer);
/// The same where the operation's format leaves out `!tt.ptr` or `!tt.tensordesc` (`prefix`): `<f32>`.
Type parse_short_type(Lexer& lexer, std::string_view prefix);

/// The same type without / with this shape.
Type element_type(const Type& type);
Type with_shape(Type type, std::vector<int64_t> shape);
Type scalar_type(Scalar scalar);

}  // namespace tritonsmith::ttir
