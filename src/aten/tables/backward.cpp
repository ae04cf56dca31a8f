#include "aten/tables/tables.h"

namespace tritonsmith::aten {

// Gradients, and derivatives along a direction.
const std::string_view kBackward = R"(
_adaptive_avg_pool2d_backward       [-,out] averages
_adaptive_avg_pool3d_backward       [-,out] averages
adaptive_avg_pool3d_backward        [grad_input] averages
adaptive_max_pool2d_backward        [-,grad_input]
adaptive_max_pool3d_backward        [-,grad_input]
affine_grid_generator_backward      [-]
avg_pool2d_backward                 [-,grad_input] sum:pool averages
avg_pool3d_backward                 [-,grad_input] sum:pool averages
binary_cross_entropy_backward       [-,grad_input]
_cdist_backward                     [-,out]
convolution_backward                [-,out] sum:window_of_inputs products
_ctc_loss_backward                  [-,Tensor,out]
cudnn_batch_norm_backward           [-,out] sum:channel equivalent
cummaxmin_backward                  [-]
cumprod_backward                    [-]
diagonal_backward                   [-,out]
elu_backward                        [-,grad_input]
embedding_backward                  [-]
embedding_dense_backward            [-,out]
fractional_max_pool2d_backward      [-,grad_input]
fractional_max_pool3d_backward      [-,grad_input]
_fused_rms_norm_backward            [-]
gather_backward                     [-]
gelu_backward                       [-,grad_input]
glu_backward                        [-,grad_input]
glu_backward_jvp                    [-,out]
glu_jvp                             [-,out]
grid_sampler_2d_backward            [-,out]
grid_sampler_3d_backward            [-,out]
hardshrink_backward                 [-,grad_input]
hardsigmoid_backward                [-,grad_input]
hardswish_backward                  [-,out]
hardtanh_backward                   [-,grad_input]
huber_loss_backward                 [out,-]
index_select_backward               [-]
leaky_relu_backward                 [-,grad_input]
linear_backward                     [out,-]
log_sigmoid_backward                [-,grad_input]
_log_softmax_backward_data          [-,out]
logit_backward                      [-,grad_input]
_masked_softmax_backward            [-,out]
matrix_exp_backward                 [-]
max_pool2d_backward                 [out,-]
max_pool2d_with_indices_backward    [-,grad_input]
max_pool3d_with_indices_backward    [-,grad_input]
mish_backward                       [-]
mse_loss_backward                   [-,grad_input]
multi_margin_loss_backward          [-,grad_input]
multilabel_margin_loss_backward     [-,grad_input]
native_batch_norm_backward          [-,out] sum:channel
native_dropout_backward             [-,out]
native_group_norm_backward          [-,out]
native_layer_norm_backward          [-,out]
nll_loss2d_backward                 [-,grad_input]
nll_loss_backward                   [-,grad_input]
_pdist_backward                     [-,out]
_prelu_kernel_backward              [-]
reflection_pad1d_backward           [-,grad_input]
reflection_pad2d_backward           [-,grad_input]
reflection_pad3d_backward           [-,grad_input]
replication_pad1d_backward          [-,grad_input]
replication_pad2d_backward          [-,grad_input]
replication_pad3d_backward          [-,grad_input]
_scaled_dot_product_cudnn_attention_backward  [-] sum:attention
_scaled_dot_product_efficient_attention_backward  [-] sum:attention
_scaled_dot_product_flash_attention_backward  [-] sum:attention
_scaled_dot_product_flash_attention_for_cpu_backward  [-] sum:attention
select_backward                     [-,out]
sigmoid_backward                    [-,grad_input]
silu_backward                       [-,grad_input]
slice_backward                      [-,out]
_slow_conv2d_backward               [grad_input,output_mask,output_mask_out]
smooth_l1_loss_backward             [grad_input,-]
soft_margin_loss_backward           [-,grad_input]
_softmax_backward_data              [-,out]
softplus_backward                   [-,grad_input]
softshrink_backward                 [-,grad_input]
tanh_backward                       [-,grad_input]
threshold_backward                  [-,grad_input]
trace_backward                      [-]
unfold_backward                     [-,out]
_upsample_bicubic2d_aa_backward     [-,grad_input]
upsample_bicubic2d_backward         [-,grad_input]
_upsample_bilinear2d_aa_backward    [-,grad_input]
upsample_bilinear2d_backward        [-,grad_input]
upsample_linear1d_backward          [-,grad_input]
upsample_nearest1d_backward         [-,grad_input]
upsample_nearest2d_backward         [-,grad_input]
upsample_nearest3d_backward         [-,grad_input]
_upsample_nearest_exact1d_backward  [-,grad_input]
_upsample_nearest_exact2d_backward  [-,grad_input]
_upsample_nearest_exact3d_backward  [-,grad_input]
upsample_trilinear3d_backward       [-,grad_input]
value_selecting_reduction_backward  [-]
_weight_norm_differentiable_backward  [-]
_weight_norm_interface_backward     [-,out]
)";

}  // namespace tritonsmith::aten
