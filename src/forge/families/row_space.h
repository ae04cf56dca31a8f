#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "forge/families/common.h"

namespace tritonsmith::forge {

/// The index space of kernels that reduce rows: axis 0 is the row (all kept axes, flattened), axis 1 runs
/// over the reduced ones, flattened.
struct RowSpace {
    std::vector<int64_t> shape;  ///< of what is reduced
    std::vector<int> axes;       ///< reduced
    int64_t rows = 1, cols = 1;
    std::vector<int64_t> kept;
    std::vector<Index> at;  ///< in `shape`, of a point of this space

    RowSpace(std::vector<int64_t> shape, std::vector<int> axes);
    Extents extents() const { return {rows, cols}; }
    bool same(const std::vector<int64_t>& other_shape, const std::vector<int>& other_axes) const {
        return shape == other_shape && axes == other_axes;
    }
    /// The innermost axis is kept: neighbours in memory lie in different rows.
    bool columns() const;
};

/// What leaves the other operand of a sum, prod, max or min as it is.
Code identity(graph::ReduceKind kind, DType dtype);

/// One reduction over axis 1 that Triton has: sum, prod, max, min of a term.
struct Primitive {
    graph::ReduceKind kind = graph::ReduceKind::sum;
    int input = -1;    ///< term
    int result = -1;   ///< term: a local
    std::string name;  ///< the local's
    int level = 0;     ///< 1 + the highest level among those that its input needs
    DType dtype = DType::f32;
    int extreme = -1;  ///< of the first place of an extreme: that primitive's result
};

/// Reduce nodes over a row space as primitives and arithmetic on their results.
class RowReductions {
  public:
    RowReductions(Context& context, const RowSpace& space, Field& field, Reader& reader, Kernel& kernel)
        : context_(context), space_(space), field_(field), reader_(reader), kernel_(kernel) {}

    /// The term of a Reduce node's result; nothing where the node is not of this space.
    std::optional<int> result(int value);
    std::vector<Primitive> primitives;
    int level_of(int term) const;

  private:
    int primitive(graph::ReduceKind kind, int input, const std::string& name);
    int count();
    int first_place(int input, int extreme);
    int reduce(const graph::Node& node, const graph::Reduce& kind, int input, DType dtype, int which,
               const std::string& name);

    Context& context_;
    const RowSpace& space_;
    Field& field_;
    Reader& reader_;
    Kernel& kernel_;
    std::map<int, int> done_;
};

}  // namespace tritonsmith::forge
