#include "judge/compare/open_order.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "judge/compare/compare.h"

namespace tritonsmith::judge {

std::optional<OpenOrder> OpenOrder::make(const ReferenceOutput& scores, const Expected& bounds,
                                         int64_t dimension, int64_t places) {
    const std::vector<int64_t>& shape = scores.oracle.shape;
    const auto d = static_cast<size_t>(dimension);
    if (dimension < 0 || d >= shape.size() || shape[d] <= 0) return std::nullopt;
    OpenOrder out;
    out.values_ = scores.oracle.values;
    out.length_ = shape[d];
    for (size_t i = d + 1; i < shape.size(); ++i) out.inner_ *= shape[i];
    out.rows_ = static_cast<int64_t>(out.values_.size()) / out.length_;
    if (out.rows_ <= 0 || places <= 0 || places % out.rows_ != 0) return std::nullopt;
    out.named_ = places / out.rows_;
    // What no rounding reaches is what every program puts in order.
    const auto same = [&](const Elements& run) { return run.values == scores.oracle.values; };
    const bool exact =
        same(scores.native) && std::all_of(scores.perturbed.begin(), scores.perturbed.end(), same);
    if (!exact && !bounds.floating()) return std::nullopt;
    out.limits_ = exact ? std::vector<double>(out.values_.size(), 0) : bounds.limits;
    return out;
}

std::optional<size_t> OpenOrder::score_of(size_t element, Exact place) const {
    if (!(place >= 0 && place < static_cast<Exact>(length_))) return std::nullopt;
    const auto e = static_cast<int64_t>(element), at = static_cast<int64_t>(place);
    return static_cast<size_t>((e / (inner_ * named_) * length_ + at) * inner_ + e % inner_);
}

bool OpenOrder::admits(size_t element, Exact named, Exact found) const {
    const std::optional<size_t> want = score_of(element, named), got = score_of(element, found);
    if (!want || !got || found != std::floor(found)) return false;
    const double a = values_[*want], b = values_[*got];
    return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= limits_[*want] + limits_[*got];
}

std::vector<size_t> OpenOrder::repeated(const std::function<Exact(size_t)>& found) const {
    std::vector<size_t> out;
    if (named_ == 1) return out;
    std::vector<std::pair<Exact, size_t>> row(static_cast<size_t>(named_));
    for (int64_t r = 0; r < rows_; ++r) {
        for (int64_t k = 0; k < named_; ++k) {
            const auto i = static_cast<size_t>((r / inner_ * named_ + k) * inner_ + r % inner_);
            row[static_cast<size_t>(k)] = {found(i), i};
        }
        std::sort(row.begin(), row.end());
        for (size_t k = 1; k < row.size(); ++k)
            if (row[k].first == row[k - 1].first) out.push_back(row[k].second);
    }
    return out;
}

bool OpenOrder::meaningless(const std::function<Exact(size_t)>& named) const {
    if (length_ == 1) return false;
    int64_t open = 0;
    std::vector<double> row(static_cast<size_t>(length_));
    for (int64_t r = 0; r < rows_; ++r) {
        const int64_t first = r / inner_ * length_ * inner_ + r % inner_;
        double limit = 0;
        for (int64_t j = 0; j < length_; ++j) {
            const auto at = static_cast<size_t>(first + j * inner_);
            row[static_cast<size_t>(j)] = values_[at];
            if (std::isfinite(limits_[at])) limit = std::max(limit, limits_[at]);
        }
        std::erase_if(row, [](double value) { return std::isnan(value); });
        std::sort(row.begin(), row.end());
        for (int64_t k = 0; k < named_; ++k) {
            const auto i = static_cast<size_t>((r / inner_ * named_ + k) * inner_ + r % inner_);
            const std::optional<size_t> best = score_of(i, named(i));
            if (!best || std::isnan(values_[*best])) continue;
            const auto begin = std::lower_bound(row.begin(), row.end(), values_[*best] - 2 * limit);
            const auto end = std::upper_bound(row.begin(), row.end(), values_[*best] + 2 * limit);
            open += 2 * (end - begin) > length_;
        }
        row.resize(static_cast<size_t>(length_));
    }
    return 2 * open > rows_ * named_;
}

}  // namespace tritonsmith::judge
