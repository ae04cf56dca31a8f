#include <fmt/format.h>

#include "forge/emit/refused.h"
#include "forge/emit/scalar_code.h"
#include "forge/families/row_space.h"

namespace tritonsmith::forge {
namespace {

constexpr int64_t kLongest = 8192;  ///< elements that one program sorts at once
constexpr const char* kLast = "0x7FFFFFFFFFFFFFFF";

/// Which order, and how much of it.
struct Order {
    int axis = 0;
    bool descending = false;
    int64_t count = 0;  ///< of each row
};

std::optional<Order> order_of(const graph::Node& node) {
    if (const auto* sort = std::get_if<graph::Sort>(&node.kind))
        return Order{sort->axis, sort->descending, node.operands[0].shape()[static_cast<size_t>(sort->axis)]};
    if (const auto* top = std::get_if<graph::TopK>(&node.kind)) return Order{top->axis, top->largest, top->k};
    return std::nullopt;
}

}  // namespace

/// Rows in order, or the first of it: an element and its place make one integer, so that equal elements stay
/// in the order that they had.
std::optional<Written> write_sort(Context& context, int value) {
    const graph::Node& node = context.graph.maker(value);
    const std::optional<Order> order = order_of(node);
    if (!order) return std::nullopt;
    auto wanted = [&](int id) { return !context.users[static_cast<size_t>(id)].empty(); };
    const int first = wanted(node.results[0]) ? node.results[0] : node.results[1];
    if (value != first) return Written{{}, {}, {first}};  // written with it
    const RowSpace space(node.operands[0].shape(), {order->axis});
    const DType dtype = context.value(node.results[0]).dtype;
    const bool real = compute_dtype(dtype) == DType::f32;
    if (!real && dtype != DType::i32 && dtype != DType::i16 && dtype != DType::i8 && dtype != DType::u8 &&
        dtype != DType::b1)
        throw Refused("a sort of " + triton_name(dtype), node.op, node.line);
    Field field{space.extents(), {}};
    Reader reader(context, field);
    const int input = field.as(reader.operand(node.operands[0], space.at), real ? DType::f32 : DType::i32);

    Launch launch;
    Kernel& kernel = launch.kernel;
    kernel.name = kernel_name(context, value, reader.inlined);
    const int64_t width = next_power_of_2(space.cols);
    const bool loop = context.choices.get(kernel.name + ".loop", width > kLongest) != 0;
    if (loop && order->count > kLongest / 2)
        throw Refused(fmt::format("a sort of rows longer than {}", kLongest), node.op, node.line);
    const int64_t block = context.choices.get(
        kernel.name + ".block", loop ? std::max<int64_t>(next_power_of_2(order->count), 1024) : width);
    kernel.metas = {{"BLOCK", loop ? std::to_string(block)
                                   : "triton.next_power_of_2(" + size(context, space.cols) + ")"}};
    kernel.num_warps = static_cast<int>(context.choices.get(kernel.name + ".warps", block >= 2048 ? 8 : 4));
    for (const char* name :
         {"row", "col", "cols", "count", "inside", "begin", "element", "bits", "order", "packed", "best"})
        kernel.taken.insert(name);
    size_parameter(context, kernel, "cols", size(context, space.cols));
    const bool part = order->count != space.cols;
    if (part) size_parameter(context, kernel, "count", size(context, order->count));
    kernel.docstring = fmt::format("{}: one row for each program, {}; equal elements stay in order.",
                                   operator_list(context, value, reader.inlined),
                                   loop ? "BLOCK columns at a time" : "sorted in registers");
    kernel.grid = {size(context, space.rows)};
    const Space text{{{"row", "col"}, field.extents}, {"", "inside"}, true};
    FieldWriter writer(context, field, kernel);
    writer.plan({input});
    Lines& body = kernel.body;
    body.add("row = tl.program_id(0).to(tl.int64)");
    if (loop) {
        body.add(fmt::format("best = tl.full((BLOCK,), {}, tl.int64)", kLast));
        body.add("for begin in range(0, cols, BLOCK):");
        body.indent();
    }
    body.add(loop ? "col = begin + tl.arange(0, BLOCK)" : "col = tl.arange(0, BLOCK)");
    body.add("inside = col < cols");
    const std::string x = writer.named(input, text, "element").text;
    if (real) {
        body.add(
            "# Floats are in the order of their bits, negative ones the other way round; NaN is the "
            "greatest.");
        body.add(fmt::format("bits = tl.where({0} == 0.0, 0, {0}.to(tl.int32, bitcast=True))", x));
        body.add("order = tl.where(bits < 0, bits ^ 0x7FFFFFFF, bits)");
        body.add(fmt::format("order = tl.where({0} != {0}, 0x7FFFFFFF, order)", x));
    }
    const std::string key = real ? "order" : x;
    body.add(fmt::format("packed = (({}{}).to(tl.int64) << 32) | col", order->descending ? "~" : "", key));
    if (loop) {
        body.add(fmt::format("packed = tl.sort(tl.where(inside, packed, {}), descending=True)", kLast));
        body.add("best = tl.sort(tl.minimum(best, packed))  # the BLOCK least of both");
        body.dedent();
        body.add("col = tl.arange(0, BLOCK)");
    } else {
        body.add(fmt::format("best = tl.sort(tl.where(inside, packed, {}))", kLast));
    }
    if (part) body.add("inside = col < count");
    std::vector<Index> at = RowSpace(context.value(value).shape, {order->axis}).at;
    at[static_cast<size_t>(order->axis)] = Index::axis(1);  // lanes of a block, also where only one is kept
    for (size_t i = 0; i < 2; ++i) {
        const int result = node.results[i];
        if (!wanted(result)) continue;
        std::string stored = "best & 0xFFFFFFFF";
        if (i == 0) {
            body.add(fmt::format("order = {}(best >> 32).to(tl.int32)", order->descending ? "~" : ""));
            stored = real ? "tl.where(order < 0, order ^ 0x7FFFFFFF, order).to(tl.float32, bitcast=True)"
                          : "order";
        }
        context.stored.insert(result);
        launch.allocations.push_back(allocation(context, result));
        body.add(fmt::format("tl.store({} + {}, {}, mask=inside)", output_pointer(context, kernel, result),
                             writer.address(result, at, {}, text), stored));
    }
    return Written::by(std::move(launch), std::move(reader.inlined), std::move(reader.loaded));
}

}  // namespace tritonsmith::forge
