#include "aten/tables/tables.h"

namespace tritonsmith::aten {

// Normalisations, losses, attention, recurrent layers, embeddings.
const std::string_view kLayers = R"(
batch_norm                          [-] sum:channel lint:computes
batch_norm_elemt                    sum:channel negative
_batch_norm_no_update               [-,out] sum:channel
_batch_norm_with_update             [out,-] sum:channel
_batch_norm_with_update_functional  [-] sum:channel
binary_cross_entropy                [-,out] sum:ratio negative magnitude:entropy
binary_cross_entropy_with_logits    [-,out] sum:ratio negative
cosine_embedding_loss               [-]
cross_entropy_loss                  [-]
_ctc_loss                           [-,Tensor,out,Tensor_out] sum:ratio
ctc_loss                            [IntList,Tensor]
cudnn_batch_norm                    [-,out] sum:channel negative magnitude:norm equivalent
_cudnn_ctc_loss                     [-] sum:ratio equivalent
_cudnn_rnn                          sum:recurrent
_embedding_bag                      sum:ratio
frobenius_norm                      [dim,out] sum:ratio
_fused_rms_norm                     [-] sum:normalized_shape
group_norm                          [-] lint:computes
gru                                 [input,data] sum:recurrent dropout:input/5,data/6
gru_cell                            [-]
hinge_embedding_loss                [-]
huber_loss                          [-,out] sum:ratio magnitude:distance
instance_norm                       [-] lint:computes
kl_div                              [-] sum:ratio
l1_loss                             [-] sum:ratio magnitude:distance
layer_norm                          [-] sum:normalized_shape lint:computes
lstm                                [input,data] sum:recurrent dropout:input/5,data/6
lstm_cell                           [-]
margin_ranking_loss                 [-]
mkldnn_rnn_layer                    sum:recurrent
mse_loss                            [-,out] sum:ratio magnitude:distance
multi_margin_loss                   [-,out]
multilabel_margin_loss              [-,out]
multilabel_margin_loss_forward      [-,output]
native_batch_norm                   [-,out] sum:channel negative magnitude:norm
_native_batch_norm_legit            [-,no_stats,out,no_stats_out] sum:channel negative magnitude:norm
_native_batch_norm_legit_functional  [-] sum:channel
_native_batch_norm_legit_no_training  [-,out] sum:channel negative
native_dropout                      [-,out]
native_group_norm                   [-,out] sum:group negative magnitude:norm
native_layer_norm                   [-,out] sum:normalized_shape negative magnitude:norm lint:computes
native_norm                         [out,ScalarOpt_dim_dtype_out,-,ScalarOpt_dim_dtype]
nll_loss                            [-,out]
nll_loss2d                          [-,out]
nll_loss2d_forward                  [-,output] sum:samples negative
nll_loss_forward                    [-,output] sum:samples negative
nll_loss_nd                         [-]
norm                                [Scalar,ScalarOpt_dim,ScalarOpt_dim_dtype,dtype_out,out,ScalarOpt_dtype,ScalarOpt_dtype_out,Scalar_out] sum:ratio lint:computes lint:method
norm_except_dim                     [-]
poisson_nll_loss                    [-]
renorm                              [-,out] lint:computes
renorm_                             [-]
rms_norm                            [-] lint:computes
rnn_relu                            [input,data] sum:recurrent dropout:input/5,data/6
rnn_relu_cell                       [-]
rnn_tanh                            [input,data] sum:recurrent dropout:input/5,data/6
rnn_tanh_cell                       [-]
scaled_dot_product_attention        [-] sum:attention dropout:-/4 lint:product
_scaled_dot_product_attention_math  [-] sum:attention dropout:-/4
_scaled_dot_product_cudnn_attention  [-] sum:attention equivalent dropout:-/5
_scaled_dot_product_efficient_attention  [-] sum:attention equivalent dropout:-/5
_scaled_dot_product_flash_attention  [-,quantized] sum:attention equivalent dropout:-/3
_scaled_dot_product_flash_attention_for_cpu  [-] sum:attention equivalent dropout:-/3
smooth_l1_loss                      [-,out] sum:ratio magnitude:distance
soft_margin_loss                    [-,out]
_thnn_fused_gru_cell                [-,out] equivalent
_thnn_fused_lstm_cell               [-,out] equivalent
triplet_margin_loss                 [-]
_weight_norm                        [-]
_weight_norm_interface              [-,out]
)";

}  // namespace tritonsmith::aten
