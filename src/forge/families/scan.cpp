#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "forge/emit/refused.h"
#include "forge/emit/scalar_code.h"
#include "forge/families/row_space.h"

namespace tritonsmith::forge {
namespace {

using graph::ScanKind;

/// What joins two parts of a row, the first one on the left.
struct Joining {
    const char* helper;  ///< a function of helpers.h
    const char* start;   ///< of a float; what leaves the other one as it is
};

Joining joining(ScanKind kind) {
    switch (kind) {
        case ScanKind::max:
            return {"later_maximum", "float(\"-inf\")"};
        case ScanKind::min:
            return {"later_minimum", "float(\"inf\")"};
        default:
            return {"log_add", "float(\"-inf\")"};
    }
}

/// Sums and products: Triton has scans of them, and the total of a block is a reduction.
void add_up(Lines& body, bool sum, const std::string& element, const std::string& zero,
            const std::function<void(const std::string&)>& store) {
    const std::string masked = fmt::format("tl.where(inside, {}, {})", element, zero);
    body.add(sum ? fmt::format("running = carried + tl.cumsum({}, axis=0)", masked)
                 : fmt::format("running = carried * tl.cumprod({}, axis=0)", masked));
    store("running");
    body.add(sum ? fmt::format("carried += tl.sum({}, axis=0)", masked)
                 : fmt::format("carried *= tl.reduce({}, 0, multiply)", masked));
}

}  // namespace

/// Running sums, products, extremes and log-sums along an axis: a row for each program, a block of columns at
/// a time, what the blocks before come to carried along.
std::optional<Written> write_scan(Context& context, int value) {
    const graph::Node& node = context.graph.maker(value);
    const auto* kind = std::get_if<graph::Scan>(&node.kind);
    if (!kind) return std::nullopt;
    if (value != node.results[0]) return Written{{}, {}, {node.results[0]}};  // written with it
    const bool sum = kind->kind == ScanKind::sum, simple = sum || kind->kind == ScanKind::prod;
    const bool extreme = kind->kind == ScanKind::max || kind->kind == ScanKind::min;
    const DType dtype = context.value(value).dtype;
    if (!simple && !is_float(dtype))
        throw Refused("a running extreme of " + triton_name(dtype), node.op, node.line);
    const RowSpace space(node.operands[0].shape(), {kind->axis});
    Field field{space.extents(), {}};
    Reader reader(context, field);
    const int input = field.as(reader.operand(node.operands[0], space.at), dtype);

    Launch launch{{allocation(context, value)}, {}};
    Kernel& kernel = launch.kernel;
    kernel.name = kernel_name(context, value, reader.inlined);
    const int64_t block =
        context.choices.get(kernel.name + ".block", std::min<int64_t>(next_power_of_2(space.cols), 1024));
    kernel.metas = {{"BLOCK", std::to_string(block)}};
    for (const char* name :
         {"row", "col", "cols", "inside", "begin", "carried", "carried_at", "running", "running_at", "last"})
        kernel.taken.insert(name);
    size_parameter(context, kernel, "cols", context.numbers.open(space.cols));
    kernel.docstring = fmt::format(
        "{}: one row for each program, BLOCK columns at a time; `carried` is what those before come to.",
        operator_list(context, value, reader.inlined));
    kernel.grid = {context.numbers.open(space.rows)};
    const Space text{{{"row", "col"}, field.extents, {"rows", "cols"}}, {"", "inside"}, true};
    FieldWriter writer(context, field, kernel);
    writer.plan({input});
    Lines& body = kernel.body;
    const std::string type = triton_name(field.dtype(input));
    const std::string start = sum      ? (is_float(dtype) ? "0.0" : "0")
                              : simple ? (is_float(dtype) ? "1.0" : "1")
                                       : joining(kind->kind).start;
    auto store = [&](int result, const std::string& what) {
        body.add(fmt::format("tl.store({} + {}, {}, mask=inside)", output_pointer(context, kernel, result),
                             writer.address(result, space.at, {}, text), what));
    };
    body.add("row = tl.program_id(0).to(tl.int64)");
    body.add(sum ? fmt::format("carried = tl.zeros((), dtype={})", type)
                 : fmt::format("carried = tl.full((), {}, dtype={})", start, type));
    if (extreme) body.add("carried_at = tl.zeros((), dtype=tl.int32)");
    body.add("for begin in range(0, cols, BLOCK):");
    body.indent();
    body.add("col = begin + tl.arange(0, BLOCK)");
    body.add("inside = col < cols");
    const std::string element = writer.write(input, text).text;
    if (simple) {
        add_up(body, sum, element, start, [&](const std::string& what) { store(value, what); });
    } else {
        const char* join = joining(kind->kind).helper;
        const std::string masked = fmt::format("tl.where(inside, {}, {})", element, start);
        if (extreme) {
            body.add(
                fmt::format("running, running_at = tl.associative_scan(({}, col), 0, {})", masked, join));
            body.add(fmt::format("running, running_at = {}(carried, carried_at, running, running_at)", join));
        } else {
            body.add(fmt::format("running = {0}(carried, tl.associative_scan({1}, 0, {0}))", join, masked));
        }
        store(value, "running");
        const int places = extreme ? node.results[1] : -1;
        if (extreme && !context.users[static_cast<size_t>(places)].empty()) {
            context.stored.insert(places);
            launch.allocations.push_back(allocation(context, places));
            store(places, "running_at");
        }
        body.add("last = col == tl.minimum(begin + BLOCK, cols) - 1");
        body.add("carried = tl.sum(tl.where(last, running, 0.0), axis=0)");
        if (extreme) body.add("carried_at = tl.sum(tl.where(last, running_at, 0), axis=0)");
    }
    body.dedent();
    return Written::by(std::move(launch), std::move(reader.inlined), std::move(reader.loaded));
}

}  // namespace tritonsmith::forge
