#include "graph/index_map.h"

#include <algorithm>
#include <numeric>

namespace tritonsmith::graph {

std::vector<int64_t> row_major(const std::vector<int64_t>& shape) {
    std::vector<int64_t> stride(shape.size(), 1);
    for (size_t i = shape.size(); i-- > 1;) stride[i - 1] = stride[i] * std::max<int64_t>(shape[i], 1);
    return stride;
}

int64_t element_count(const std::vector<int64_t>& shape) {
    return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

IndexMap IndexMap::identity(std::vector<int64_t> shape) {
    IndexMap out;
    for (size_t i = 0; i < shape.size(); ++i)
        out.index.push_back(shape[i] == 1 ? Index(0) : Index::axis(static_cast<int>(i)));
    out.shape = std::move(shape);
    return out;
}

bool IndexMap::is_identity(const std::vector<int64_t>& base) const {
    if (!guards.empty() || shape != base || index.size() != base.size()) return false;
    for (size_t i = 0; i < base.size(); ++i)
        if (base[i] == 1 ? !(index[i].is_constant() && index[i].constant() == 0)
                         : index[i].plain_axis() != static_cast<int>(i))
            return false;
    return true;
}

std::optional<IndexMap> compose(const IndexMap& outer, const IndexMap& inner) {
    if (!outer.guards.empty() && !inner.guards.empty() && outer.fill != inner.fill) return std::nullopt;
    if (outer.is_identity(inner.shape)) return inner;
    IndexMap out{outer.shape, {}, {}, outer.guards.empty() ? inner.fill : outer.fill};
    std::vector<Index> axes;  // those of extent 1 are 0
    for (size_t i = 0; i < outer.shape.size(); ++i)
        axes.push_back(outer.shape[i] == 1 ? Index(0) : Index::axis(static_cast<int>(i)));
    auto keep = [&](Guard guard) {
        const Index::Range bounds = guard.at.range(outer.shape);
        const bool holds = bounds.low >= 0 && bounds.high < guard.extent && !guard.end;
        if (!holds && std::find(out.guards.begin(), out.guards.end(), guard) == out.guards.end())
            out.guards.push_back(std::move(guard));
    };
    std::vector<Index> through;
    for (const Index& at : outer.index) through.push_back(substitute(at, axes, outer.shape));
    for (const Index& at : inner.index) out.index.push_back(substitute(at, through, outer.shape));
    for (const Guard& guard : outer.guards)
        keep({substitute(guard.at, axes, outer.shape), guard.extent, guard.end});
    for (const Guard& guard : inner.guards)
        keep({substitute(guard.at, through, outer.shape), guard.extent, guard.end});
    return out;
}

Index address(const IndexMap& map, const std::vector<int64_t>& base_stride) {
    Index out;
    for (size_t i = 0; i < map.index.size(); ++i) out.add(map.index[i], base_stride[i]);
    return out;
}

std::optional<Strided> strided(const IndexMap& map, const std::vector<int64_t>& base_stride) {
    const Index at = address(map, base_stride);
    if (!map.guards.empty() || !at.affine()) return std::nullopt;
    Strided out{std::vector<int64_t>(map.shape.size(), 0), at.constant()};
    for (const Index::Term& term : at.terms()) out.stride[static_cast<size_t>(term.axis)] = term.coefficient;
    return out;
}

std::optional<IndexMap> map_of(const std::vector<int64_t>& view_shape, const Strided& view,
                               const std::vector<int64_t>& shape, const std::vector<int64_t>& base_stride) {
    IndexMap out{view_shape, std::vector<Index>(shape.size())};
    if (element_count(view_shape) == 0) return out;
    std::vector<size_t> axes;  // of the base, outermost in memory first
    for (size_t i = 0; i < shape.size(); ++i)
        if (shape[i] != 1) axes.push_back(i);
    std::stable_sort(axes.begin(), axes.end(),
                     [&](size_t a, size_t b) { return base_stride[a] > base_stride[b]; });
    int64_t inner = 1;  // the base's elements are all there is between its first and its last
    for (size_t i = axes.size(); i-- > 0; inner *= shape[axes[i]])
        if (base_stride[axes[i]] != inner) return std::nullopt;
    Index at = view.offset;
    for (size_t i = 0; i < view_shape.size(); ++i)
        if (view_shape[i] != 1) at.add(Index::axis(static_cast<int>(i)), view.stride[i]);
    const Index::Range bounds = at.range(view_shape);
    if (bounds.low < 0 || bounds.high >= inner) return std::nullopt;
    for (size_t axis : axes) {
        const Index whole = quotient(at, base_stride[axis], view_shape);
        out.index[axis] = axis == axes.front() ? whole : remainder(whole, shape[axis], view_shape);
    }
    return out;
}

}  // namespace tritonsmith::graph
