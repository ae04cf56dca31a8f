#pragma once

#include <cstdint>
#include <vector>

namespace tritonsmith::ttir {

/// Bytes [begin, end) of a buffer.
struct ByteRange {
    int64_t begin = 0, end = 0;
    bool operator==(const ByteRange&) const = default;
};

/// A set of bytes as disjoint ranges in rising order. Ranges may be added in any order; the set is put in
/// order when it is next asked.
class ByteRanges {
  public:
    void add(int64_t begin, int64_t end);
    void add(const ByteRanges& other);
    bool empty() const { return ranges_.empty(); }
    bool meets(const ByteRanges& other) const;
    bool contains(int64_t begin, int64_t end) const;
    const std::vector<ByteRange>& ranges() const;
    int64_t bytes() const;
    /// What of `all` is not among them.
    ByteRanges gaps(const ByteRange& all) const;

  private:
    mutable std::vector<ByteRange> ranges_;
    mutable bool ordered_ = true;
};

}  // namespace tritonsmith::ttir
