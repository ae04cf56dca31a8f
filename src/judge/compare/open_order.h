#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace tritonsmith::judge {

struct Expected;
struct ReferenceOutput;
using Exact = long double;

/// Places of elements in order (topk, sort, kthvalue …): of several equal elements any may come first. A
/// place is right if what lies there is as large as what the reference names, by the bounds of both, and no
/// other place of the same row says it.
class OpenOrder {
  public:
    /// Nothing where shapes do not fit. @param scores what was put in order, @param dimension of it, in which
    /// `places` elements of an output count
    static std::optional<OpenOrder> make(const ReferenceOutput& scores, const Expected& bounds,
                                         int64_t dimension, int64_t places);

    bool admits(size_t element, Exact named, Exact found) const;
    /// Elements that say what an earlier one of their row has said.
    std::vector<size_t> repeated(const std::function<Exact(size_t)>& found) const;
    /// Most places may be named where most elements are: nothing is asked.
    bool meaningless(const std::function<Exact(size_t)>& named) const;

  private:
    /// The score of a place in an element's row; nothing where it is none.
    std::optional<size_t> score_of(size_t element, Exact place) const;

    std::vector<double> values_, limits_;
    int64_t length_ = 0, inner_ = 1;  ///< of a row of scores, and how far apart its elements lie
    int64_t named_ = 1, rows_ = 0;    ///< places of a row that an output names
};

}  // namespace tritonsmith::judge
