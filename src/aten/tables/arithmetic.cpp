#include "aten/tables/tables.h"

namespace tritonsmith::aten {

// Two numbers or more to one: sums, products, extremes, interpolation.
const std::string_view kArithmetic = R"(
add                    [Tensor,Scalar,out,Scalar_out] scalar factors widens lint:computes
add_                   [Tensor,Scalar] scalar factors
addcdiv                [-,out] factors lint:computes lint:method
addcdiv_               [-] factors
addcmul                [-,out] factors lint:computes lint:method
addcmul_               [-] factors
affine_grid_generator  [-,out]
arctan2                [-,out]
arctan2_               [-]
atan2                  [-,out] lint:computes
atan2_                 [-]
chalf                  [-]
clamp                  [-,Tensor,out,Tensor_out] scalar exact magnitude:clamp element:exact lint:computes lint:method
clamp_                 [-,Tensor] scalar magnitude:clamp lint:computes lint:method
clamp_max              [-,Tensor,out,Tensor_out] scalar exact magnitude:clamp_one_side element:exact lint:computes
clamp_max_             [-,Tensor] scalar magnitude:clamp_one_side
clamp_min              [-,Tensor,out,Tensor_out] scalar exact magnitude:clamp_one_side element:exact lint:computes lint:method
clamp_min_             [-,Tensor] scalar magnitude:clamp_one_side
clip                   [-,Tensor,out,Tensor_out] lint:computes
clip_                  [-,Tensor]
complex                [-,out]
copysign               [Tensor,Scalar,out,Scalar_out] exact negative
copysign_              [Tensor,Scalar]
div                    [Tensor,Scalar,Tensor_mode,Scalar_mode,out,out_mode,Scalar_out,Scalar_mode_out] scalar factors keeps_integers widens lint:computes lint:method
div_                   [Tensor,Tensor_mode,Scalar,Scalar_mode] scalar factors keeps_integers lint:method
divide                 [Tensor,Scalar,Tensor_mode,Scalar_mode,out,out_mode] lint:computes
divide_                [Tensor,Tensor_mode,Scalar_mode,Scalar]
fill                   [Scalar,Scalar_out,Tensor,Tensor_out] factors
float_power            [Tensor_Tensor,Tensor_Scalar,Scalar,Tensor_Tensor_out,Scalar_out,Tensor_Scalar_out]
float_power_           [Tensor,Scalar]
floor_divide           [-,Scalar,out,Scalar_out] rounds lint:computes
floor_divide_          [Scalar,Tensor]
fmax                   [-,out] exact
fmin                   [-,out] exact magnitude:smaller
fmod                   [Tensor,Scalar,Tensor_out,Scalar_out] exact negative lint:computes
fmod_                  [Tensor,Scalar]
gcd                    [-,out]
gcd_                   [-]
heaviside              [-,out] compares lint:computes
heaviside_             [-]
hypot                  [-,out] magnitude:length lint:computes
hypot_                 [-] magnitude:length
igamma                 [-,out] lint:computes
igamma_                [-]
igammac                [-,out]
igammac_               [-]
lcm                    [-,out]
lcm_                   [-]
ldexp                  [Tensor,out]
ldexp_                 [-]
lerp                   [Scalar,Tensor,Scalar_out,Tensor_out] factors magnitude:lerp lint:computes
lerp_                  [Scalar,Tensor] factors magnitude:lerp
logaddexp              [-,out] lint:computes
logaddexp2             [-,out]
_masked_scale          [out,-]
maximum                [-,out] exact lint:computes
minimum                [-,out] exact magnitude:smaller lint:computes
mul                    [Tensor,Scalar,out,Scalar_out] scalar factors keeps_integers widens lint:computes lint:method
mul_                   [Tensor,Scalar] scalar factors keeps_integers lint:method
multiply               [Tensor,Scalar,out] lint:computes
multiply_              [Tensor,Scalar]
nextafter              [-,out]
nextafter_             [-]
polar                  [-,out] lint:computes
pow                    [Tensor_Tensor,Tensor_Scalar,Scalar,Scalar_out,Tensor_Scalar_out,Tensor_Tensor_out] scalar widens element:relative lint:computes lint:method
pow_                   [Scalar,Tensor] scalar
remainder              [Tensor,Scalar,Scalar_Tensor,Tensor_out,Scalar_out,Scalar_Tensor_out] negative lint:computes
remainder_             [Tensor,Scalar]
rsub                   [Tensor,Scalar,Tensor_out,Scalar_out] scalar factors magnitude:reversed_difference widens lint:computes
sub                    [Tensor,Scalar,out,Scalar_out] scalar factors magnitude:difference widens lint:computes
sub_                   [Tensor,Scalar] scalar factors magnitude:difference lint:method
subtract               [Tensor,out,Scalar] lint:computes
subtract_              [Tensor,Scalar]
true_divide            [Tensor,Scalar,out] widens lint:computes
true_divide_           [Tensor,Scalar]
vander                 [-]
xlogy                  [Tensor,Scalar_Other,Scalar_Self,OutTensor,OutScalar_Self,OutScalar_Other] negative lint:computes
xlogy_                 [Tensor,Scalar_Other]
zero                   [-,out]
)";

}  // namespace tritonsmith::aten
