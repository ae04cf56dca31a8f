// The interpreter's inner loops, compiled for avx2 (flags in CMakeLists.txt).
#define ISA_NAMESPACE isa_avx2
#define ISA_NAME "avx2"
#include "ttir/interp/simd/exec_kernels_all.inc"
