#include "run/worker/aten/aten_allowlist.h"

#include <algorithm>
#include <unordered_set>

namespace tritonsmith::run {
namespace {

/// Operators with their overloads; "-" is the overload without a name.
constexpr std::string_view kTables[] = {
    R"(
__and__:Scalar,Tensor __iand__:Tensor,Scalar __ilshift__:Tensor,Scalar __ior__:Tensor,Scalar
__irshift__:Tensor,Scalar __ixor__:Tensor,Scalar __lshift__:Tensor,Scalar,Scalar_out,Tensor_out
__or__:Tensor,Scalar __rshift__:Tensor,Scalar,Scalar_out,Tensor_out __xor__:Tensor,Scalar
_adaptive_avg_pool2d:-,out _adaptive_avg_pool2d_backward:-,out _adaptive_avg_pool3d:-,out
_adaptive_avg_pool3d_backward:-,out _add_relu:Tensor,out,Scalar,Scalar_out _add_relu_:Tensor,Scalar
_addmm_activation:-,out _aminmax:-,dim,out,dim_out _batch_norm_no_update:-,out _batch_norm_with_update:out,-
_batch_norm_with_update_functional:- _cdist_backward:-,out _cdist_forward:-,out _cholesky_solve_helper:-,out
_chunk_cat:-,out _conj:- _conj_copy:-,out _conj_physical:-,out _conv_depthwise2d:out,-
_convolution:deprecated,-,out _convolution_mode:- _ctc_loss:-,Tensor,out,Tensor_out _cudnn_ctc_loss:-
_ctc_loss_backward:-,Tensor,out _euclidean_dist:-,out _fft_c2c:-,out _fft_c2r:-,out _fft_r2c:-,out
_fused_rms_norm:- _fused_rms_norm_backward:- _int_mm:-,out _is_all_true:- _is_any_true:- _log_softmax:-,out
_log_softmax_backward_data:-,out _logcumsumexp:-,out _masked_scale:out,- _masked_softmax:-,out
_masked_softmax_backward:-,out _native_batch_norm_legit:-,no_stats,out,no_stats_out
_native_batch_norm_legit_functional:- _native_batch_norm_legit_no_training:-,out _pdist_backward:-,out
_pdist_forward:-,out _prelu_kernel:- _prelu_kernel_backward:- _reshape_alias:- _reshape_alias_copy:-,out
_reshape_copy:- _safe_softmax:- _scaled_dot_product_attention_math:- _scaled_dot_product_cudnn_attention:-
_scaled_dot_product_cudnn_attention_backward:- _scaled_dot_product_efficient_attention:-
_scaled_dot_product_efficient_attention_backward:- _scaled_dot_product_flash_attention:-,quantized
_scaled_dot_product_flash_attention_backward:- _scaled_dot_product_flash_attention_for_cpu:-
_scaled_dot_product_flash_attention_for_cpu_backward:-
_slow_conv2d_backward:grad_input,output_mask,output_mask_out _slow_conv2d_forward:-,output _softmax:-,out
_softmax_backward_data:-,out _stack:-,out _thnn_fused_gru_cell:-,out _thnn_fused_lstm_cell:-,out
_to_copy:-,out _trilinear:-,out _unsafe_view:-,out _upsample_bicubic2d_aa:-,vec,out
_upsample_bicubic2d_aa_backward:-,grad_input _upsample_bilinear2d_aa:-,vec,out
_upsample_bilinear2d_aa_backward:-,grad_input _upsample_nearest_exact1d:-,out,vec
_upsample_nearest_exact1d_backward:-,grad_input _upsample_nearest_exact2d:-,out,vec
_upsample_nearest_exact2d_backward:-,grad_input _upsample_nearest_exact3d:-,out,vec
_upsample_nearest_exact3d_backward:-,grad_input _weight_norm:- _weight_norm_differentiable_backward:-
_weight_norm_interface:-,out _weight_norm_interface_backward:-,out abs:-,out abs_:- absolute:-,out
absolute_:- acos:-,out acos_:- acosh:-,out acosh_:- adaptive_avg_pool1d:-,out adaptive_avg_pool2d:-,out
adaptive_avg_pool3d:-,out adaptive_avg_pool3d_backward:grad_input adaptive_max_pool1d:-
adaptive_max_pool2d:-,out adaptive_max_pool2d_backward:-,grad_input adaptive_max_pool3d:-,out
adaptive_max_pool3d_backward:-,grad_input add:Tensor,Scalar,out,Scalar_out add_:Tensor,Scalar addbmm:-,out
addbmm_:- addcdiv:-,out addcdiv_:- addcmul:-,out addcmul_:- addmm:-,out,dtype_out,dtype addmm_:- addmv:-,out
addmv_:- addr:-,out addr_:- adjoint:- affine_grid_generator:-,out affine_grid_generator_backward:- alias:-
alias_copy:-,out all:-,dim,dims,out,dims_out,all_out amax:-,out amin:-,out aminmax:-,out angle:-,out
any:-,dim,dims,out,dims_out,all_out arange:-,start,start_step,start_out,out arccos:-,out arccos_:-
arccosh:-,out arccosh_:- arcsin:-,out arcsin_:- arcsinh:-,out arcsinh_:- arctan:-,out arctan2:-,out
arctan2_:- arctan_:- arctanh:-,out arctanh_:- argmax:-,out argmin:-,out argsort:-,stable,stable_out
as_strided:- as_strided_:- as_strided_copy:-,out as_strided_scatter:-,out asin:-,out asin_:- asinh:-,out
asinh_:- atan:-,out atan2:-,out atan2_:- atan_:- atanh:-,out atanh_:- atleast_1d:-,Sequence
atleast_2d:-,Sequence atleast_3d:-,Sequence avg_pool1d:-,out avg_pool2d:-,out
avg_pool2d_backward:-,grad_input avg_pool3d:-,out avg_pool3d_backward:-,grad_input
baddbmm:-,out,dtype_out,dtype baddbmm_:- bartlett_window:-,periodic,out,periodic_out batch_norm:- bilinear:- bincount:-
binary_cross_entropy:-,out binary_cross_entropy_backward:-,grad_input binary_cross_entropy_with_logits:-,out
bitwise_and:Tensor,Scalar,Scalar_Tensor,Tensor_out,Scalar_out,Scalar_Tensor_out bitwise_and_:Tensor,Scalar
bitwise_left_shift:Tensor,Tensor_Scalar,Scalar_Tensor,Tensor_out,Tensor_Scalar_out,Scalar_Tensor_out
bitwise_left_shift_:Tensor_Scalar,Tensor bitwise_not:-,out bitwise_not_:-
bitwise_or:Tensor,Scalar,Scalar_Tensor,Tensor_out,Scalar_out,Scalar_Tensor_out bitwise_or_:Tensor,Scalar
bitwise_right_shift:Tensor,Tensor_Scalar,Scalar_Tensor,Tensor_out,Tensor_Scalar_out,Scalar_Tensor_out
bitwise_right_shift_:Tensor_Scalar,Tensor
bitwise_xor:Tensor,Scalar,Scalar_Tensor,Tensor_out,Scalar_out,Scalar_Tensor_out bitwise_xor_:Tensor,Scalar
blackman_window:-,periodic,out,periodic_out block_diag:-,out bmm:-,out,dtype_out,dtype broadcast_tensors:-
broadcast_to:- bucketize:Tensor,Scalar,Tensor_out,Scalar_out cartesian_prod:- cat:-,out cdist:- ceil:-,out
ceil_:- celu:-,out celu_:- chalf:- channel_shuffle:-,out cholesky_inverse:-,out cholesky_solve:-,out chunk:-
clamp:-,Tensor,out,Tensor_out clamp_:-,Tensor clamp_max:-,Tensor,out,Tensor_out clamp_max_:-,Tensor
clamp_min:-,Tensor,out,Tensor_out clamp_min_:-,Tensor clip:-,Tensor,out,Tensor_out clip_:-,Tensor
clone:-,out col2im:-,out column_stack:-,out combinations:- complex:-,out concat:-,out concatenate:-,out
conj:- conj_physical:-,out conj_physical_:- constant_pad_nd:-,out contiguous:- conv1d:-,padding
conv2d:-,padding conv3d:-,padding conv_depthwise3d:out,- conv_tbc:-,out conv_transpose1d:-
)",
    R"(
conv_transpose2d:input conv_transpose3d:input convolution:-,out convolution_backward:-,out copy:-,out
copy_:- copysign:Tensor,Scalar,out,Scalar_out copysign_:Tensor,Scalar corrcoef:- cos:-,out cos_:- cosh:-,out
cosh_:- cosine_embedding_loss:- cosine_similarity:- count_nonzero:dim_IntList,dim_IntList_out,-,out cov:-
cross:-,out cross_entropy_loss:- ctc_loss:IntList,Tensor cudnn_batch_norm:-,out
cudnn_batch_norm_backward:-,out cudnn_convolution:-,out cudnn_convolution_add_relu:out,-
cudnn_convolution_relu:out,- cudnn_convolution_transpose:-,out cummax:-,out cummaxmin_backward:-
cummin:-,out cumprod:-,out cumprod_:- cumprod_backward:- cumsum:-,out cumsum_:- cumulative_trapezoid:x,dx
deg2rad:-,out deg2rad_:- det:- detach:- detach_:- detach_copy:-,out diag:-,out diag_embed:-,out diagflat:-
diagonal:- diagonal_backward:-,out diagonal_copy:-,out diagonal_scatter:-,out diff:-,out digamma:-,out
digamma_:- dist:-,out div:Tensor,Scalar,Tensor_mode,Scalar_mode,out,out_mode,Scalar_out,Scalar_mode_out
div_:Tensor,Tensor_mode,Scalar,Scalar_mode divide:Tensor,Scalar,Tensor_mode,Scalar_mode,out,out_mode
divide_:Tensor,Tensor_mode,Scalar_mode,Scalar dot:-,out dsplit:int,array dstack:-,out einsum:- elu:-,out
elu_:- elu_backward:-,grad_input embedding:-,out embedding_backward:- embedding_dense_backward:-,out
empty:memory_format,out empty_like:-,out empty_permuted:-,out empty_strided:-,out
eq:Tensor,Scalar,Scalar_out,Tensor_out eq_:Scalar,Tensor erf:-,out erf_:- erfc:-,out erfc_:- erfinv:-,out
erfinv_:- exp:-,out exp2:-,out exp2_:- exp_:- expand:- expand_as:- expand_copy:-,out expm1:-,out expm1_:-
eye:-,m,out,m_out fft_fft:-,out fft_fft2:-,out fft_fftfreq:-,out fft_fftn:-,out fft_fftshift:-
fft_hfft:-,out fft_hfft2:-,out fft_hfftn:-,out fft_ifft:-,out fft_ifft2:-,out fft_ifftn:-,out
fft_ifftshift:- fft_ihfft:-,out fft_ihfft2:-,out fft_ihfftn:-,out fft_irfft:-,out fft_irfft2:-,out
fft_irfftn:-,out fft_rfft:-,out fft_rfft2:-,out fft_rfftfreq:-,out fft_rfftn:-,out
fill:Scalar,Scalar_out,Tensor,Tensor_out fill_:Scalar,Tensor fill_diagonal_:- fix:-,out fix_:-
flatten:using_ints,named_out_dim,using_names flip:-,out fliplr:- flipud:-
float_power:Tensor_Tensor,Tensor_Scalar,Scalar,Tensor_Tensor_out,Scalar_out,Tensor_Scalar_out
float_power_:Tensor,Scalar floor:-,out floor_:- floor_divide:-,Scalar,out,Scalar_out
floor_divide_:Scalar,Tensor fmax:-,out fmin:-,out fmod:Tensor,Scalar,Tensor_out,Scalar_out
fmod_:Tensor,Scalar frac:-,out frac_:- fractional_max_pool2d:-,output
fractional_max_pool2d_backward:-,grad_input fractional_max_pool3d:-,output
fractional_max_pool3d_backward:-,grad_input frexp:Tensor,Tensor_out frobenius_norm:dim,out full:-,out
full_like:-,out gather:-,out gather_backward:- gcd:-,out gcd_:- ge:Tensor,Scalar,Scalar_out,Tensor_out
ge_:Scalar,Tensor gelu:-,out gelu_:- gelu_backward:-,grad_input geqrf:-,a ger:-,out glu:-,out
glu_backward:-,grad_input glu_backward_jvp:-,out glu_jvp:-,out
gradient:scalarint,scalararray,array,scalarrayint,scalarrayarray,tensorarrayint,tensorarray
greater:Tensor,Scalar,Scalar_out,Tensor_out greater_:Scalar,Tensor
greater_equal:Tensor,Scalar,Scalar_out,Tensor_out greater_equal_:Scalar,Tensor grid_sampler:-
grid_sampler_2d:-,out grid_sampler_2d_backward:-,out grid_sampler_3d:-,out grid_sampler_3d_backward:-,out
group_norm:- gru:input,data gru_cell:- gt:Tensor,Scalar,Scalar_out,Tensor_out gt_:Scalar,Tensor
hamming_window:-,periodic,periodic_alpha,periodic_alpha_beta,out,periodic_out,periodic_alpha_out,periodic_alpha_beta_out
hann_window:-,periodic,out,periodic_out hardshrink:-,out hardshrink_backward:-,grad_input hardsigmoid:-,out
hardsigmoid_:- hardsigmoid_backward:-,grad_input hardswish:-,out hardswish_:- hardswish_backward:-,out
hardtanh:-,out hardtanh_:- hardtanh_backward:-,grad_input heaviside:-,out heaviside_:-
hinge_embedding_loss:- histc:-,out histogram:bins_tensor,bins_tensor_out,bin_ct,bin_ct_out hsplit:int,array
hstack:-,out huber_loss:-,out huber_loss_backward:out,- hypot:-,out hypot_:- i0:-,out i0_:- igamma:-,out
igamma_:- igammac:-,out igammac_:- im2col:-,out imag:- index:Tensor,Tensor_out index_add:-,out index_add_:-
index_copy:-,out index_copy_:- index_fill:int_Tensor,int_Scalar,int_Scalar_out,int_Tensor_out
index_fill_:int_Tensor,int_Scalar index_put:-,out index_put_:- index_reduce:-,out index_reduce_:-
index_select:-,out index_select_backward:- inner:-,out instance_norm:- inverse:-,out isclose:- isfinite:-
isin:Tensor_Tensor,Tensor_Tensor_out,Tensor_Scalar,Tensor_Scalar_out,Scalar_Tensor,Scalar_Tensor_out
isinf:-,out isnan:-,out isneginf:-,out isposinf:-,out isreal:-
kaiser_window:-,periodic,beta,out,periodic_out,beta_out kl_div:- kron:-,out kthvalue:-,values l1_loss:-
layer_norm:- lcm:-,out lcm_:- ldexp:Tensor,out ldexp_:- le:Tensor,Scalar,Scalar_out,Tensor_out
le_:Scalar,Tensor leaky_relu:-,out leaky_relu_:- leaky_relu_backward:-,grad_input
lerp:Scalar,Tensor,Scalar_out,Tensor_out lerp_:Scalar,Tensor less:Tensor,Scalar,Scalar_out,Tensor_out
less_:Scalar,Tensor less_equal:Tensor,Scalar,Scalar_out,Tensor_out less_equal_:Scalar,Tensor lgamma:-,out
lgamma_:- lift_fresh:- lift_fresh_copy:-,out linalg__powsum:- linalg_cholesky:-,out linalg_cholesky_ex:-,L
linalg_cross:-,out linalg_diagonal:- linalg_householder_product:-,out linalg_inv:-,out
linalg_inv_ex:-,inverse linalg_ldl_factor:-,out linalg_ldl_factor_ex:-,out linalg_ldl_solve:-,out
linalg_lu:-,out linalg_lu_factor:-,out linalg_lu_factor_ex:-,out linalg_lu_solve:-,out linalg_matmul:-,out
linalg_matrix_exp:-,out linalg_matrix_norm:-,str_ord,out,str_ord_out linalg_matrix_power:-,out
linalg_multi_dot:-,out linalg_norm:-,ord_str,out,ord_str_out linalg_qr:-,out linalg_solve:-,out
linalg_solve_triangular:-,out linalg_svdvals:-,out linalg_tensorinv:-,out linalg_tensorsolve:-,out
)",
    R"(
linalg_vander:- linalg_vecdot:-,out linalg_vector_norm:-,out linear:-,out linear_backward:out,-
linspace:Tensor_Tensor,Tensor_Scalar,Scalar_Tensor,-,out,Tensor_Tensor_out,Tensor_Scalar_out,Scalar_Tensor_out
log:-,out log10:-,out log10_:- log1p:-,out log1p_:- log2:-,out log2_:- log_:- log_sigmoid:-,out
log_sigmoid_backward:-,grad_input log_sigmoid_forward:-,output log_softmax:int,int_out logaddexp:-,out
logaddexp2:-,out logcumsumexp:-,out logdet:- logical_and:-,out logical_and_:- logical_not:-,out
logical_not_:- logical_or:-,out logical_or_:- logical_xor:-,out logical_xor_:- logit:-,out logit_:-
logit_backward:-,grad_input
logspace:Tensor_Tensor,Tensor_Scalar,Scalar_Tensor,-,out,Tensor_Tensor_out,Tensor_Scalar_out,Scalar_Tensor_out
logsumexp:-,out lstm:input,data lstm_cell:- lt:Tensor,Scalar,Scalar_out,Tensor_out lt_:Scalar,Tensor
lu_unpack:-,out mH:- mT:- margin_ranking_loss:- masked_fill:Scalar,Tensor,Scalar_out,Tensor_out
masked_fill_:Scalar,Tensor masked_scatter:-,out masked_scatter_:- matmul:-,out matrix_H:- matrix_exp:-
matrix_exp_backward:- matrix_power:-,out max:other,-,dim,dim_max,unary_out,out max_pool1d:-
max_pool1d_with_indices:- max_pool2d:- max_pool2d_backward:out,- max_pool2d_with_indices:-,out
max_pool2d_with_indices_backward:-,grad_input max_pool3d:- max_pool3d_with_indices:-,out
max_pool3d_with_indices_backward:-,grad_input max_unpool2d:-,out max_unpool3d:-,out maximum:-,out
mean:-,dim,out,dtype_out median:-,dim,dim_values,out meshgrid:-,indexing
min:other,-,dim,dim_min,unary_out,out minimum:-,out mish:-,out mish_:- mish_backward:-
mm:-,out,dtype_out,dtype mode:-,values moveaxis:intlist,int movedim:int,intlist mse_loss:-,out
mse_loss_backward:-,grad_input msort:-,out mul:Tensor,Scalar,out,Scalar_out mul_:Tensor,Scalar
multi_margin_loss:-,out multi_margin_loss_backward:-,grad_input multilabel_margin_loss:-,out
multilabel_margin_loss_backward:-,grad_input multilabel_margin_loss_forward:-,output
multiply:Tensor,Scalar,out multiply_:Tensor,Scalar mv:-,out mvlgamma:-,out mvlgamma_:- nan_to_num:-,out
nan_to_num_:- nanmean:-,out nanmedian:-,dim,dim_values,out nanquantile:-,scalar,out,scalar_out nansum:-,out
narrow:-,Tensor narrow_copy:-,out native_batch_norm:-,out native_batch_norm_backward:-,out
native_channel_shuffle:- native_dropout:-,out native_dropout_backward:-,out native_group_norm:-,out
native_group_norm_backward:-,out native_layer_norm:-,out native_layer_norm_backward:-,out
native_norm:out,ScalarOpt_dim_dtype_out,-,ScalarOpt_dim_dtype ne:Tensor,Scalar,Scalar_out,Tensor_out
ne_:Scalar,Tensor neg:-,out neg_:- negative:-,out negative_:- new_empty:-,out new_empty_strided:-,out
new_full:-,out new_ones:-,out new_zeros:-,out nextafter:-,out nextafter_:- nll_loss:-,out nll_loss2d:-,out
nll_loss2d_backward:-,grad_input nll_loss2d_forward:-,output nll_loss_backward:-,grad_input
nll_loss_forward:-,output nll_loss_nd:-
norm:Scalar,ScalarOpt_dim,ScalarOpt_dim_dtype,dtype_out,out,ScalarOpt_dtype,ScalarOpt_dtype_out,Scalar_out
norm_except_dim:- not_equal:Tensor,Scalar,Scalar_out,Tensor_out not_equal_:Scalar,Tensor one_hot:-
ones:-,out ones_like:-,out orgqr:-,out ormqr:-,out outer:-,out pad:- pad_sequence:- pairwise_distance:-
pdist:- permute:- permute_copy:-,out pixel_shuffle:-,out pixel_unshuffle:-,out poisson_nll_loss:-
polar:-,out polygamma:-,out polygamma_:- positive:-
pow:Tensor_Tensor,Tensor_Scalar,Scalar,Scalar_out,Tensor_Scalar_out,Tensor_Tensor_out pow_:Scalar,Tensor
prelu:- prod:-,dim_int,int_out,out put:-,out put_:- quantile:-,scalar,out,scalar_out rad2deg:-,out
rad2deg_:- range:step,-,out,out_ ravel:- real:- reciprocal:-,out reciprocal_:- reflection_pad1d:-,out
reflection_pad1d_backward:-,grad_input reflection_pad2d:-,out reflection_pad2d_backward:-,grad_input
reflection_pad3d:-,out reflection_pad3d_backward:-,grad_input relu:-,out relu6:- relu6_:- relu_:-
remainder:Tensor,Scalar,Scalar_Tensor,Tensor_out,Scalar_out,Scalar_Tensor_out remainder_:Tensor,Scalar
renorm:-,out renorm_:- repeat:-,out repeat_interleave:self_int replication_pad1d:-,out
replication_pad1d_backward:-,grad_input replication_pad2d:-,out replication_pad2d_backward:-,grad_input
replication_pad3d:-,out replication_pad3d_backward:-,grad_input reshape:- reshape_as:- resolve_conj:-
resolve_neg:- rms_norm:- rnn_relu:input,data rnn_relu_cell:- rnn_tanh:input,data rnn_tanh_cell:- roll:-,out
rot90:-,out round:-,decimals,out,decimals_out round_:-,decimals row_stack:-,out rsqrt:-,out rsqrt_:-
rsub:Tensor,Scalar,Tensor_out,Scalar_out scalar_tensor:-,out scaled_dot_product_attention:-
scatter:value,src,reduce,value_reduce,src_out,value_out,reduce_out,value_reduce_out
scatter_:src,value,reduce,value_reduce scatter_add:-,out scatter_add_:- scatter_reduce:two,two_out
scatter_reduce_:two searchsorted:Tensor,Tensor_out,Scalar,Scalar_out select:int select_backward:-,out
select_copy:int,int_out select_scatter:-,out selu:- selu_:- sgn:-,out sgn_:- sigmoid:-,out sigmoid_:-
sigmoid_backward:-,grad_input sign:-,out sign_:- signbit:-,out silu:-,out silu_:- silu_backward:-,grad_input
sin:-,out sin_:- sinc:-,out sinc_:- sinh:-,out sinh_:- slice:Tensor slice_backward:-,out
slice_copy:Tensor,Tensor_out slice_scatter:-,out slogdet:-,out slow_conv3d_forward:-,output
slow_conv_dilated2d:-,out slow_conv_dilated3d:-,out slow_conv_transpose2d:-,out slow_conv_transpose3d:-,out
smooth_l1_loss:-,out smooth_l1_loss_backward:grad_input,- soft_margin_loss:-,out
soft_margin_loss_backward:-,grad_input softmax:int,int_out softplus:-,out softplus_backward:-,grad_input
softshrink:-,out softshrink_backward:-,grad_input sort:-,stable,values_stable,values special_airy_ai:-,out
special_bessel_j0:-,out special_bessel_j1:-,out special_bessel_y0:-,out special_bessel_y1:-,out
)",
    R"(
