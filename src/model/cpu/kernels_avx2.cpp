// The CPU's inner loops, compiled for avx2 (flags in CMakeLists.txt).
#define ISA_NAMESPACE isa_avx2
#define ISA_NAME "avx2"
#define TILE_ROWS 6
#define MANY_TILE_ROWS 6
#define TILE_OUTPUTS 1
#define SINGLE_OUTPUTS 4
#include "model/cpu/kernels_all.inc"
