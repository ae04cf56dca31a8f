#include "forge/module/draft.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "forge/emit/refused.h"
#include "forge/partition/composites.h"
#include "forge/partition/partition.h"
#include "plan/ir/json.h"

namespace tritonsmith::forge {
namespace {

/// All elements of a tensor that a kernel writes, in their order, in another shape: forward returns a view of
/// it.
bool is_reshaped_result(const graph::Graph& graph, const graph::Operand& operand) {
    const graph::Value& value = graph.values[static_cast<size_t>(operand.value)];
    if (graph::is_leaf(graph.maker(operand.value)) || operand.dtype != value.dtype ||
        !operand.view.guards.empty() ||
        graph::element_count(value.shape) != graph::element_count(operand.shape()))
        return false;
    const std::optional<graph::Strided> strided = graph::strided(operand.view, graph::row_major(value.shape));
    const std::vector<int64_t> wanted = graph::row_major(operand.shape());
    if (!strided || strided->offset != 0) return false;
    for (size_t d = 0; d < wanted.size(); ++d)
        if (operand.shape()[d] > 1 && strided->stride[d] != wanted[d]) return false;
    return true;
}

/// The axes of a tensor that a kernel writes in the order in which forward returns them, as a view: where the
/// task does so too. Nothing for other views.
std::optional<std::vector<size_t>> returned_order(const graph::Graph& graph, const graph::Output& output) {
    const graph::Operand& operand = output.operand;
    const graph::Value& value = graph.values[static_cast<size_t>(operand.value)];
    const size_t rank = value.shape.size();
    if (graph::is_leaf(graph.maker(operand.value)) || operand.dtype != value.dtype ||
        !operand.view.guards.empty() || operand.shape().size() != rank)
        return std::nullopt;
    const std::optional<graph::Strided> strided = graph::strided(operand.view, graph::row_major(value.shape));
    if (!strided || strided->offset != 0 || strided->stride != output.stride) return std::nullopt;
    std::vector<size_t> out(rank, rank);
    for (size_t axis = 0; axis < rank; ++axis) {
        const int seen = operand.view.index[axis].plain_axis();
        if (seen < 0 || out[static_cast<size_t>(seen)] < rank ||
            operand.shape()[static_cast<size_t>(seen)] != value.shape[axis])  // a part of it
            return std::nullopt;
        out[static_cast<size_t>(seen)] = axis;
    }
    return out;
}

/// ".transpose(1, 2)"
std::string permuted(const std::vector<size_t>& order) {
    std::vector<size_t> moved;
    for (size_t axis = 0; axis < order.size(); ++axis)
        if (order[axis] != axis) moved.push_back(axis);
    if (order.size() == 2) return ".t()";
    if (moved.size() == 2) return fmt::format(".transpose({}, {})", moved[0], moved[1]);
    return fmt::format(".permute({})", fmt::join(order, ", "));
}

/// What is returned or kept through a view becomes a tensor of its own.
void store_views(graph::Graph& graph) {
    auto store = [&](graph::Operand& operand, const graph::Output* returned) {
        const graph::Value& value = graph.values[static_cast<size_t>(operand.value)];
        if (operand.view.is_identity(value.shape) && operand.dtype == value.dtype) return;
        if (returned && (is_reshaped_result(graph, operand) || returned_order(graph, *returned))) return;
        graph::Node copy;
        graph::Pointwise kind;
        kind.body.operand(0, operand.dtype);
        copy.kind = kind;
        copy.operands = {operand};
        copy.line = graph.maker(operand.value).line;
        copy.op = "aten::copy";
        operand = graph.whole(graph.add(copy, {{operand.dtype, operand.shape()}}, value.name));
    };
    for (graph::Output& output : graph.outputs) store(output.operand, &output);
    for (graph::Update& update : graph.updates) store(update.now, nullptr);
}

/// What the call writes into a plain attribute that nothing reads is no part of what it computes; its size
/// may be one that the constructor knows only as a number of the task's own.
void drop_unread_attributes(graph::Graph& graph) {
    std::set<int> read;
    for (const graph::Node& node : graph.nodes)
        for (const graph::Operand& operand : node.operands) read.insert(operand.value);
    for (const graph::Output& output : graph.outputs) read.insert(output.operand.value);
    for (const graph::Update& update : graph.updates) read.insert(update.now.value);
    std::erase_if(graph.updates, [&](const graph::Update& update) {
        return std::holds_alternative<graph::Attribute>(graph.maker(update.leaf).kind) &&
               !read.contains(update.leaf);
    });
}

/// "self.blocks[0].weight" of the state's name "blocks.0.weight".
std::string state_expression(const std::string& name) {
    std::string out = "self", part;
    std::istringstream in(name);
    while (std::getline(in, part, '.'))
        out += part.find_first_not_of("0123456789") == std::string::npos ? "[" + part + "]" : "." + part;
    return out;
}

/// The attribute that a line of the constructor assigns.
std::string attribute_at(const std::string& source, int line) {
    std::istringstream in(source);
    std::string text;
    for (int i = 0; i < line; ++i) std::getline(in, text);
    const size_t at = text.find("self.");
    const size_t end = at == std::string::npos ? at : text.find_first_of(" =:", at);
    if (end == std::string::npos || text.find('=', end) == std::string::npos)
        throw Refused("a tensor that the constructor makes has no name", "", line);
    return text.substr(at, end - at);
}

class Drafter {
  public:
    Drafter(const graph::Graph& graph, const TaskText& task, const std::string& source, Choices& choices,
            std::map<std::string, graph::Number> given, bool relaxed)
        : graph_(graph), task_(task), source_(source), context_(graph_, draft_.numbers, choices, relaxed) {
        draft_.numbers.arguments = !given.empty();
        draft_.given = std::move(given);
    }