special_chebyshev_polynomial_t:-,out,x_scalar,x_scalar_out,n_scalar,n_scalar_out
special_chebyshev_polynomial_u:-,out,x_scalar,x_scalar_out,n_scalar,n_scalar_out
special_chebyshev_polynomial_v:-,out,x_scalar,x_scalar_out,n_scalar,n_scalar_out
special_chebyshev_polynomial_w:-,out,x_scalar,x_scalar_out,n_scalar,n_scalar_out special_digamma:-,out
special_entr:-,out special_erf:-,out special_erfc:-,out special_erfcx:-,out special_erfinv:-,out
special_exp2:-,out special_expit:-,out special_expm1:-,out special_gammainc:-,out special_gammaincc:-,out
special_gammaln:-,out special_hermite_polynomial_h:-,out,x_scalar,x_scalar_out,n_scalar,n_scalar_out
special_hermite_polynomial_he:-,out,x_scalar,x_scalar_out,n_scalar,n_scalar_out special_i0:-,out
special_i0e:-,out special_i1:-,out special_i1e:-,out
special_laguerre_polynomial_l:-,out,x_scalar,x_scalar_out,n_scalar,n_scalar_out
special_legendre_polynomial_p:-,out,x_scalar,x_scalar_out,n_scalar,n_scalar_out special_log1p:-,out
special_log_ndtr:-,out special_log_softmax:- special_logit:-,out special_logsumexp:-,out
special_modified_bessel_i0:-,out special_modified_bessel_i1:-,out special_modified_bessel_k0:-,out
special_modified_bessel_k1:-,out special_multigammaln:-,out special_ndtr:-,out special_ndtri:-,out
special_polygamma:-,out special_psi:-,out special_round:-,out special_scaled_modified_bessel_k0:-,out
special_scaled_modified_bessel_k1:-,out
special_shifted_chebyshev_polynomial_t:-,out,x_scalar,x_scalar_out,n_scalar,n_scalar_out
special_shifted_chebyshev_polynomial_u:-,out,x_scalar,x_scalar_out,n_scalar,n_scalar_out
special_shifted_chebyshev_polynomial_v:-,out,x_scalar,x_scalar_out,n_scalar,n_scalar_out
special_shifted_chebyshev_polynomial_w:-,out,x_scalar,x_scalar_out,n_scalar,n_scalar_out special_sinc:-,out
special_softmax:- special_spherical_bessel_j0:-,out
special_xlog1py:-,other_scalar,self_scalar,out,self_scalar_out,other_scalar_out
special_xlogy:-,other_scalar,self_scalar,out,self_scalar_out,other_scalar_out
special_zeta:-,other_scalar,self_scalar,out,self_scalar_out,other_scalar_out split:Tensor,sizes
split_copy:Tensor split_with_sizes:- split_with_sizes_copy:- sqrt:-,out sqrt_:- square:-,out square_:-
squeeze:-,dim,dims squeeze_:-,dim,dims squeeze_copy:-,dim,dims,out,dim_out,dims_out stack:-,out
std:-,dim,correction,out,correction_out,correction_names,correction_names_out
std_mean:-,dim,correction,correction_names,correction_out sub:Tensor,Scalar,out,Scalar_out
sub_:Tensor,Scalar subtract:Tensor,out,Scalar subtract_:Tensor,Scalar sum:dim_IntList,-,IntList_out,out
sum_to_size:- swapaxes:- swapaxes_:- swapdims:- swapdims_:- t:- t_:- t_copy:-,out take:-,out
take_along_dim:-,out tan:-,out tan_:- tanh:-,out tanh_:- tanh_backward:-,grad_input
tensor_split:sections,indices,tensor_indices_or_sections tensordot:-,out thnn_conv2d:-,out threshold:-,out
threshold_:- threshold_backward:-,grad_input tile:- topk:-,values trace:-,out trace_backward:- transpose:int
transpose_:- transpose_copy:int,int_out trapezoid:x,dx trapz:x,dx triangular_solve:-,X tril:-,out tril_:-
tril_indices:-,out triplet_margin_loss:- triu:-,out triu_:- triu_indices:-,out true_divide:Tensor,Scalar,out
true_divide_:Tensor,Scalar trunc:-,out trunc_:- type_as:- unbind:int unbind_copy:int unflatten:int unfold:-
unfold_backward:-,out unfold_copy:-,out unsafe_chunk:- unsafe_split:Tensor unsafe_split_with_sizes:-
unsqueeze:- unsqueeze_:- unsqueeze_copy:-,out upsample_bicubic2d:-,vec,out
upsample_bicubic2d_backward:-,grad_input upsample_bilinear2d:-,vec,out,vec_out
upsample_bilinear2d_backward:-,grad_input upsample_linear1d:-,vec,out
upsample_linear1d_backward:-,grad_input upsample_nearest1d:-,vec,out
upsample_nearest1d_backward:-,grad_input upsample_nearest2d:-,vec,out,vec_out
upsample_nearest2d_backward:-,grad_input upsample_nearest3d:-,vec,out
upsample_nearest3d_backward:-,grad_input upsample_trilinear3d:-,vec,out
upsample_trilinear3d_backward:-,grad_input value_selecting_reduction_backward:- vander:-
var:-,dim,correction,out,correction_out,correction_names,correction_names_out
var_mean:-,dim,correction,correction_names,correction_out vdot:-,out view:-,dtype view_as:-
view_as_complex:- view_as_complex_copy:-,out view_as_real:- view_as_real_copy:-,out
view_copy:-,dtype,out,dtype_out vsplit:int,array vstack:-,out
where:self,ScalarOther,ScalarSelf,Scalar,-,self_out
xlogy:Tensor,Scalar_Other,Scalar_Self,OutTensor,OutScalar_Self,OutScalar_Other xlogy_:Tensor,Scalar_Other
zero:-,out zero_:- zeros:-,out zeros_like:-,out
)",
};

