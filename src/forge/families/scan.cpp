#include <fmt/format.h>

#include <algorithm>

#include "forge/emit/refused.h"
#include "forge/emit/scalar_code.h"
#include "forge/families/row_space.h"

namespace tritonsmith::forge {

/// Running sums and products along an axis: a row for each program, a block of columns at a time, the total
/// of the blocks before carried along.
std::optional<Written> write_scan(Context& context, int value) {
    const graph::Node& node = context.graph.maker(value);
    const auto* kind = std::get_if<graph::Scan>(&node.kind);
    if (!kind) return std::nullopt;
    if (kind->kind != graph::ScanKind::sum && kind->kind != graph::ScanKind::prod)
        throw Refused("a running maximum, minimum or log-sum", node.op, node.line);
    const RowSpace space(node.operands[0].shape(), {kind->axis});
    Field field{space.extents(), {}};
    Reader reader(context, field);
    const DType dtype = context.value(value).dtype;
    const int input = field.as(reader.operand(node.operands[0], space.at), dtype);

    Launch launch{{allocation(context, value)}, {}};
    Kernel& kernel = launch.kernel;
    kernel.name = kernel_name(context, value, reader.inlined);
    const bool sum = kind->kind == graph::ScanKind::sum;
    const int64_t block = context.choices.get(kernel.name + ".block", std::min<int64_t>(next_power_of_2(space.cols), 1024));
    kernel.metas = {{"BLOCK", std::to_string(block)}};
    for (const char* name : {"row", "col", "cols", "inside", "begin", "carried", "running"}) kernel.taken.insert(name);
    size_parameter(context, kernel, "cols", context.numbers.open(space.cols));
    kernel.docstring = fmt::format("{}: one row for each program, BLOCK columns at a time; `carried` is the {} of those before.",
                                   operator_list(context, value, reader.inlined), sum ? "sum" : "product");
    kernel.grid = {context.numbers.open(space.rows)};
    const Space text{{{"row", "col"}, field.extents}, {"", "inside"}, true};
    FieldWriter writer(context, field, kernel);
    writer.plan({input});
    Lines& body = kernel.body;
    const std::string type = triton_name(field.dtype(input)), one = is_float(dtype) ? "1.0" : "1";
    body.add("row = tl.program_id(0).to(tl.int64)");
    body.add(sum ? fmt::format("carried = tl.zeros((), dtype={})", type) : fmt::format("carried = tl.full((), {}, dtype={})", one, type));
    body.add("for begin in range(0, cols, BLOCK):");
    body.indent();
    body.add("col = begin + tl.arange(0, BLOCK)");
    body.add("inside = col < cols");
    const std::string element = writer.write(input, text).text;
    const std::string masked = fmt::format("tl.where(inside, {}, {})", element, sum ? (is_float(dtype) ? "0.0" : "0") : one);
    body.add(sum ? fmt::format("running = carried + tl.cumsum({}, axis=0)", masked)
                 : fmt::format("running = carried * tl.cumprod({}, axis=0)", masked));
    const std::string at = index_code(ravel(space.at, space.shape), text.axes, context.numbers).in(Binding::sum);
    body.add(fmt::format("tl.store({} + {}, running, mask=inside)", output_pointer(context, kernel, value), at));
    body.add(sum ? fmt::format("carried += tl.sum({}, axis=0)", masked)
                 : fmt::format("carried *= tl.reduce({}, 0, multiply)", masked));
    body.dedent();
    return Written{{launch}, reader.inlined, reader.loaded};
}

}  // namespace tritonsmith::forge