    Draft write() {
        for (const char* name : {"self", "torch", "nn", "F", "triton", "tl", "libdevice", "math", "multiply",
                                 "later_maximum", "later_minimum", "log_add"})
            context_.taken.insert(name);
        for (const std::string& name : task_.arguments) context_.taken.insert(name);
        name_leaves();
        name_outputs();
        draft_.launches = write_kernels(context_);
        for (const graph::Update& update : graph_.updates)
            draft_.updates.push_back(
                fmt::format("{}.copy_({})", expression(update.leaf), context_.variable(update.now.value)));
        size_t next = 0;
        draft_.returned = tree(graph_.form, next);
        const auto* top = std::get_if<plan::Sequence>(&graph_.form.v);
        if (top && top->tuple && top->items.size() > 1)
            draft_.returned = draft_.returned.substr(1, draft_.returned.size() - 2);
        estimate();
        number_variables();
        number_marks();
        return std::move(draft_);
    }

  private:
    std::string expression(int value) {
        for (const Leaf& leaf : draft_.leaves)
            if (leaf.value == value) return leaf.expression;
        return context_.variable(value);
    }

    void name_leaves() {
        for (const graph::Node& node : graph_.nodes) {
            if (!graph::is_leaf(node) || std::holds_alternative<graph::Constant>(node.kind)) continue;
            const int id = node.results[0];
            const graph::Value& value = context_.value(id);
            Leaf leaf{id, "", "", false, false, value.dtype, value.shape};
            std::vector<int64_t> stride;
            if (const auto* input = std::get_if<graph::Input>(&node.kind)) {
                if (input->position >= static_cast<int>(task_.arguments.size()))
                    throw Refused("forward takes its tensors as *args");
                const std::string& argument = task_.arguments[static_cast<size_t>(input->position)];
                leaf.expression = argument + input->path;
                leaf.input = true;
                leaf.variable = input->path.empty()
                                    ? argument
                                    : context_.unique(identifier(argument + "." + input->path));
                stride = input->stride;
            } else if (const auto* weight = std::get_if<graph::Weight>(&node.kind)) {
                leaf.expression = state_expression(weight->name);
                leaf.variable = context_.unique(identifier(weight->name));
                stride = weight->stride;
            } else {
                const auto& attribute = std::get<graph::Attribute>(node.kind);
                leaf.expression = attribute_at(source_, attribute.line);
                leaf.variable = context_.unique(identifier(leaf.expression.substr(5)));
                stride = attribute.stride;
            }
            leaf.copied = leaf.input || (!stride.empty() && !dense(value.shape, stride));
            context_.variables[id] = leaf.variable;
            draft_.leaves.push_back(std::move(leaf));
        }
    }

    static bool dense(const std::vector<int64_t>& shape, const std::vector<int64_t>& stride) {
        const std::vector<int64_t> wanted = graph::row_major(shape);
        for (size_t d = 0; d < shape.size(); ++d)
            if (shape[d] != 1 && stride[d] != wanted[d]) return false;
        return true;
    }

