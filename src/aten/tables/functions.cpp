#include "aten/tables/tables.h"

namespace tritonsmith::aten {

// Functions of one number.
const std::string_view kFunctions = R"(
abs          [-,out] scalar exact magnitude:length element:exact lint:computes lint:method
abs_         [-] scalar lint:computes
absolute     [-,out] lint:computes
absolute_    [-]
acos         [-,out] negative lint:computes
acos_        [-]
acosh        [-,out]
acosh_       [-]
angle        [-,out]
arccos       [-,out]
arccos_      [-]
arccosh      [-,out]
arccosh_     [-]
arcsin       [-,out]
arcsin_      [-]
arcsinh      [-,out]
arcsinh_     [-]
arctan       [-,out]
arctan_      [-]
arctanh      [-,out]
arctanh_     [-]
asin         [-,out] lint:computes
asin_        [-]
asinh        [-,out] near_one
asinh_       [-]
atan         [-,out] lint:computes
atan_        [-]
atanh        [-,out] near_one
atanh_       [-]
ceil         [-,out] scalar rounds element:whole lint:computes
ceil_        [-] scalar
concatenate  [-,out]
cos          [-,out] negative widens lint:computes
cos_         [-] negative
cosh         [-,out] lint:computes
cosh_        [-]
deg2rad      [-,out] lint:computes
deg2rad_     [-]
digamma      [-,out] negative lint:computes
digamma_     [-]
erf          [-,out] lint:computes lint:method
erf_         [-]
erfc         [-,out] lint:computes
erfc_        [-]
erfinv       [-,out] scalar negative lint:computes
erfinv_      [-] scalar
exp          [-,out] scalar widens element:relative lint:computes lint:method
exp_         [-] scalar lint:computes lint:method
exp2         [-,out] widens element:relative lint:computes
exp2_        [-]
expm1        [-,out] near_one lint:computes
expm1_       [-] near_one
fix          [-,out] rounds
fix_         [-]
floor        [-,out] scalar rounds element:whole lint:computes
floor_       [-] scalar
frac         [-,out] rounds lint:computes
frac_        [-]
frexp        [Tensor,Tensor_out]
i0           [-,out]
i0_          [-]
lgamma       [-,out] negative lint:computes
lgamma_      [-]
log          [-,out] scalar negative near_one widens lint:computes
log_         [-] scalar negative near_one
log10        [-,out] negative near_one lint:computes
log10_       [-]
log1p        [-,out] negative near_one widens lint:computes
log1p_       [-] near_one
log2         [-,out] negative near_one widens lint:computes
log2_        [-]
mvlgamma     [-,out]
mvlgamma_    [-]
neg          [-,out] scalar exact magnitude:negation element:exact lint:computes
neg_         [-] scalar magnitude:negation
negative     [-,out] exact lint:computes
negative_    [-]
polygamma    [-,out]
polygamma_   [-]
positive     [-]
rad2deg      [-,out]
rad2deg_     [-]
reciprocal   [-,out] scalar widens element:relative lint:computes lint:method
reciprocal_  [-] scalar
round        [-,decimals,out,decimals_out] scalar rounds element:whole lint:computes
round_       [-,decimals] scalar
rsqrt        [-,out] widens element:relative lint:computes lint:method
rsqrt_       [-]
sgn          [-,out] compares lint:computes
sgn_         [-]
sign         [-,out] scalar compares element:whole lint:computes
sign_        [-] scalar
signbit      [-,out] compares lint:computes
sin          [-,out] negative widens lint:computes
sin_         [-] negative
sinc         [-,out] lint:computes
sinc_        [-]
sinh         [-,out] near_one lint:computes
sinh_        [-] near_one
sqrt         [-,out] scalar widens element:sqrt lint:computes lint:method
sqrt_        [-] scalar lint:computes
square       [-,out] element:relative lint:computes lint:method
square_      [-]
tan          [-,out] negative lint:computes
tan_         [-]
tanh         [-,out] near_one widens lint:computes lint:method
tanh_        [-] near_one lint:computes lint:method
trunc        [-,out] rounds lint:computes
trunc_       [-]
)";

}  // namespace tritonsmith::aten
