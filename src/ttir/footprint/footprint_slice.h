#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ttir/analysis/lane_range.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// One operation of a slice: what it does with the ranges of values, resolved once so that many programs can
/// be looked at.
struct SliceNode {
    enum class Kind : uint8_t {
        program_id,
        num_programs,
        value,  ///< `constant`
        copy,   ///< of operand 0: splats, broadcasts, casts that change nothing
        expand,
        transpose,
        reshape,
        add_pointer,
        arithmetic,
        logical_and,
        compare,
        select,
        extend_sign_of_truth,
        access,
        make_descriptor,
        box_access,
        call,
        loop,
        choice,
        regions  ///< of anything else, with results that are not known
    };
    Kind kind = Kind::regions;
    const Operation* op = nullptr;
    const std::vector<int64_t>* shape = nullptr;  ///< of the result, or of an access's pointer
    LaneRange constant;
    IntegerOp integer = IntegerOp::other;
    Comparison comparison{};
    int64_t number = 0;  ///< axis, bytes of an element
    bool reads = false, writes = false;
    bool accesses = false;        ///< it, or what lies in its regions, touches memory
    std::vector<size_t> carried;  ///< loop, choice: results (by number) that are needed
    std::vector<ValueId> added;   ///< loop, for each carried: what the body adds to it; -1: something else
    std::vector<std::vector<SliceNode>> regions;
    int64_t size = 1;  ///< nodes in it
};

/// The operations of a kernel on which hang which bytes it touches through some of its parameters. Loads end
/// the slice: a value that comes from memory is not known.
class FootprintSlice {
  public:
    /// @param parameters bit i: accesses through parameter i are of interest
    FootprintSlice(const Module& module, uint64_t parameters);

    /// False where a kernel may touch memory in ways that are not followed: escaped pointers, pointers from
    /// memory, more than 64 parameters.
    bool followed() const { return followed_; }
    const Function& function() const { return *function_; }
    const std::vector<SliceNode>& nodes() const { return nodes_; }
    /// Parameters that a pointer or descriptor may come from.
    uint64_t roots(ValueId v) const { return roots_[static_cast<size_t>(v)]; }
    bool several_blocks() const { return several_blocks_; }

  private:
    void find_roots();
    bool flow(const Region& region);
    bool touches(const Operation& op) const;
    bool touches(const Region& region) const;
    bool mark(const Region& region);
    bool mark(const Operation& op);
    bool need(ValueId v);
    std::vector<SliceNode> build(const Region& region);
    bool build(const Operation& op, SliceNode& node);

    const Module& module_;
    const Function* function_ = nullptr;
    uint64_t parameters_;
    bool followed_ = true, several_blocks_ = false;
    std::vector<uint64_t> roots_;
    std::vector<bool> needed_;
    std::vector<bool> used_;  ///< by any operation
    std::vector<SliceNode> nodes_;
};

/// Bytes of an element of what a pointer, or a block of pointers, points to; 0 where that is no number.
int64_t pointee_bytes(const Type& type);

}  // namespace tritonsmith::ttir
