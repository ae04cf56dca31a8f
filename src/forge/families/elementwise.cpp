#include <fmt/format.h>

#include "forge/families/common.h"

namespace tritonsmith::forge {

/// Chains of pointwise operators: one element of the result for each lane, whatever its operands' layout.
std::optional<Written> write_elementwise(Context& context, int value) {
    const graph::Node& maker = context.graph.maker(value);
    if (!is_inlined(maker)) return std::nullopt;
    const graph::Value& out = context.value(value);
    const int64_t total = graph::element_count(out.shape);
    Field field{{total}, {}};
    Reader reader(context, field);
    const int result = reader.make(value, unravel(Index::axis(0), out.shape, field.extents));

    Launch launch;
    Kernel& kernel = launch.kernel;
    kernel.name = kernel_name(context, value, reader.inlined);
    kernel.docstring = fmt::format("{}: each program computes BLOCK elements of the result.",
                                   operator_list(context, value, reader.inlined));
    kernel.metas = {{"BLOCK", std::to_string(context.choices.get(kernel.name + ".block", 1024))}};
    for (const char* name : {"offset", "inside", "total"}) kernel.taken.insert(name);
    const std::string& variable = context.variable(value);
    FieldWriter writer(context, field, kernel);
    const bool wide = context.choices.get(kernel.name + ".wide", total >= (int64_t{1} << 31)) != 0;
    kernel.body.add(fmt::format("offset = tl.program_id(0){} * BLOCK + tl.arange(0, BLOCK)", wide ? ".to(tl.int64)" : ""));
    kernel.body.add("inside = offset < total");
    const Space space{{{"offset"}, field.extents}, {"inside"}};
    writer.plan({result});
    const Code code = writer.write(result, space);
    kernel.body.add(fmt::format("tl.store({} + offset, {}, mask=inside)", output_pointer(context, kernel, value), code.text));
    size_parameter(context, kernel, "total", variable + ".numel()");
    kernel.grid = {fmt::format("triton.cdiv({}.numel(), {})", variable, kernel.metas[0].value)};
    launch.allocations = {allocation(context, value)};
    return Written{{launch}, reader.inlined, reader.loaded};
}

}  // namespace tritonsmith::forge
