// The CPU's inner loops, compiled for avx2 (flags in CMakeLists.txt).
#define ISA_NAMESPACE isa_avx2
#define ISA_NAME "avx2"
#define TILE_ROWS 2
#define MANY_TILE_ROWS 2
#define TILE_OUTPUTS 2
#include "model/cpu/kernels_all.inc"