std::unordered_set<std::string> parse_table() {
    std::unordered_set<std::string> names;
    for (std::string_view table : kTables) {
        for (size_t at = 0; at < table.size();) {
            size_t end = table.find_first_of(" \n", at);
            std::string_view word = table.substr(at, end - at);
            at = end == std::string_view::npos ? table.size() : end + 1;
            size_t colon = word.find(':');
            if (colon == std::string_view::npos) continue;
            std::string base = "aten::" + std::string(word.substr(0, colon));
            for (size_t i = colon + 1; i <= word.size();) {
                size_t comma = std::min(word.find(',', i), word.size());
                std::string_view overload = word.substr(i, comma - i);
                names.insert(overload == "-" ? base : base + "." + std::string(overload));
                i = comma + 1;
            }
        }
    }
    return names;
}

/// Position of the argument that makes an operator random where it is not zero.
struct Dropout {
    std::string_view op;
    size_t position;
    std::string_view name;
};
constexpr Dropout kDropout[] = {
    {"aten::lstm.input", 5, "dropout"},
    {"aten::lstm.data", 6, "dropout"},
    {"aten::gru.input", 5, "dropout"},
    {"aten::gru.data", 6, "dropout"},
    {"aten::rnn_tanh.input", 5, "dropout"},
    {"aten::rnn_tanh.data", 6, "dropout"},
    {"aten::rnn_relu.input", 5, "dropout"},
    {"aten::rnn_relu.data", 6, "dropout"},
    {"aten::scaled_dot_product_attention", 4, "dropout_p"},
    {"aten::_scaled_dot_product_attention_math", 4, "dropout_p"},
    {"aten::_scaled_dot_product_flash_attention_for_cpu", 3, "dropout_p"},
    {"aten::_scaled_dot_product_flash_attention", 3, "dropout_p"},
    {"aten::_scaled_dot_product_efficient_attention", 5, "dropout_p"},
    {"aten::_scaled_dot_product_cudnn_attention", 5, "dropout_p"},
};

}  // namespace

bool aten_allowed(std::string_view op) {
    static const std::unordered_set<std::string> names = parse_table();
    return names.contains(std::string(op));
}

std::string objection_to_arguments(const plan::AtenStep& step) {
    for (const Dropout& rule : kDropout) {
        if (step.op != rule.op) continue;
        const plan::Value* value = rule.position < step.args.size() ? &step.args[rule.position] : nullptr;
        for (const auto& [name, given] : step.kwargs)
            if (name == rule.name) value = &given;
        const double* probability = value ? std::get_if<double>(&value->v) : nullptr;
        const int64_t* whole = value ? std::get_if<int64_t>(&value->v) : nullptr;
        if ((probability && *probability != 0) || (whole && *whole != 0))
            return "draws random numbers (active dropout)";
    }
    return {};
}

}  // namespace tritonsmith::run
