#include "aten/tables/tables.h"

namespace tritonsmith::aten {

// Activations of neural networks.
const std::string_view kActivations = R"(
_add_relu            [Tensor,out,Scalar,Scalar_out]
_add_relu_           [Tensor,Scalar]
celu                 [-,out] near_one lint:computes
celu_                [-] near_one
elu                  [-,out] near_one
elu_                 [-] near_one
gelu                 [-,out] lint:computes
gelu_                [-]
glu                  [-,out]
hardshrink           [-,out] lint:computes
hardsigmoid          [-,out]
hardsigmoid_         [-]
hardswish            [-,out]
hardswish_           [-]
hardtanh             [-,out] exact magnitude:clamp element:exact
hardtanh_            [-] magnitude:clamp
leaky_relu           [-,out]
leaky_relu_          [-]
log_sigmoid          [-,out]
log_sigmoid_forward  [-,output] negative near_one
logit                [-,out] near_one
logit_               [-]
mish                 [-,out]
mish_                [-]
prelu                [-] lint:computes
_prelu_kernel        [-]
relu                 [-,out] exact element:exact lint:computes lint:method
relu_                [-] lint:computes lint:method
relu6                [-]
relu6_               [-]
selu                 [-] near_one lint:computes
selu_                [-] near_one lint:computes
sigmoid              [-,out] widens lint:computes lint:method
sigmoid_             [-] lint:computes lint:method
silu                 [-,out] lint:computes
silu_                [-]
softplus             [-,out] negative lint:computes
softshrink           [-,out]
threshold            [-,out] exact factors negative lint:computes
threshold_           [-]
)";

}  // namespace tritonsmith::aten
