#include "ttir/interp/simd/exec_kernels.h"

#include <cstdlib>
#include <map>
#include <string>
#include <utility>

namespace tritonsmith::ttir {
namespace {

const KernelSet& choose() {
#if defined(__x86_64__)
    const char* asked = std::getenv("TRITONSMITH_ISA");
    const std::string most = asked != nullptr ? asked : "avx512";
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    if (avx512 && most == "avx512") return isa_avx512::kernel_set();
    if (avx2 && most != "base") return isa_avx2::kernel_set();
#endif
    return isa_base::kernel_set();
}

template <class Fn, class Entry>
std::map<std::pair<std::string_view, Scalar>, Fn> index(const Entry* entries, int64_t count) {
    std::map<std::pair<std::string_view, Scalar>, Fn> table;
    for (int64_t i = 0; i < count; ++i) table[{entries[i].name, entries[i].type}] = entries[i].fn;
    return table;
}

}  // namespace

const KernelSet& kernels() {
    static const KernelSet& set = choose();
    return set;
}

KernelFn find_kernel(std::string_view name, Scalar type) {
    static const auto table = index<KernelFn>(kernels().entries, kernels().entry_count);
    const auto it = table.find({name, type});
    return it == table.end() ? nullptr : it->second;
}

CheckFn find_check(std::string_view name, Scalar type) {
    static const auto table = index<CheckFn>(kernels().checks, kernels().check_count);
    const auto it = table.find({name, type});
    return it == table.end() ? nullptr : it->second;
}

}  // namespace tritonsmith::ttir
