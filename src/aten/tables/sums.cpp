#include "aten/tables/tables.h"

namespace tritonsmith::aten {

// Products of matrices, convolutions, sums and distances.
const std::string_view kSums = R"(
addbmm                       [-,out] sum:batches products factors lint:product
addbmm_                      [-]
addmm                        [-,out,dtype_out,dtype] sum:last_of_second products factors lint:product
addmm_                       [-] sum:last_of_second factors lint:product
_addmm_activation            [-,out] sum:last_of_second
addmv                        [-,out] sum:last_of_second products factors lint:product
addmv_                       [-]
addr                         [-,out] lint:product
addr_                        [-]
_aminmax                     [-,dim,out,dim_out]
baddbmm                      [-,out,dtype_out,dtype] sum:last_of_second products factors lint:product
baddbmm_                     [-] sum:last_of_second factors
bilinear                     [-] lint:product
bmm                          [-,out,dtype_out,dtype] sum:last products lint:product
cdist                        [-] sum:last magnitude:distance lint:computes
_cdist_forward               [-,out] sum:last magnitude:distance
conv1d                       [-,padding] sum:window_of_inputs lint:product
conv2d                       [-,padding] sum:window_of_inputs lint:product
conv3d                       [-,padding] sum:window_of_inputs lint:product
_conv_depthwise2d            [out,-] sum:window_of_inputs products equivalent
conv_depthwise3d             [out,-] sum:window_of_inputs products equivalent
conv_tbc                     [-,out] sum:window_of_inputs
conv_transpose1d             [-] sum:window_of_outputs lint:product
conv_transpose2d             [input] sum:window_of_outputs lint:product
conv_transpose3d             [input] sum:window_of_outputs lint:product
_convolution                 [deprecated,-,out] sum:convolution products
convolution                  [-,out] sum:convolution products lint:product equivalent
_convolution_mode            [-] sum:window_of_inputs products
convolution_overrideable     sum:convolution products
cosine_similarity            [-] lint:computes
cross                        [-,out] lint:computes
cudnn_convolution            [-,out] sum:window_of_inputs products equivalent
cudnn_convolution_add_relu   [out,-] sum:window_of_inputs products equivalent
cudnn_convolution_relu       [out,-] sum:window_of_inputs products equivalent
cudnn_convolution_transpose  [-,out] sum:window_of_outputs products equivalent
cumprod                      [-,out] sum:dimension lint:computes lint:method
cumsum                       [-,out] sum:dimension products magnitude:running_sum lint:computes lint:method
cumsum_                      [-] sum:dimension magnitude:running_sum
dist                         [-,out] sum:ratio magnitude:distance lint:computes
dot                          [-,out] sum:last products lint:product
einsum                       [-] products lint:product
_euclidean_dist              [-,out] sum:last magnitude:distance
ger                          [-,out] lint:product
index_add                    [-,out] sum:added products lint:computes
index_add_                   [-] sum:added
index_put                    [-,out] sum:put exact
index_put_                   [-] sum:put
inner                        [-,out] lint:product
_int_mm                      [-,out]
linear                       [-,out] sum:last products lint:product
_log_softmax                 [-,out] sum:dimension negative magnitude:log_softmax lint:computes
log_softmax                  [int,int_out] sum:dimension lint:computes lint:method
_logcumsumexp                [-,out]
logcumsumexp                 [-,out] sum:dimension lint:computes
logsumexp                    [-,out] sum:ratio maximum negative lint:computes lint:method
_masked_softmax              [-,out]
matmul                       [-,out] sum:last products lint:product
mean                         [-,dim,out,dtype_out] sum:ratio averages lint:computes lint:method
mm                           [-,out,dtype_out,dtype] sum:last products lint:product
mv                           [-,out] sum:last products lint:product
nansum                       [-,out] sum:ratio products lint:computes
outer                        [-,out] lint:product
pairwise_distance            [-] magnitude:distance
pdist                        [-]
_pdist_forward               [-,out]
prod                         [-,dim_int,int_out,out] sum:ratio lint:computes lint:method
_safe_softmax                [-] sum:dimension magnitude:softmax
scatter_add                  [-,out] sum:added products lint:computes
scatter_add_                 [-] sum:added
scatter_reduce               [two,two_out] sum:added
scatter_reduce_              [two] sum:added
_slow_conv2d_forward         [-,output]
slow_conv3d_forward          [-,output]
slow_conv_dilated2d          [-,out]
slow_conv_dilated3d          [-,out]
slow_conv_transpose2d        [-,out]
slow_conv_transpose3d        [-,out]
_softmax                     [-,out] sum:dimension magnitude:softmax lint:computes
softmax                      [int,int_out] sum:dimension lint:computes lint:method
std                          [-,dim,correction,out,correction_out,correction_names,correction_names_out] sum:ratio magnitude:deviation lint:computes lint:method
std_mean                     [-,dim,correction,correction_names,correction_out] sum:ratio lint:computes
sum                          [dim_IntList,-,IntList_out,out] sum:ratio products lint:computes lint:method
tensordot                    [-,out] products lint:product
thnn_conv2d                  [-,out]
trace                        [-,out] sum:ratio products
_trilinear                   [-,out]
var                          [-,dim,correction,out,correction_out,correction_names,correction_names_out] sum:ratio magnitude:variance lint:computes lint:method
var_mean                     [-,dim,correction,correction_names,correction_out] sum:ratio lint:computes
vdot                         [-,out] sum:last products lint:product
)";

}  // namespace tritonsmith::aten
