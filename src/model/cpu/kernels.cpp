#include "model/cpu/kernels.h"

#include <cstdlib>
#include <string>

#if defined(__x86_64__)
#include <cpuid.h>

#include "model/cpu/amx.h"
#endif

namespace tritonsmith::model {
namespace {

#if defined(__x86_64__)
/// AMX with bfloat16 and int8, and AVX-512's conversions to bfloat16 and products of bytes.
bool has_amx() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
    const bool tiles =
        (d >> 22 & 1) != 0 && (d >> 24 & 1) != 0 && (d >> 25 & 1) != 0;  // AMX-BF16, -TILE, -INT8
    const bool bytes = (c >> 11 & 1) != 0;                               // AVX512_VNNI
    if (!__get_cpuid_count(7, 1, &a, &b, &c, &d)) return false;
    return tiles && bytes && (a >> 5 & 1) != 0 && isa_amx::usable();  // AVX512_BF16
}
#endif

const CpuKernels& choose() {
#if defined(__x86_64__)
    const char* limit = std::getenv("TRITONSMITH_ISA");
    const std::string most = limit != nullptr ? limit : "amx";
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    if (avx512 && most == "amx" && has_amx()) return isa_amx::kernels();
    if (avx512 && (most == "amx" || most == "avx512")) return isa_avx512::kernels();
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
