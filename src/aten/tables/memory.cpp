#include "aten/tables/tables.h"

namespace tritonsmith::aten {

// Allocation, factories, constants written in place, views, copies, and draws of random numbers.
const std::string_view kMemory = R"(
T                                  view
alias                              [-] view
alias_copy                         [-,out] copy
arange                             [-,start,start_step,start_out,out] factory negative
as_strided                         [-] view
as_strided_                        [-] view
as_strided_copy                    [-,out] copy
bartlett_window                    [-,periodic,out,periodic_out] factory
bernoulli_                         draw
blackman_window                    [-,periodic,out,periodic_out] factory
cauchy_                            draw
chunk                              [-] view
clone                              [-,out] copy element:exact
contiguous                         [-] copy element:exact
copy                               [-,out] copy element:exact
copy_                              [-] copy keeps_integers
_cudnn_rnn_flatten_weight          copy
detach                             [-] view
detach_                            [-] view
detach_copy                        [-,out] copy
device                             view
diagonal                           [-] view
dim                                view
empty                              [memory_format,out] allocate
empty_like                         [-,out] allocate
empty_permuted                     [-,out] allocate
empty_strided                      [-,out] allocate
expand                             [-] view
expand_as                          [-] view
expand_copy                        [-,out] copy
exponential_                       draw
eye                                [-,m,out,m_out] factory
fill_                              [Scalar,Tensor] fill factors masks negative
flatten                            [using_ints,named_out_dim,using_names] view
full                               [-,out] factory factors masks negative
full_like                          [-,out] factory factors
_fw_primal                         view
geometric_                         draw
hamming_window                     [-,periodic,periodic_alpha,periodic_alpha_beta,out,periodic_out,periodic_alpha_out,periodic_alpha_beta_out] factory
hann_window                        [-,periodic,out,periodic_out] factory
_has_compatible_shallow_copy_type  view
hsplit                             [int,array] view
is_contiguous                      view
is_pinned                          view
is_same_size                       view
kaiser_window                      [-,periodic,beta,out,periodic_out,beta_out] factory
lift                               view
lift_fresh                         [-] view
lift_fresh_copy                    [-,out] copy
linspace                           [Tensor_Tensor,Tensor_Scalar,Scalar_Tensor,-,out,Tensor_Tensor_out,Tensor_Scalar_out,Scalar_Tensor_out] factory negative
log_normal_                        draw negative
logspace                           [Tensor_Tensor,Tensor_Scalar,Scalar_Tensor,-,out,Tensor_Tensor_out,Tensor_Scalar_out,Scalar_Tensor_out] factory
mH                                 [-] view
mT                                 [-] view
moveaxis                           [intlist,int] view
movedim                            [int,intlist] view
narrow                             [-,Tensor] view
new_empty                          [-,out] allocate
new_empty_strided                  [-,out] allocate
new_full                           [-,out] factory factors
new_ones                           [-,out] factory
new_zeros                          [-,out] factory
normal_                            draw negative
numel                              view
numpy_T                            view
ones                               [-,out] factory
ones_like                          [-,out] factory
permute                            [-] view
permute_copy                       [-,out] copy
_pin_memory                        copy
pin_memory                         copy
rand                               draw negative
rand_like                          draw
randint                            draw
randint_like                       draw
randn                              draw negative
randn_like                         draw
random_                            draw
randperm                           draw
range                              [step,-,out,out_] factory
ravel                              [-] view
real                               [-] view
record_stream                      view
requires_grad_                     view
reshape                            [-] view
_reshape_alias                     [-] view
resize_                            allocate
resolve_conj                       [-] copy
resolve_neg                        [-] copy
scalar_tensor                      [-,out] factory factors masks negative
select                             [int] view
select_copy                        [int,int_out] copy
size                               view
slice                              [Tensor] view
slice_copy                         [Tensor,Tensor_out] copy
split                              [Tensor,sizes] view
split_with_sizes                   [-] view
squeeze                            [-,dim,dims] view
squeeze_                           [-,dim,dims] view
squeeze_copy                       [-,dim,dims,out,dim_out,dims_out] copy
stride                             view
swapaxes                           [-] view
swapdims                           [-] view
sym_numel                          view
sym_size                           view
sym_storage_offset                 view
sym_stride                         view
t                                  [-] view
t_                                 [-] view
t_copy                             [-,out] copy
tensor_split                       [sections,indices,tensor_indices_or_sections] view
to                                 copy keeps_integers
_to_copy                           [-,out] copy scalar keeps_integers
transpose                          [int] view
transpose_                         [-] view
transpose_copy                     [int,int_out] copy
tril_indices                       [-,out] factory
triu_indices                       [-,out] factory
type_as                            [-] copy
unbind                             [int] view
unflatten                          [int] view
unfold                             [-] view
uniform_                           draw negative
unsafe_chunk                       [-] view
unsafe_split                       [Tensor] view
unsafe_split_with_sizes            [-] view
_unsafe_view                       [-,out] view
unsqueeze                          [-] view
unsqueeze_                         [-] view
unsqueeze_copy                     [-,out] copy
_version                           view
view                               [-,dtype] view
view_as                            [-] view
view_as_complex                    [-] view
view_as_real                       [-] view
view_copy                          [-,dtype,out,dtype_out] copy
vsplit                             [int,array] view
zero_                              [-] fill
zeros                              [-,out] factory
zeros_like                         [-,out] factory
)";

}  // namespace tritonsmith::aten
