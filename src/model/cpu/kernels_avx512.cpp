// The CPU's inner loops, compiled for avx512 (flags in CMakeLists.txt).
#define ISA_NAMESPACE isa_avx512
#define ISA_NAME "avx512"
#define TILE_ROWS 4
#define MANY_TILE_ROWS 6
#define TILE_OUTPUTS 4
#include "model/cpu/kernels_all.inc"
