#pragma once

#include <functional>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace tritonsmith::forge {

using graph::DType;
using graph::Extents;
using graph::Guard;
using graph::Index;

/// One scalar quantity at each point of a kernel's index space, made from others before it.
struct Term {
    enum class Kind : uint8_t {
        load,      ///< element `at` of a tensor in memory, `fill` where a guard does not hold
        op,        ///< scalar operation on `args`
        constant,  ///< `number`
        index,     ///< `position`
        local,     ///< a variable of the kernel: an accumulator, the result of a reduction
        choose     ///< args[0] where all guards hold, else args[1]
    };
    Kind kind = Kind::constant;
    DType dtype = DType::f32;  ///< in which it is computed (compute_dtype)
    graph::ScalarOp op = graph::ScalarOp::constant;
    std::vector<int> args = {};
    graph::Number number = 0.0;  ///< of a constant; of a load what is read where it is masked
    Index position = {};
    int value = -1;  ///< of a load
    /// Where a load reads, one for each axis of the value; where `chosen` has a term (not -1), its value is
    /// added to that.
    std::vector<Index> at = {};
    std::vector<int> chosen = {};
    std::vector<Guard> guards = {};
    std::string name = {};  ///< of a local; a hint for others
};

/// What a kernel computes at each point of its index space. Equal terms are one.
struct Field {
    Extents extents;
    std::vector<Term> terms;
    int add(Term term);
    int constant(graph::Number number, DType dtype);
    int apply(graph::ScalarOp op, std::vector<int> args, DType dtype);
    int as(int term, DType dtype);
    int local(const std::string& name, DType dtype);
    DType dtype(int term) const { return terms[static_cast<size_t>(term)].dtype; }
    bool mentions(int term, int axis) const;
};

}  // namespace tritonsmith::forge
