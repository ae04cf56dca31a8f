#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// Inner loops of the interpreter over contiguous blocks. Each file exec_kernels_*.inc is compiled for three
/// instruction sets (exec_isa_*.cpp); kernels() picks the best that this machine runs. All are exact IEEE.

/// out[i] = f(in[0][i], in[1][i], ...) for i < n. `out` may be one of the inputs where element sizes agree.
using KernelFn = void (*)(std::byte* out, const std::byte* const* in, int64_t n);
/// Whether any of n lanes is bad (shift amounts, divisors, signed overflow).
using CheckFn = bool (*)(const std::byte* const* in, int64_t n);

struct KernelEntry {
    const char* name;  ///< operation without dialect, comparisons with predicate: "addi", "cmpi.slt"
    Scalar
        type;  ///< of the operands as the kernel sees them: i1 is a byte of 0 or 1, small floats come as f32
    KernelFn fn;
};
struct CheckEntry {
    const char* name;
    Scalar type;
    CheckFn fn;
};

/// C[m,n] += A[m,k]·B[k,n], all row major and contiguous.
template <class T>
using DotFn = void (*)(T* c, const T* a, const T* b, int64_t m, int64_t n, int64_t k);

struct KernelSet {
    const char* isa;
    const KernelEntry* entries;
    int64_t entry_count;
    const CheckEntry* checks;
    int64_t check_count;
    DotFn<float> dot_f32;
    DotFn<double> dot_f64;
    DotFn<int32_t> dot_i32;
    /// Leading lanes of p[0..n) with p[i] == p[0] + i*step; at least 1.
    int64_t (*run_length)(const uint64_t* p, int64_t n, uint64_t step);
    /// Leading lanes of m[0..n) equal to m[0]; at least 1.
    int64_t (*mask_run)(const uint8_t* m, int64_t n);
    /// Smallest and largest of n values; false where the top 16 bits differ between lanes.
    bool (*pointer_range)(const uint64_t* p, int64_t n, uint64_t* lowest, uint64_t* highest);
    /// out[i] = *(base + p[i] - origin), elements of 1, 2, 4 or 8 bytes.
    void (*gather)(std::byte* out, const uint64_t* p, const std::byte* base, uint64_t origin, int size,
                   int64_t n);
    /// Race words of one contiguous run: true where all n words allow the access, which is then noted. See
    /// races.h.
    bool (*note_read)(uint32_t* readers, const uint32_t* writers, int64_t n, uint32_t base, uint32_t plain,
                      uint32_t atomic);
    /// `again`: some word says that this program has written there before; then it is the caller who notes
    /// the write.
    bool (*note_write)(const uint32_t* readers, uint32_t* writers, int64_t n, uint32_t base, uint32_t plain,
                       uint32_t atomic, bool* again);
    /// Lane words of one contiguous run (lanes.h), `per` words for each element; `mine` is the first one's
    /// lane. False where another lane of the epoch has written there (or, for a write, read). A read is noted
    /// in any case, a write only where it is allowed.
    bool (*lanes_read)(uint64_t* readers, const uint64_t* writers, int64_t n, int64_t per, uint64_t mine);
    bool (*lanes_write)(const uint64_t* readers, uint64_t* writers, int64_t n, int64_t per, uint64_t mine);
};

/// The kernels for this machine. TRITONSMITH_ISA=base|avx2|avx512 in the environment lowers the choice
/// (tests).
const KernelSet& kernels();
/// Null where there is none.
KernelFn find_kernel(std::string_view name, Scalar type);
CheckFn find_check(std::string_view name, Scalar type);

namespace isa_base {
const KernelSet& kernel_set();
}
namespace isa_avx2 {
const KernelSet& kernel_set();
}
namespace isa_avx512 {
const KernelSet& kernel_set();
}

}  // namespace tritonsmith::ttir
