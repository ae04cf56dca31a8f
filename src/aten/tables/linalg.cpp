#include "aten/tables/tables.h"

namespace tritonsmith::aten {

// Linear algebra and Fourier transforms.
const std::string_view kLinalg = R"(
cholesky_inverse            [-,out]
cholesky_solve              [-,out]
_cholesky_solve_helper      [-,out]
det                         [-]
_fft_c2c                    [-,out] sum:all
_fft_c2r                    [-,out] sum:all
fft_fft                     [-,out]
fft_fft2                    [-,out]
fft_fftfreq                 [-,out]
fft_fftn                    [-,out]
fft_fftshift                [-]
fft_hfft                    [-,out]
fft_hfft2                   [-,out]
fft_hfftn                   [-,out]
fft_ifft                    [-,out]
fft_ifft2                   [-,out]
fft_ifftn                   [-,out]
fft_ifftshift               [-]
fft_ihfft                   [-,out]
fft_ihfft2                  [-,out]
fft_ihfftn                  [-,out]
fft_irfft                   [-,out]
fft_irfft2                  [-,out]
fft_irfftn                  [-,out]
_fft_r2c                    [-,out] sum:all
fft_rfft                    [-,out]
fft_rfft2                   [-,out]
fft_rfftfreq                [-,out]
fft_rfftn                   [-,out]
geqrf                       [-,a]
inverse                     [-,out]
linalg__powsum              [-] sum:last
linalg_cholesky             [-,out] sum:last
linalg_cholesky_ex          [-,L] sum:last
linalg_cross                [-,out] sum:last
linalg_diagonal             [-] sum:last
linalg_householder_product  [-,out] sum:last
linalg_inv                  [-,out] sum:last
linalg_inv_ex               [-,inverse] sum:last
linalg_ldl_factor           [-,out] sum:last
linalg_ldl_factor_ex        [-,out] sum:last
linalg_ldl_solve            [-,out] sum:last
linalg_lu                   [-,out] sum:last
linalg_lu_factor            [-,out] sum:last
linalg_lu_factor_ex         [-,out] sum:last
linalg_lu_solve             [-,out] sum:last
linalg_matmul               [-,out] sum:last
linalg_matrix_exp           [-,out] sum:last
linalg_matrix_norm          [-,str_ord,out,str_ord_out] sum:last
linalg_matrix_power         [-,out] sum:last
linalg_multi_dot            [-,out] sum:last
linalg_norm                 [-,ord_str,out,ord_str_out] sum:last
linalg_qr                   [-,out] sum:last
linalg_solve                [-,out] sum:last
linalg_solve_triangular     [-,out] sum:last
linalg_svdvals              [-,out] sum:last
linalg_tensorinv            [-,out] sum:last
linalg_tensorsolve          [-,out] sum:last
linalg_vander               [-] sum:last
linalg_vecdot               [-,out] sum:last
linalg_vector_norm          [-,out] sum:ratio
logdet                      [-]
lu_unpack                   [-,out]
matrix_H                    [-]
matrix_exp                  [-]
matrix_power                [-,out] lint:product
orgqr                       [-,out]
ormqr                       [-,out]
slogdet                     [-,out]
triangular_solve            [-,X]
)";

}  // namespace tritonsmith::aten
