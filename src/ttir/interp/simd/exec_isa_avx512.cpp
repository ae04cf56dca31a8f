// The interpreter's inner loops, compiled for avx512 (flags in CMakeLists.txt).
#define ISA_NAMESPACE isa_avx512
#define ISA_NAME "avx512"
#include "ttir/interp/simd/exec_kernels_all.inc"
