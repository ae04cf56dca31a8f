#include "judge/compare/count_error.h"

#include <algorithm>
#include <cmath>

namespace tritonsmith::judge {

namespace {

/// So many terms too many or too few, or what a formula makes of them, are still a wrong count.
constexpr double kTerms = 8;
/// That must be this share of a result at most: of means of fewer terms every error could be one of counting.
constexpr double kMostShare = 0.5;

}  // namespace

CountError count_error(const Expected& expected, const Elements& found, int64_t terms) {
    const Comparison comparison = compare(expected, found);
    if (!comparison.mismatch) return CountError::none;
    if (!expected.floating()) return CountError::other;
    const std::vector<double>& want = expected.oracle.values;
    if (found.values.size() != want.size()) return CountError::other;
    const double share = kTerms / static_cast<double>(terms);
    if (share > kMostShare) return CountError::other;
    for (size_t i = 0; i < want.size(); ++i) {
        if (!std::isfinite(want[i])) continue;
        const double most = std::max(share * std::max(std::abs(want[i]), expected.rms), allowed(expected, i));
        if (!(std::abs(found.values[i] - want[i]) <= most)) return CountError::other;
    }
    // The factor of the element that is furthest beyond its bound is known best.
    const size_t worst = comparison.mismatch->index;
    const double factor = found.values[worst] / want[worst];
    if (!(std::abs(factor - 1) <= share)) return CountError::of_order;
    for (size_t i = 0; i < want.size(); ++i)
        if (std::isfinite(want[i]) && std::abs(found.values[i] - factor * want[i]) > 2 * allowed(expected, i))
            return CountError::of_order;
    return CountError::factor;
}

}  // namespace tritonsmith::judge
