#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "graph/index.h"

namespace tritonsmith::graph {

/// A number of the program, in the form in which it was written.
using Number = std::variant<bool, int64_t, double>;

/// Holds where 0 ≤ at < extent.
struct Guard {
    Index at;
    int64_t extent = 0;
    bool end = false;  ///< `at` may reach the extent at other sizes, as that of a window with a stride
    bool operator==(const Guard&) const = default;
};

/// How a tensor of shape `shape` reads another one: its element i is base[index[0](i), index[1](i), …] where
/// all guards hold, and `fill` elsewhere. Views, transposes, slices, broadcasts, flips, rolls, repeats,
/// padding, windows.
struct IndexMap {
    std::vector<int64_t> shape;
    std::vector<Index> index;  ///< one for each axis of the base
    std::vector<Guard> guards = {};
    Number fill = int64_t{0};

    static IndexMap identity(std::vector<int64_t> shape);
    /// Nothing moved, nothing left out.
    bool is_identity(const std::vector<int64_t>& base) const;
    bool operator==(const IndexMap&) const = default;
};

/// The map that reads by `outer` what `inner` reads of its base. Nothing where both fill with different
/// numbers.
std::optional<IndexMap> compose(const IndexMap& outer, const IndexMap& inner);

/// PyTorch's form of a map: element i at offset + Σ stride[d]·i_d. Strides may be negative (flip) and 0
/// (expand).
struct Strided {
    std::vector<int64_t> stride;
    int64_t offset = 0;
};
std::vector<int64_t> row_major(const std::vector<int64_t>& shape);
int64_t element_count(const std::vector<int64_t>& shape);
/// The address expression of a map into a base with these strides, guards aside.
Index address(const IndexMap& map, const std::vector<int64_t>& base_stride);
/// That as strides, where it is affine and nothing is guarded.
std::optional<Strided> strided(const IndexMap& map, const std::vector<int64_t>& base_stride);
/// The map that reads by strides (not negative) in a dense base of `shape` and `base_stride` (any order of
/// axes; offsets relative to the base's first element). Nothing where the base is not dense or the view
/// leaves it.
std::optional<IndexMap> map_of(const std::vector<int64_t>& view_shape, const Strided& view,
                               const std::vector<int64_t>& shape, const std::vector<int64_t>& base_stride);

}  // namespace tritonsmith::graph
