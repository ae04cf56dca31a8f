#include "ttir/ir/byte_ranges.h"

#include <algorithm>

namespace tritonsmith::ttir {

void ByteRanges::add(int64_t begin, int64_t end) {
    if (begin >= end) return;
    if (!ranges_.empty()) {
        ByteRange& last = ranges_.back();
        if (begin >= last.begin && begin <= last.end) {
            last.end = std::max(last.end, end);
            return;
        }
        ordered_ = ordered_ && begin > last.end;
    }
    ranges_.push_back({begin, end});
}

void ByteRanges::add(const ByteRanges& other) {
    for (const ByteRange& r : other.ranges()) add(r.begin, r.end);
}

const std::vector<ByteRange>& ByteRanges::ranges() const {
    if (ordered_) return ranges_;
    std::sort(ranges_.begin(), ranges_.end(),
              [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
    size_t kept = 0;
    for (size_t i = 1; i < ranges_.size(); i++)
        if (ranges_[i].begin <= ranges_[kept].end)
            ranges_[kept].end = std::max(ranges_[kept].end, ranges_[i].end);
        else
            ranges_[++kept] = ranges_[i];
    ranges_.resize(kept + 1);
    ordered_ = true;
    return ranges_;
}

bool ByteRanges::meets(const ByteRanges& other) const {
    const auto &mine = ranges(), &theirs = other.ranges();
    if (mine.empty() || theirs.empty()) return false;
    if (mine.size() > theirs.size()) return other.meets(*this);
    for (const ByteRange& r : mine) {
        // The first of theirs that ends behind the beginning of r.
        const auto at = std::upper_bound(theirs.begin(), theirs.end(), r.begin,
                                         [](int64_t begin, const ByteRange& t) { return begin < t.end; });
        if (at != theirs.end() && at->begin < r.end) return true;
    }
    return false;
}

bool ByteRanges::contains(int64_t begin, int64_t end) const {
    const auto& all = ranges();
    const auto at = std::upper_bound(all.begin(), all.end(), begin,
                                     [](int64_t b, const ByteRange& t) { return b < t.end; });
    return at != all.end() && at->begin <= begin && end <= at->end;
}

int64_t ByteRanges::bytes() const {
    int64_t n = 0;
    for (const ByteRange& r : ranges()) n += r.end - r.begin;
    return n;
}

ByteRanges ByteRanges::gaps(const ByteRange& all) const {
    ByteRanges out;
    int64_t at = all.begin;
    for (const ByteRange& range : ranges()) {
        if (range.end <= at) continue;
        if (range.begin >= all.end) break;
        if (range.begin > at) out.add(at, range.begin);
        at = range.end;
    }
    if (at < all.end) out.add(at, all.end);
    return out;
}

}  // namespace tritonsmith::ttir
