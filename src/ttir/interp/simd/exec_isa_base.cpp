// The interpreter's inner loops, compiled for any x86-64 or other machine (flags in CMakeLists.txt).
#define ISA_NAMESPACE isa_base
#define ISA_NAME "base"
#include "ttir/interp/simd/exec_kernels_all.inc"
