#include "aten/tables/tables.h"

namespace tritonsmith::aten {

// What moves elements without arithmetic: joins, gathers, padding, masks, triangles.
const std::string_view kMoves = R"(
adjoint                 [-]
as_strided_scatter      [-,out] rearranges
atleast_1d              [-,Sequence]
atleast_2d              [-,Sequence]
atleast_3d              [-,Sequence]
block_diag              [-,out] rearranges
broadcast_tensors       [-]
broadcast_to            [-]
cartesian_prod          [-]
cat                     [-,out] rearranges
channel_shuffle         [-,out] rearranges
_chunk_cat              [-,out]
column_stack            [-,out]
combinations            [-]
concat                  [-,out] rearranges
_conj                   [-]
conj                    [-]
_conj_copy              [-,out]
_conj_physical          [-,out]
conj_physical           [-,out]
conj_physical_          [-]
constant_pad_nd         [-,out] rearranges
diag                    [-,out] exact
diag_embed              [-,out] exact
diagflat                [-]
diagonal_copy           [-,out]
diagonal_scatter        [-,out] rearranges
dsplit                  [int,array]
dstack                  [-,out]
embedding               [-,out] rearranges lint:computes
fill_diagonal_          [-]
flip                    [-,out] rearranges
fliplr                  [-]
flipud                  [-]
gather                  [-,out] rearranges lint:computes
hstack                  [-,out] rearranges
im2col                  [-,out] rearranges
imag                    [-]
index                   [Tensor,Tensor_out] rearranges
index_copy              [-,out] exact
index_copy_             [-]
index_fill              [int_Tensor,int_Scalar,int_Scalar_out,int_Tensor_out] exact
index_fill_             [int_Tensor,int_Scalar]
index_reduce            [-,out]
index_reduce_           [-]
index_select            [-,out] rearranges lint:computes
kron                    [-,out] lint:product
masked_fill             [Scalar,Tensor,Scalar_out,Tensor_out] exact factors masks negative lint:computes lint:method
masked_fill_            [Scalar,Tensor] factors masks negative lint:method
masked_scatter          [-,out] exact
masked_scatter_         [-]
masked_select           exact
meshgrid                [-,indexing]
narrow_copy             [-,out] rearranges
native_channel_shuffle  [-]
one_hot                 [-] exact
pad                     [-] rearranges
pad_sequence            [-]
pixel_shuffle           [-,out] rearranges
pixel_unshuffle         [-,out] rearranges
put                     [-,out]
put_                    [-]
reflection_pad1d        [-,out] rearranges
reflection_pad2d        [-,out] rearranges
reflection_pad3d        [-,out] rearranges
repeat                  [-,out] rearranges
repeat_interleave       [self_int] rearranges
replication_pad1d       [-,out] rearranges
replication_pad2d       [-,out] rearranges
replication_pad3d       [-,out] rearranges
_reshape_alias_copy     [-,out]
reshape_as              [-]
_reshape_copy           [-]
roll                    [-,out] rearranges
rot90                   [-,out] rearranges
row_stack               [-,out]
scatter                 [value,src,reduce,value_reduce,src_out,value_out,reduce_out,value_reduce_out] exact lint:computes
scatter_                [src,value,reduce,value_reduce]
select_scatter          [-,out] rearranges
slice_scatter           [-,out] rearranges
split_copy              [Tensor]
split_with_sizes_copy   [-]
_stack                  [-,out]
stack                   [-,out] rearranges
swapaxes_               [-]
swapdims_               [-]
take                    [-,out] rearranges
take_along_dim          [-,out] rearranges
tile                    [-] rearranges
tril                    [-,out] rearranges lint:computes
tril_                   [-]
triu                    [-,out] rearranges lint:computes
triu_                   [-]
unbind_copy             [int]
upsample_nearest1d      [-,vec,out] rearranges
upsample_nearest2d      [-,vec,out,vec_out] rearranges
upsample_nearest3d      [-,vec,out] rearranges
view_as_complex_copy    [-,out]
view_as_real_copy       [-,out]
vstack                  [-,out] rearranges
where                   [self,ScalarOther,ScalarSelf,Scalar,-,self_out] exact factors masks negative lint:computes
)";

}  // namespace tritonsmith::aten
