#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ttir/analysis/lane_range.h"
#include "ttir/footprint/footprint_evaluation.h"
#include "ttir/footprint/program_classes.h"

namespace tritonsmith::ttir {

/// Outcomes of the comparisons in a kernel that depend on program_id, for programs of a box.
class ProgramOutcomes {
  public:
    ProgramOutcomes(const Module& module, const std::array<int64_t, 3>& grid,
                    const std::vector<Argument>& arguments, const KnownMemory& memory);

    /// False: no comparison depends on the program.
    bool any() const { return comparisons_ > 0; }
    /// By comparison: '0' false and '1' true for all programs and lanes, 'x' neither. `one` where all are the
    /// same for every program of the box.
    struct Outcomes {
        std::string each;
        bool one = true;
    };
    Outcomes of(const ProgramBox& box);
    size_t nodes() const { return nodes_.size(); }

  private:
    struct Node {
        const Operation* op;
        enum class Kind : uint8_t {
            constant,
            range,
            program_id,
            num_programs,
            copy,
            extend,  ///< of a truth: its sign
            expand,
            add_pointer,
            integers,
            floats,
            to_float,
            to_integer,
            compare_integers,
            compare_floats,
            select,
            load,
            counter,  ///< of a loop, with its bounds
            other
        } kind = Kind::other;
        IntegerOp integer = IntegerOp::other;
        Comparison comparison{};
        int64_t number = 0;    ///< axis, start, bytes of an element
        bool outcome = false;  ///< depends on the program, and is a comparison
    };
    /// What is known of a value: an integer, a float, or a pointer's argument and byte offset.
    struct Value {
        LaneRange range;
        bool is_real = false;
        double real = 0;
        int argument = -1;
    };

    void find(const Region& region);
    void need(const Region& region);
    void build(const Region& region);
    Node node_of(const Operation& op) const;
    Value evaluate(const Node& node);
    Value integers(const Node& node);
    Value load(const Node& node);
    Value floats(const Node& node);
    bool compare_floats(const Node& node, Value& out);
    Value fitted(ValueId v, Value value) const;
    Value& at(ValueId v) { return values_[static_cast<size_t>(v)]; }
    const Type& type(ValueId v) const { return function_->values[static_cast<size_t>(v)]; }

    const Function* function_;
    std::array<int64_t, 3> grid_;
    const KnownMemory& memory_;
    std::vector<bool> depends_, needed_;
    std::vector<Node> nodes_;
    std::vector<Value> parameters_, values_;
    ProgramBox box_{};
    size_t comparisons_ = 0;
};

}  // namespace tritonsmith::ttir
