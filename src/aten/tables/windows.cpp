#include "aten/tables/tables.h"

namespace tritonsmith::aten {

// Pools, resampling and windows.
const std::string_view kWindows = R"(
adaptive_avg_pool1d        [-,out] sum:ratio averages
_adaptive_avg_pool2d       [-,out] sum:ratio averages
adaptive_avg_pool2d        [-,out] averages
_adaptive_avg_pool3d       [-,out] sum:ratio averages
adaptive_avg_pool3d        [-,out] averages
adaptive_max_pool1d        [-] exact
adaptive_max_pool2d        [-,out] chooses
adaptive_max_pool3d        [-,out] chooses
avg_pool1d                 [-,out] sum:pool averages lint:computes
avg_pool2d                 [-,out] sum:pool averages
avg_pool3d                 [-,out] sum:pool averages
col2im                     [-,out]
fractional_max_pool2d      [-,output] chooses
fractional_max_pool3d      [-,output]
grid_sampler               [-]
grid_sampler_2d            [-,out] negative
grid_sampler_3d            [-,out]
max_pool1d                 [-] exact lint:computes
max_pool1d_with_indices    [-] chooses
max_pool2d                 [-] exact lint:computes
max_pool2d_with_indices    [-,out] chooses
max_pool3d                 [-] exact lint:computes
max_pool3d_with_indices    [-,out] chooses
max_unpool2d               [-,out]
max_unpool3d               [-,out]
unfold_copy                [-,out] exact
upsample_bicubic2d         [-,vec,out] negative
_upsample_bicubic2d_aa     [-,vec,out]
upsample_bilinear2d        [-,vec,out,vec_out]
_upsample_bilinear2d_aa    [-,vec,out]
upsample_linear1d          [-,vec,out]
_upsample_nearest_exact1d  [-,out,vec]
_upsample_nearest_exact2d  [-,out,vec]
_upsample_nearest_exact3d  [-,out,vec]
upsample_trilinear3d       [-,vec,out]
)";

}  // namespace tritonsmith::aten
