#include "forge/field/invert.h"

#include <algorithm>

#include "base/random.h"

namespace tritonsmith::forge {
namespace {

using graph::Index;

/// The divisors of `axis` where it is split by a quotient or a remainder.
void divisors(const Index& index, int axis, std::vector<int64_t>& out) {
    for (const Index::Term& term : index.terms()) {
        if (term.factor == Index::Factor::axis) continue;
        if (term.argument->plain_axis() == axis)
            out.push_back(term.divisor);
        else
            divisors(*term.argument, axis, out);
    }
}

}  // namespace

std::optional<std::vector<Index>> invert(const graph::IndexMap& view, const std::vector<int64_t>& base) {
    if (!view.guards.empty() || graph::element_count(view.shape) != graph::element_count(base))
        return std::nullopt;
    // Axes of the reader that the view splits become several.
    std::vector<int64_t> fine;
    std::vector<Index> coarse;  // each axis of the reader by the fine ones
    for (size_t d = 0; d < view.shape.size(); ++d) {
        std::vector<int64_t> cuts;
        for (const Index& index : view.index) divisors(index, static_cast<int>(d), cuts);
        cuts.push_back(view.shape[d]);
        std::sort(cuts.begin(), cuts.end());
        std::vector<int64_t> extents;  // innermost first
        int64_t inner = 1;
        for (const int64_t cut : cuts) {
            if (cut % inner != 0) return std::nullopt;
            if (cut / inner > 1) extents.push_back(cut / inner);
            inner = cut;
        }
        if (extents.empty()) extents.push_back(1);
        Index sum;
        int64_t stride = 1;
        const auto last = static_cast<int>(fine.size() + extents.size()) - 1;
        for (size_t i = 0; i < extents.size(); stride *= extents[i++])
            if (extents[i] > 1) sum = sum + Index::axis(last - static_cast<int>(i)) * stride;
        fine.insert(fine.end(), extents.rbegin(), extents.rend());
        coarse.push_back(sum);
    }
    graph::IndexMap refined{fine, {}};
    for (const Index& index : view.index) refined.index.push_back(graph::substitute(index, coarse, fine));
    const std::vector<int64_t> memory = graph::row_major(base);
    const std::optional<graph::Strided> strided = graph::strided(refined, memory);
    if (!strided || strided->offset != 0) return std::nullopt;
    const auto back = graph::map_of(base, {memory, 0}, fine, strided->stride);
    if (!back) return std::nullopt;
    std::vector<Index> out;
    for (const Index& index : coarse) out.push_back(graph::substitute(index, back->index, base));
    return out;
}

bool same_index(const Index& a, const Index& b, const graph::Extents& extents) {
    if (a == b) return true;
    Random random(1, 0);
    std::vector<int64_t> point(extents.size());
    for (int trial = 0; trial < 256; ++trial) {
        for (size_t d = 0; d < extents.size(); ++d) {
            const int64_t last = std::max<int64_t>(extents[d] - 1, 0);
            if (trial < 2) {  // the corners
                point[d] = trial * last;
                continue;
            }
            const int64_t kind = random.below(8);
            point[d] = kind == 0 ? 0 : kind == 1 ? last : random.below(last + 1);
        }
        if (a.at(point) != b.at(point)) return false;
    }
    return true;
}

bool same_indices(const std::vector<Index>& a, const std::vector<Index>& b, const graph::Extents& extents) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
        if (!same_index(a[i], b[i], extents)) return false;
    return true;
}

}  // namespace tritonsmith::forge