    /// Tensors of one name are numbered in the order in which forward makes them.
    void number_variables() {
        std::map<std::string, std::vector<std::string>> made;
        for (const Launch& launch : draft_.launches)
            for (const Allocation& allocation : launch.allocations)
                if (const auto found = context_.preferred_names.find(allocation.variable);
                    found != context_.preferred_names.end())
                    made[found->second].push_back(allocation.variable);
        std::map<std::string, std::string> names;
        for (const auto& [preferred, variables] : made) {
            std::vector<std::string> sorted = variables;
            std::sort(sorted.begin(), sorted.end(), [](const std::string& a, const std::string& b) {
                return std::pair(a.size(), a) < std::pair(b.size(), b);
            });
            for (size_t i = 0; i < variables.size(); ++i)
                if (variables[i] != sorted[i]) names[variables[i]] = sorted[i];
        }
        if (names.empty()) return;
        auto change = [&](std::string& text) { text = renamed(text, names); };
        for (Launch& launch : draft_.launches) {
            for (Allocation& allocation : launch.allocations) change(allocation.variable);
            for (Kernel::Pointer& pointer : launch.kernel.pointers) change(pointer.variable);
            for (Kernel::Meta& size : launch.kernel.sizes) change(size.value);
            for (Kernel::Meta& meta : launch.kernel.metas) change(meta.value);
            for (std::string& extent : launch.kernel.grid) change(extent);
            for (std::string& line : launch.before) change(line);
            for (std::string& line : launch.after) change(line);
            change(launch.call);
        }
        for (std::string& line : draft_.updates) change(line);
        change(draft_.returned);
    }

    /// A launch takes as long as the slowest of its memory, its products and its caches; few programs leave
    /// processors idle.
    void estimate() {
        constexpr double kLaunch = 4e-6, kMemory = 3e12, kCache = 1e13, kProcessors = 132;
        for (const Launch& launch : draft_.launches) {
            double bytes = 0;
            for (const Kernel::Pointer& pointer : launch.kernel.pointers)
                for (const auto& [id, variable] : context_.variables)
                    if (variable == pointer.variable)
                        bytes += static_cast<double>(graph::element_count(context_.value(id).shape)) *
                                 static_cast<double>(plan::element_size(context_.value(id).dtype));
            const Kernel& kernel = launch.kernel;
            const double busy = kernel.programs > 0 ? std::min(1.0, kernel.programs / kProcessors) : 1;
            const double seconds = std::max({bytes / kMemory, kernel.flops / kernel.flops_per_second / busy,
                                             kernel.traffic / kCache / busy});
            ++draft_.cost.launches;
            draft_.cost.bytes += bytes;
            draft_.cost.flops += kernel.flops;
            draft_.cost.milliseconds += (kLaunch + seconds) * 1e3;
        }
    }

    /// Marks in the order of the text: what was opened on the way and not written may differ by size.
    void number_marks() {
        Numbers used;
        auto change = [&](std::string& text) {
            if (!has_marks(text)) return;
            text = replace_marks(text, [&](int mark, bool) { return used.open_again(draft_.numbers, mark); });
        };
        for (Launch& launch : draft_.launches) {
            for (Allocation& allocation : launch.allocations)
                for (std::string& extent : allocation.shape) change(extent);
            launch.kernel.body.change(change);
            for (Kernel::Meta& size : launch.kernel.sizes) change(size.value);
            for (Kernel::Meta& meta : launch.kernel.metas) change(meta.value);
            for (std::string& extent : launch.kernel.grid) change(extent);
            change(launch.loop);
            change(launch.call);
        }
        change(draft_.returned);
        draft_.numbers = used;
    }

    void name_outputs() {
        for (const graph::Output& output : graph_.outputs) {
            const int id = output.operand.value;
            if (graph::is_leaf(graph_.maker(id)) || context_.variables.contains(id)) continue;
            const std::string name = identifier(context_.value(id).name);
            const bool usable = !context_.value(id).name.empty() && !context_.taken.contains(name);
            if (!usable && graph_.outputs.size() > 1) continue;  // by what makes it
            context_.variables[id] = context_.unique(usable ? name : "out");
        }
    }

    std::string output(const graph::Output& output) {
        const graph::Operand& operand = output.operand;
        const std::string whole = expression(operand.value);
        const std::vector<int64_t>& shape = context_.value(operand.value).shape;
        if (operand.view.is_identity(shape)) return whole;
        if (const auto order = returned_order(graph_, output)) return whole + permuted(*order);
        if (operand.shape() == shape) return whole;
        std::vector<std::string> sizes;
        for (const int64_t extent : operand.shape()) sizes.push_back(draft_.numbers.open(extent));
        return fmt::format("{}.view({})", whole,
                           sizes.empty() ? "()" : fmt::format("{}", fmt::join(sizes, ", ")));
    }

