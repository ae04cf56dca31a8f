#include <fmt/format.h>

#include "forge/families/common.h"

namespace tritonsmith::forge {

/// Many tensors one behind the other: each is copied to its place by a launch of its own, so that no kernel
/// has to tell where an element comes from.
std::optional<Written> write_concatenation(Context& context, int value) {
    const graph::Node& node = context.graph.maker(value);
    const auto* kind = std::get_if<graph::Concat>(&node.kind);
    if (!kind || node.operands.size() <= kMostInlinedParts) return std::nullopt;
    const std::vector<int64_t>& shape = context.value(value).shape;
    const auto axis = static_cast<size_t>(kind->axis);
    Written out;
    int64_t begin = 0;
    for (const graph::Operand& part : node.operands) {
        const int64_t total = graph::element_count(part.shape());
        Field field{{total, shape[axis]}, {}};
        Reader reader(context, field);
        std::vector<Index> at = unravel(Index::axis(0), part.shape(), field.extents);
        const int term = field.as(reader.operand(part, at), context.value(value).dtype);
        at[axis] = at[axis] + Index::axis(1);

        Launch launch;
        Kernel& kernel = launch.kernel;
        if (out.launches.empty()) launch.allocations = {allocation(context, value)};
        kernel.name = context.unique("place_part_kernel");
        kernel.docstring = "Copies a part of a concatenation to its place; each program BLOCK elements.";
        kernel.metas = {{"BLOCK", std::to_string(context.choices.get(kernel.name + ".block", 1024))}};
        for (const char* name : {"offset", "inside", "total", "start"}) kernel.taken.insert(name);
        size_parameter(context, kernel, "total", size(context, total));
        size_parameter(context, kernel, "start", size(context, begin));
        begin += part.shape()[axis];
        const bool wide = context.choices.get(kernel.name + ".wide",
                                              graph::element_count(shape) >= (int64_t{1} << 31)) != 0;
        kernel.body.add(fmt::format("offset = tl.program_id(0){} * BLOCK + tl.arange(0, BLOCK)",
                                    wide ? ".to(tl.int64)" : ""));
        kernel.body.add("inside = offset < total");
        FieldWriter writer(context, field, kernel);
        const Space space{{{"offset", "start"}, field.extents}, {"inside", ""}};
        writer.plan({term});
        const Code code = writer.write(term, space);
        kernel.body.add(fmt::format("tl.store({} + {}, {}, mask=inside)",
                                    output_pointer(context, kernel, value),
                                    writer.address(value, at, {}, space), code.text));
        kernel.grid = {fmt::format("triton.cdiv({}, {})", size(context, total), kernel.metas[0].value)};
        out.inlined.insert(reader.inlined.begin(), reader.inlined.end());
        out.loaded.insert(reader.loaded.begin(), reader.loaded.end());
        out.launches.push_back(std::move(launch));
    }
    return out;
}

}  // namespace tritonsmith::forge
