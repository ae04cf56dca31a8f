#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ttir/analysis/lane_range.h"
#include "ttir/footprint/outcome_value.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// What an operation does with what is known of its operands.
enum class OutcomeKind : uint8_t {
    constant,
    range,
    program_id,
    num_programs,
    copy,
    extend_unsigned,
    extend_truth,  ///< its sign
    expand,
    add_pointer,
    integers,
    absolute,
    reals,
    to_real,
    to_integer,
    compare_integers,
    compare_reals,
    select,
    load,
    store,
    call,
    loop,
    while_loop,
    choice,
    other  ///< with results, and perhaps regions, of which nothing is known
};
/// What distinguishes programs by the result.
enum class Distinguishes : uint8_t {
    none,
    truth,  ///< of a comparison, or of several
    which,  ///< of a minimum or maximum: the first operand or the second
    zero    ///< whether it is
};

/// One operation of a kernel that some outcome depends on. Values are slots: those of a function that is
/// called lie behind those of its caller, once for each call.
struct OutcomeNode {
    OutcomeKind kind = OutcomeKind::other;
    Distinguishes distinguishes = Distinguishes::none;
    size_t number_of_outcome = 0;
    const Operation* op = nullptr;
    const Function* function = nullptr;
    std::vector<size_t> operands, results;  ///< slots
    IntegerOp integer = IntegerOp::other;
    RealOp real = RealOp::other;
    Comparison comparison{};
    std::string keyword;
    int64_t number = 0;  ///< axis, start, bytes of an element
    OutcomeValue constant{};
    struct Body {
        std::vector<OutcomeNode> nodes;
        std::vector<size_t> arguments, yields;  ///< slots
    };
    std::vector<Body> bodies;
    int64_t size = 1;  ///< nodes in it

    const Type& type() const { return function->values[static_cast<size_t>(op->results.front())]; }
    const Type& operand_type(size_t i) const {
        return function->values[static_cast<size_t>(op->operands[i])];
    }
};

/// The part of a kernel in which its programs may differ, or the rounds of a loop that stores: comparisons,
/// and integers made of bits, divisions and remainders, that derive from program_id or from the counter of
/// such a loop, with all that they are made of, and where the kernel stores.
struct OutcomeTree {
    OutcomeTree(const Module& module);

    std::vector<OutcomeNode> nodes;
    size_t slots = 0;
    size_t outcomes = 0;
    std::vector<bool> of_program;  ///< by outcome: derives from program_id; else from counters of loops alone
    /// Some outcome depends on bits or on what loops carry: for many programs at once nothing is known of it.
    bool elaborate = false;
    bool of_rounds = false;  ///< some outcome depends on counters of loops alone
};

}  // namespace tritonsmith::ttir
