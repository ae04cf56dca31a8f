#include "model/cpu_kernels.h"

#include <cstdlib>
#include <string>

namespace tritonsmith::model {
namespace {

const CpuKernels& choose() {
#if defined(__x86_64__)
    const char* wish = std::getenv("TRITONSMITH_ISA");
    const std::string most = wish != nullptr ? wish : "avx512";
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    if (avx512 && most == "avx512") return isa_avx512::kernels();
    if (avx2 && most != "base") return isa_avx2::kernels();
#endif
    return isa_base::kernels();
}

}  // namespace

const CpuKernels& cpu_kernels() {
    static const CpuKernels& set = choose();
    return set;
}

}  // namespace tritonsmith::model
