#if defined(__x86_64__)
#include "model/cpu/amx.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace tritonsmith::model::isa_amx {

bool usable() {
    constexpr int request_permission = 0x1023, tile_data = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
    return ::syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

const CpuKernels& kernels() {
    static const CpuKernels set = [] {
        CpuKernels out = isa_avx512::kernels();
        out.isa = "amx";
        out.tiles_bf16 = &bf16_tiles();
        out.tiles_i8 = &int8_tiles();
        return out;
    }();
    return set;
}

}  // namespace tritonsmith::model::isa_amx

#endif
