#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "forge/field/context.h"
#include "forge/field/field.h"

namespace tritonsmith::forge {

/// Follows a value back through the graph and writes what makes an element of it into a field: pointwise
/// nodes, concatenations and gathers are inlined, anything else is read from memory.
class Reader {
  public:
    Reader(Context& context, Field& field) : context_(context), field_(field) {}

    /// Asked about values that are neither in memory nor inlined: a term that the kernel has for the element
    /// at this place, or nothing.
    std::function<std::optional<int>(int value, const std::vector<Index>& at)> bound;

    /// Element `at` of what a node sees of an operand. Nothing of it is read where a guard does not hold.
    int operand(const graph::Operand& operand, const std::vector<Index>& at,
                const std::vector<Guard>& guards = {});
    /// Element `at` of a value.
    int value(int value, const std::vector<Index>& at, const std::vector<Guard>& guards = {});

    /// The same, computed again even where the value is in memory: what a kernel that writes it computes.
    int make(int value, const std::vector<Index>& at, const std::vector<Guard>& guards = {});

    /// A position along an axis of `size` that an operand holds, as i64. @param wrap negative ones count from
    /// the end
    int position(const graph::Operand& operand, const std::vector<Index>& at, bool wrap, int64_t size,
                 const std::vector<Guard>& guards = {});

    std::set<int> inlined;  ///< values of nodes that became part of the field
    std::set<int> loaded;   ///< values that are read from memory and that no leaf holds

  private:
    int load(int value, const std::vector<Index>& at, const std::vector<Guard>& guards,
             std::vector<int> chosen = {});
    int pointwise(const graph::Node& node, const graph::Pointwise& kind, const std::vector<Index>& at,
                  const std::vector<Guard>& guards);
    int operation(const graph::Scalar& step, const std::vector<int>& args);
    int concat(const graph::Node& node, const graph::Concat& kind, const std::vector<Index>& at,
               const std::vector<Guard>& guards);
    int gather(const graph::Node& node, const graph::Gather& kind, const std::vector<Index>& at,
               const std::vector<Guard>& guards);
    int under(const std::vector<Guard>& guards, int inside, graph::Number otherwise);

    Context& context_;
    Field& field_;
};

/// A concatenation of more parts is copied together by kernels of its own.
constexpr size_t kMostInlinedParts = 4;
/// Whether a node's result can be made where it is read.
bool is_inlined(const graph::Node& node);
/// The position in a tensor of `shape` of element number `flat` in row-major order.
std::vector<Index> unravel(const Index& flat, const std::vector<int64_t>& shape, const Extents& extents);
/// Σ at[d] · stride[d] of a row-major tensor.
Index ravel(const std::vector<Index>& at, const std::vector<int64_t>& shape);

}  // namespace tritonsmith::forge
