#pragma once

#include <cstdint>
#include <map>

#include "plan/analysis/flow.h"

namespace tritonsmith::plan {

/// Facts attached to bytes of buffers. `Fact{}` is "nothing known" and the default; `fact.join(other)` merges
/// facts of bytes that are read together (commutative, idempotent, Fact{} neutral).
template <typename Fact>
class RangeMap {
  public:
    /// Joined facts of a range.
    Fact get(const ByteRange& range) const {
        Fact fact{};
        auto found = buffers_.find(range.buffer);
        if (found == buffers_.end() || range.empty()) return fact;
        const Segments& segments = found->second;
        auto it = segments.upper_bound(range.begin);
        if (it != segments.begin()) --it;
        for (; it != segments.end() && it->first < range.end; ++it)
            if (it->second.end > range.begin) fact.join(it->second.fact);
        return fact;
    }

    /// Replaces the facts of every byte in the range.
    void set(const ByteRange& range, const Fact& fact) {
        if (range.empty()) return;
        Segments& segments = buffers_[range.buffer];
        cut(segments, range.begin);
        cut(segments, range.end);
        segments.erase(segments.lower_bound(range.begin), segments.lower_bound(range.end));
        segments.emplace(range.begin, Segment{range.end, fact});
    }

    /// Joins a fact to every byte in the range.
    void add(const ByteRange& range, const Fact& fact) {
        if (range.empty()) return;
        Segments& segments = buffers_[range.buffer];
        cut(segments, range.begin);
        cut(segments, range.end);
        int64_t at = range.begin;
        auto it = segments.lower_bound(at);
        while (at < range.end) {
            if (it == segments.end() || it->first >= range.end) {
                segments.emplace_hint(it, at, Segment{range.end, fact});
                break;
            }
            if (it->first > at) segments.emplace_hint(it, at, Segment{it->first, fact});
            it->second.fact.join(fact);
            at = it->second.end;
            ++it;
        }
    }

    /// A write: replaces where the write covers its range, else joins.
    void write(const ByteRange& range, const Fact& fact) {
        if (range.covers)
            set(range, fact);
        else
            add(range, fact);
    }

  private:
    struct Segment {
        int64_t end;
        Fact fact;
    };
    using Segments = std::map<int64_t, Segment>;  ///< by beginning; they do not overlap
    static void cut(Segments& segments, int64_t at) {
        auto it = segments.lower_bound(at);
        if (it == segments.begin()) return;
        --it;
        if (it->second.end <= at) return;
        segments.emplace(at, Segment{it->second.end, it->second.fact});
        it->second.end = at;
    }
    std::map<int, Segments> buffers_;
};

}  // namespace tritonsmith::plan
