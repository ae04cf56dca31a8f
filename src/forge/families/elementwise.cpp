#include <fmt/format.h>

#include "forge/families/flat.h"

namespace tritonsmith::forge {

/// Chains of pointwise operators: one element of the result for each lane, whatever its operands' layout.
std::optional<Written> write_elementwise(Context& context, int value) {
    const graph::Node& maker = context.graph.maker(value);
    if (!is_inlined(maker)) return std::nullopt;
    const graph::Value& out = context.value(value);
    Field field{{graph::element_count(out.shape)}, {}};
    Reader reader(context, field);
    const int result = reader.make(value, unravel(Index::axis(0), out.shape, field.extents));
    const std::string name = kernel_name(context, value, reader.inlined), variable = context.variable(value);
    Launch launch = flat_kernel(
        context, field, name,
        fmt::format("{}: each program computes BLOCK elements of the result.",
                    operator_list(context, value, reader.inlined)),
        variable + ".numel()", result, [&](Kernel& kernel, FieldWriter&, const Space&, const Code& code) {
            kernel.body.add(fmt::format("tl.store({} + offset, {}, mask=inside)",
                                        output_pointer(context, kernel, value), code.text));
        });
    launch.allocations = {allocation(context, value)};
    return Written::by(std::move(launch), std::move(reader.inlined), std::move(reader.loaded));
}

}  // namespace tritonsmith::forge
