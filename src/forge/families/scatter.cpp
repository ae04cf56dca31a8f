#include <fmt/format.h>

#include "forge/emit/refused.h"
#include "forge/emit/scalar_code.h"
#include "forge/families/flat.h"

namespace tritonsmith::forge {
namespace {

using graph::ScatterKind;

/// What stores one update, by what Triton has for a type.
std::string writing(const graph::Node& node, ScatterKind kind, DType dtype) {
    if (kind == ScatterKind::assign) return "tl.store";
    const bool whole = dtype == DType::i32 || dtype == DType::i64;
    if (kind == ScatterKind::add && (whole || dtype == DType::f32)) return "tl.atomic_add";
    if (kind == ScatterKind::max && whole) return "tl.atomic_max";
    if (kind == ScatterKind::min && whole) return "tl.atomic_min";
    throw Refused("a scatter that no atomic operation does: of " + triton_name(dtype), node.op, node.line);
}

}  // namespace

/// A copy of what is scattered into, then a lane for each update, which finds its place by the index tensors.
std::optional<Written> write_scatter(Context& context, int value) {
    const graph::Node& node = context.graph.maker(value);
    const auto* kind = std::get_if<graph::Scatter>(&node.kind);
    if (!kind) return std::nullopt;
    if (!kind->include_self) throw Refused("a scatter that leaves out what was there", node.op, node.line);
    const graph::Value& out = context.value(value);
    const std::string how = writing(node, kind->kind, out.dtype), variable = context.variable(value);
    Written written;
    auto done = [&](const Reader& reader, Launch launch) {
        written.inlined.insert(reader.inlined.begin(), reader.inlined.end());
        written.loaded.insert(reader.loaded.begin(), reader.loaded.end());
        written.launches.push_back(std::move(launch));
    };
    {
        Field field{{graph::element_count(out.shape)}, {}};
        Reader reader(context, field);
        const int base = reader.operand(node.operands[0], unravel(Index::axis(0), out.shape, field.extents));
        Launch launch =
            flat_kernel(context, field, context.unique("base_kernel"),
                        "What is scattered into: each program copies BLOCK elements.", variable + ".numel()",
                        base, [&](Kernel& kernel, FieldWriter&, const Space&, const Code& code) {
                            kernel.body.add(fmt::format("tl.store({} + offset, {}, mask=inside)",
                                                        output_pointer(context, kernel, value), code.text));
                        });
        launch.allocations = {allocation(context, value)};
        done(reader, std::move(launch));
    }
    const graph::Operand& updates = node.operands[1];
    Field field{{graph::element_count(updates.shape())}, {}};
    Reader reader(context, field);
    const std::vector<Index> here = unravel(Index::axis(0), updates.shape(), field.extents);
    const int update = field.as(reader.operand(updates, here), out.dtype);
    std::vector<Index> at(out.shape.size());
    std::vector<int> chosen(out.shape.size(), -1);
    for (size_t d = 0; d < kind->places.size(); ++d) {
        const graph::Place& place = kind->places[d];
        if (place.operand < 0)
            at[d] = graph::substitute(place.at, here, field.extents);
        else
            chosen[d] = reader.position(node.operands[static_cast<size_t>(place.operand) + 2], here,
                                        kind->wrap, out.shape[d]);
    }
    const std::string name = kernel_name(context, value, reader.inlined);
    done(reader, flat_kernel(context, field, name,
                             fmt::format("{}: each program writes BLOCK updates to their places.",
                                         operator_list(context, value, reader.inlined)),
                             size(context, field.extents[0]), update,
                             [&](Kernel& kernel, FieldWriter& writer, const Space& space, const Code& code) {
                                 const std::string place = writer.address(value, at, chosen, space);
                                 kernel.body.add(fmt::format("{}({} + {}, {}, mask=inside)", how,
                                                             output_pointer(context, kernel, value), place,
                                                             code.text));
                             }));
    return written;
}

}  // namespace tritonsmith::forge