    std::string tree(const plan::Value& value, size_t& next) {
        if (std::holds_alternative<plan::Tensor>(value.v)) return output(graph_.outputs.at(next++));
        if (const auto* sequence = std::get_if<plan::Sequence>(&value.v)) {
            std::vector<std::string> items;
            for (const plan::Value& item : sequence->items) items.push_back(tree(item, next));
            const std::string inner = fmt::format("{}", fmt::join(items, ", "));
            if (sequence->tuple)
                return items.size() == 1 ? "(" + inner + ",)" : inner.empty() ? "()" : "(" + inner + ")";
            return "[" + inner + "]";
        }
        if (const auto* dict = std::get_if<plan::Dict>(&value.v)) {
            std::vector<std::string> items;
            for (const auto& [key, item] : dict->items)
                items.push_back(fmt::format("\"{}\": {}", key, tree(item, next)));
            return fmt::format("{{{}}}", fmt::join(items, ", "));
        }
        if (std::holds_alternative<std::monostate>(value.v)) return "None";
        if (const auto* flag = std::get_if<bool>(&value.v)) return *flag ? "True" : "False";
        if (const auto* number = std::get_if<int64_t>(&value.v)) return std::to_string(*number);
        if (const auto* number = std::get_if<double>(&value.v)) return graph::text(graph::Number(*number));
        throw Refused("forward returns something that is neither a tensor nor a number");
    }

    const graph::Graph& graph_;
    const TaskText& task_;
    const std::string& source_;
    Draft draft_;
    Context context_;
};

}  // namespace

Draft write_draft(const graph::Graph& original, const TaskText& task, const std::string& source,
                  Choices& choices, std::map<std::string, graph::Number> given, bool relaxed) {
    graph::Graph graph = simplified(original, choices, relaxed);
    drop_unread_attributes(graph);
    store_views(graph);
    graph::drop_unused(graph);
    Draft out = Drafter(graph, task, source, choices, std::move(given), relaxed).write();
    for (const graph::Node& node : original.nodes) {
        const auto* convolution = std::get_if<graph::Convolution>(&node.kind);
        if (!convolution || !convolution->transposed) continue;
        const auto* weight = std::get_if<graph::Weight>(&original.maker(node.operands[1].value).kind);
        for (Leaf& leaf : out.leaves)
            if (weight && leaf.expression == state_expression(weight->name)) leaf.transposed = true;
    }
    for (const graph::Node& node : original.nodes)
        if (const graph::Value& value = original.values[static_cast<size_t>(node.results[0])];
            !graph::is_leaf(node))
            out.results.push_back({value.name.empty() ? "result" : identifier(value.name), value.shape,
                                   windows_of(original, node)});
    return out;
}

namespace {

bool alike(const Launch& a, const Launch& b) {
    const Kernel &one = a.kernel, &other = b.kernel;
    return one.name == other.name && one.docstring == other.docstring && one.num_warps == other.num_warps &&
           one.num_stages == other.num_stages && one.body == other.body && one.pointers == other.pointers &&
           one.sizes == other.sizes && one.metas == other.metas && one.grid == other.grid &&
           std::equal(a.allocations.begin(), a.allocations.end(), b.allocations.begin(), b.allocations.end(),
                      [](const Allocation& left, const Allocation& right) {
                          return left.variable == right.variable && left.shape == right.shape;
                      }) &&
           a.loop == b.loop && a.call == b.call && a.before == b.before && a.after == b.after;
}

}  // namespace

bool Draft::like(const Draft& other) const {
    return returned == other.returned && updates == other.updates &&
           std::equal(leaves.begin(), leaves.end(), other.leaves.begin(), other.leaves.end(),
                      [](const Leaf& a, const Leaf& b) {
                          return a.variable == b.variable && a.expression == b.expression &&
                                 a.shape.size() == b.shape.size();
                      }) &&
           std::equal(launches.begin(), launches.end(), other.launches.begin(), other.launches.end(), alike);
}

std::string Draft::text() const {
    std::string out = returned + "\n";
    for (const Leaf& leaf : leaves)
        out += fmt::format("{} {} {}\n", leaf.variable, leaf.expression, leaf.shape.size());
    for (const std::string& update : updates) out += update + "\n";
    for (const Launch& launch : launches) {
        for (const Allocation& made : launch.allocations)
            out += fmt::format("{} {}\n", made.variable, fmt::join(made.shape, ","));
        const Kernel& kernel = launch.kernel;
        out += fmt::format("{} {} {}\n{}\n{}\n", kernel.name, kernel.num_warps, kernel.num_stages,
                           kernel.docstring, kernel.body.text());
        for (const Kernel::Pointer& pointer : kernel.pointers)
            out += pointer.parameter + "=" + pointer.variable + " ";
        for (const Kernel::Meta& meta : kernel.sizes) out += meta.name + "=" + meta.value + " ";
        for (const Kernel::Meta& meta : kernel.metas) out += meta.name + "=" + meta.value + " ";
        out += fmt::format("{}\n{}\n{} {}\n", fmt::join(kernel.grid, ","), launch.loop,
                           fmt::join(launch.before, ";"), fmt::join(launch.after, ";")) +
               launch.call;
    }
    return out;
}

}  // namespace tritonsmith::forge
