// The CPU's inner loops, compiled for base (flags in CMakeLists.txt).
#define ISA_NAMESPACE isa_base
#define ISA_NAME "base"
#define TILE_ROWS 2
#define MANY_TILE_ROWS 2
#define TILE_OUTPUTS 2
#include "model/cpu/kernels_all.inc"
