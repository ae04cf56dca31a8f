#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// Bytes of one element; i1 is a byte of 0 or 1, pointers are 8 bytes.
int element_size(Scalar type);
/// A value's element as it is stored: pointers as i64, `index` as i64.
Scalar stored_scalar(const Type& type);
bool is_float(Scalar type);
/// Floating types below 32 bits: kept in their bits, computed in float.
bool is_small_float(Scalar type);

/// How a block lies in memory. Only the dimensions in which a value varies are stored: a splat of any size is
/// one element, a row mask [M,1] broadcast to [M,N] is M elements. What is stored is contiguous, row major.
struct Layout {
    Scalar elem = Scalar::none;
    std::vector<int64_t> shape;
    uint64_t stored = 0;  ///< bit d: dimension d is stored (dimensions of size 1 never are)
    bool lanes = false;   ///< a scalar of a combine region, run for Context::lanes elements at once
    bool descriptor = false;

    int64_t count() const;  ///< stored elements
    int64_t bytes() const;
    uint64_t full() const;  ///< mask of all dimensions larger than 1
};

/// Reads a compactly stored value as the larger block that it stands for.
struct Expand {
    struct Level {
        int64_t size = 1,
                stride = 0;  ///< outermost first; strides in elements of the source, the last is 0 or 1
    };
    std::vector<Level> levels;
    int64_t total = 1;
    bool identity = true, scalar = false;

    Expand() = default;
    /// From stored dimensions `from` to stored dimensions `to`, a superset.
    Expand(const std::vector<int64_t>& shape, uint64_t from, uint64_t to);
    /// Any strides over dimensions of the source: transposition. `identity` where it is a plain copy.
    explicit Expand(std::vector<Level> raw);
    /// Elements [begin, begin + count) of the block, contiguous at `out`.
    void copy(std::byte* out, const std::byte* source, int size, int64_t begin, int64_t count) const;

  private:
    void collapse();
};

}  // namespace tritonsmith::ttir
