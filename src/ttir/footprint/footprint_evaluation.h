#pragma once

#include <array>
#include <map>
#include <vector>

#include "ttir/footprint/footprint.h"
#include "ttir/footprint/footprint_slice.h"

namespace tritonsmith::ttir {

/// Programs with from[d] ≤ id[d] < to[d].
struct ProgramBox {
    std::array<int64_t, 3> from, to;
};

/// The buffer that an argument points into, or null.
const Buffer* argument_buffer(const Argument& argument);

/// Works out a slice on ranges, for all programs of a box at once.
class FootprintEvaluation {
  public:
    FootprintEvaluation(const FootprintSlice& slice, const std::array<int64_t, 3>& grid,
                        const std::vector<Argument>& arguments);
    /// False where arguments are not what the parameters' types ask for.
    bool followed() const { return followed_; }
    Footprint::Bytes run(const ProgramBox& box);
    int64_t spent() const { return spent_; }  ///< operations looked at so far

  private:
    struct Box {  ///< a descriptor: bytes of the base, sizes and strides in elements
        LaneRange base;
        std::vector<LaneRange> shape, stride;
        int64_t bytes = 0;  ///< of an element
    };

    LaneRange& at(ValueId v) { return values_[static_cast<size_t>(v)]; }
    const Type& type(ValueId v) const { return slice_.function().values[static_cast<size_t>(v)]; }
    void set(ValueId v, LaneRange range);
    void bind(size_t parameter, const Argument& argument);
    void run(const std::vector<SliceNode>& nodes);
    void run(const SliceNode& node);
    LaneRange value_of(const SliceNode& node);
    LaneRange reshaped(const Operation& op);
    void loop(const SliceNode& node);
    void rounds(const SliceNode& node, int64_t lower, int64_t step, int64_t count);
    void any_round(const SliceNode& node, const LaneRange& counter, int64_t most);
    void choice(const SliceNode& node);
    void access(const SliceNode& node);
    void box_access(const SliceNode& node);
    void make_descriptor(const SliceNode& node);
    /// Bytes of lanes, of elements of `size` bytes. `shape` with the lanes of a window only.
    void note(const SliceNode& node, LaneRange offset, std::vector<int64_t> shape, int64_t size);
    void note_all(const SliceNode& node);
    void note_bytes(const SliceNode& node, const Buffer* buffer, int64_t begin, int64_t end);

    const FootprintSlice& slice_;
    std::array<int64_t, 3> grid_;
    std::vector<const Buffer*> buffers_;  ///< by parameter
    std::vector<LaneRange> values_, parameters_;
    std::map<ValueId, Box> boxes_;
    ProgramBox programs_{};
    Footprint::Bytes bytes_;
    bool followed_ = true;
    int quiet_ = 0;     ///< above zero: accesses are not noted
    int64_t work_ = 0;  ///< nodes that loops may still run round by round
    int64_t spent_ = 0;
};

}  // namespace tritonsmith::ttir
