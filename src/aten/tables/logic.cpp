#include "aten/tables/tables.h"

namespace tritonsmith::aten {

// Comparisons, questions, truths and bits.
const std::string_view kLogic = R"(
__and__               [Scalar,Tensor] scalar
bitwise_and           [Tensor,Scalar,Scalar_Tensor,Tensor_out,Scalar_out,Scalar_Tensor_out] scalar exact
bitwise_and_          [Tensor,Scalar]
bitwise_left_shift    [Tensor,Tensor_Scalar,Scalar_Tensor,Tensor_out,Tensor_Scalar_out,Scalar_Tensor_out] scalar
bitwise_left_shift_   [Tensor_Scalar,Tensor]
bitwise_not           [-,out] exact
bitwise_not_          [-]
bitwise_or            [Tensor,Scalar,Scalar_Tensor,Tensor_out,Scalar_out,Scalar_Tensor_out] scalar exact
bitwise_or_           [Tensor,Scalar]
bitwise_right_shift   [Tensor,Tensor_Scalar,Scalar_Tensor,Tensor_out,Tensor_Scalar_out,Scalar_Tensor_out] scalar
bitwise_right_shift_  [Tensor_Scalar,Tensor]
bitwise_xor           [Tensor,Scalar,Scalar_Tensor,Tensor_out,Scalar_out,Scalar_Tensor_out] exact
bitwise_xor_          [Tensor,Scalar]
eq                    [Tensor,Scalar,Scalar_out,Tensor_out] scalar compares lint:computes
eq_                   [Scalar,Tensor]
ge                    [Tensor,Scalar,Scalar_out,Tensor_out] scalar compares lint:computes
ge_                   [Scalar,Tensor]
greater               [Tensor,Scalar,Scalar_out,Tensor_out] compares
greater_              [Scalar,Tensor]
greater_equal         [Tensor,Scalar,Scalar_out,Tensor_out] compares
greater_equal_        [Scalar,Tensor]
gt                    [Tensor,Scalar,Scalar_out,Tensor_out] scalar compares lint:computes
gt_                   [Scalar,Tensor]
__iand__              [Tensor,Scalar]
__ilshift__           [Tensor,Scalar]
__ior__               [Tensor,Scalar]
__irshift__           [Tensor,Scalar]
isclose               [-] compares
isfinite              [-] exact
isin                  [Tensor_Tensor,Tensor_Tensor_out,Tensor_Scalar,Tensor_Scalar_out,Scalar_Tensor,Scalar_Tensor_out]
isinf                 [-,out] exact
isnan                 [-,out] exact
isneginf              [-,out]
isposinf              [-,out]
isreal                [-]
__ixor__              [Tensor,Scalar]
le                    [Tensor,Scalar,Scalar_out,Tensor_out] scalar compares lint:computes
le_                   [Scalar,Tensor]
less                  [Tensor,Scalar,Scalar_out,Tensor_out] compares
less_                 [Scalar,Tensor]
less_equal            [Tensor,Scalar,Scalar_out,Tensor_out] compares
less_equal_           [Scalar,Tensor]
logical_and           [-,out] exact lint:computes
logical_and_          [-]
logical_not           [-,out] exact lint:computes
logical_not_          [-]
logical_or            [-,out] exact lint:computes
logical_or_           [-]
logical_xor           [-,out] exact
logical_xor_          [-]
__lshift__            [Tensor,Scalar,Scalar_out,Tensor_out] scalar
lt                    [Tensor,Scalar,Scalar_out,Tensor_out] scalar compares lint:computes
lt_                   [Scalar,Tensor]
ne                    [Tensor,Scalar,Scalar_out,Tensor_out] scalar compares lint:computes
ne_                   [Scalar,Tensor]
not_equal             [Tensor,Scalar,Scalar_out,Tensor_out] compares
not_equal_            [Scalar,Tensor]
__or__                [Tensor,Scalar] scalar
__rshift__            [Tensor,Scalar,Scalar_out,Tensor_out] scalar
__xor__               [Tensor,Scalar]
)";

}  // namespace tritonsmith::aten
