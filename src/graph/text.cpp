#include "graph/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "plan/ir/json.h"

namespace tritonsmith::graph {
namespace {

template <class T>
std::string list(const std::vector<T>& items) {
    return fmt::format("[{}]", fmt::join(items, ","));
}
/// One number where all are the same.
std::string brief(const std::vector<int64_t>& items) {
    const bool same =
        std::all_of(items.begin(), items.end(), [&](int64_t item) { return item == items.front(); });
    return same && !items.empty() ? std::to_string(items.front()) : list(items);
}
bool all(const std::vector<int64_t>& items, int64_t value) {
    return std::all_of(items.begin(), items.end(), [&](int64_t item) { return item == value; });
}

/// Collects "name(a, b, key=value)".
class Form {
  public:
    explicit Form(std::string name) : text_(std::move(name) + "(") {}
    void add(const std::string& item) {
        text_ += (any_ ? ", " : "") + item;
        any_ = true;
    }
    void key(const char* name, const std::string& value) { add(fmt::format("{}={}", name, value)); }
    void number(const char* name, double value) { key(name, text(Number(value))); }
    std::string done() { return std::move(text_) + ")"; }

  private:
    std::string text_;
    bool any_ = false;
};

const char* name_of_reduction(ReduceKind kind) {
    constexpr const char* names[] = {"sum",    "mean", "prod", "max",          "min",       "any",
                                     "all",    "var",  "std",  "norm",         "logsumexp", "argmax",
                                     "argmin", "max",  "min",  "count_nonzero"};
    return names[static_cast<size_t>(kind)];
}
const char* name_of_scan(ScanKind kind) {
    constexpr const char* names[] = {"cumsum", "cumprod", "cummax", "cummin", "logcumsumexp"};
    return names[static_cast<size_t>(kind)];
}
const char* name_of_loss(LossKind kind) {
    constexpr const char* names[] = {"mse_loss",   "l1_loss",  "smooth_l1_loss", "huber_loss", "bce_loss",
                                     "bce_logits", "nll_loss", "kl_div",         "soft_margin"};
    return names[static_cast<size_t>(kind)];
}

/// Order of the axes where the map only permutes; empty otherwise.
std::vector<int> permutation(const IndexMap& map, const std::vector<int64_t>& base) {
    if (!map.guards.empty() || map.shape.size() != base.size()) return {};
    std::vector<int> order(base.size(), -1);
    std::vector<size_t> ones;  // axes of 1 have no expression: they fill what is left
    for (size_t i = 0; i < base.size(); ++i) {
        const int axis = map.index[i].plain_axis();
        if (base[i] == 1 && map.index[i] == Index(0))
            ones.push_back(i);
        else if (axis < 0 || order[static_cast<size_t>(axis)] >= 0 ||
                 map.shape[static_cast<size_t>(axis)] != base[i])
            return {};
        else
            order[static_cast<size_t>(axis)] = static_cast<int>(i);
    }
    for (size_t i = 0; i < order.size(); ++i) {
        if (order[i] >= 0) continue;
        if (map.shape[i] != 1 || ones.empty()) return {};
        order[i] = static_cast<int>(ones.front());
        ones.erase(ones.begin());
    }
    return order;
}

bool is_reshape(const IndexMap& map, const std::vector<int64_t>& base) {
    if (!map.guards.empty() || element_count(map.shape) != element_count(base)) return false;
    const std::optional<Strided> flat = strided(map, row_major(base));
    if (!flat || flat->offset != 0) return false;
    const std::vector<int64_t> dense = row_major(map.shape);
    for (size_t i = 0; i < map.shape.size(); ++i)
        if (map.shape[i] != 1 && flat->stride[i] != dense[i]) return false;
    return true;
}

bool is_broadcast(const IndexMap& map, const std::vector<int64_t>& base) {
    if (!map.guards.empty() || map.shape.size() < base.size()) return false;
    const size_t lead = map.shape.size() - base.size();
    for (size_t i = 0; i < base.size(); ++i) {
        const Index plain = map.shape[i + lead] == 1 ? Index(0) : Index::axis(static_cast<int>(i + lead));
        if (!(map.index[i] == (base[i] == 1 ? Index(0) : plain))) return false;
        if (base[i] != 1 && base[i] != map.shape[i + lead]) return false;
    }
    return true;
}

}  // namespace

std::string type_text(DType dtype, const std::vector<int64_t>& shape) {
    return plan::dtype_name(dtype) + list(shape);
}

std::vector<std::string> labels_of(const Graph& graph) {
    std::vector<std::string> out(graph.values.size());
    std::set<std::string> taken;
    for (size_t i = 0; i < graph.values.size(); ++i)
        if (is_leaf(graph.nodes[static_cast<size_t>(graph.values[i].node)]) && !graph.values[i].name.empty())
            taken.insert(out[i] = graph.values[i].name);
    std::map<std::string, int> seen;
    int next = 0;
    for (size_t i = 0; i < graph.values.size(); ++i) {
        if (!out[i].empty()) continue;
        const std::string& name = graph.values[i].name;
        if (name.empty()) {
            out[i] = fmt::format("%{}", next++);
            continue;
        }
        int& count = seen[name];
        do
            out[i] =
                ++count > 1 || taken.contains(name) ? fmt::format("{}_{}", name, std::max(count, 2)) : name;
        while (!taken.insert(out[i]).second && ++count > 0);
    }
    return out;
}

Notation::Notation(const Graph& graph, std::vector<std::string> labels)
    : graph_(graph), labels_(std::move(labels)) {}

std::string Notation::operand(const Operand& operand, bool broadcast) const {
    const Value& value = graph_.values[static_cast<size_t>(operand.value)];
    const IndexMap& map = operand.view;
    std::string out = label(operand.value);
    const Node& maker = graph_.maker(operand.value);
    if (const auto* fill = std::get_if<Pointwise>(&maker.kind);
        fill && fill->body.steps.size() == 1 && fill->body.steps[0].op == ScalarOp::constant &&
        map.guards.empty())
        return text(fill->body.steps[0].number);
    if (map.is_identity(value.shape) || (broadcast && is_broadcast(map, value.shape))) {
    } else if (const std::vector<int> order = permutation(map, value.shape); !order.empty()) {
        out += order == std::vector<int>{1, 0} ? ".T" : fmt::format(".permute({})", fmt::join(order, ","));
    } else if (is_reshape(map, value.shape)) {
        out += fmt::format(".view({})", fmt::join(map.shape, ","));
    } else {
        std::vector<std::string> at;
        for (const Index& index : map.index) at.push_back(index.text());
        out += fmt::format("[{}]", fmt::join(at, ", "));
        if (!broadcast) out += fmt::format("({})", fmt::join(map.shape, ","));
        if (!map.guards.empty()) out += fmt::format("?{}", text(map.fill));
    }
    if (operand.dtype != value.dtype) out = fmt::format("{}({})", plan::dtype_name(operand.dtype), out);
    return out;
}

namespace {

/// One node kind each: what stands between the parentheses.
struct Writer {
    const Notation& notation;
    const Graph& graph;
    const Node& node;

    std::string at(size_t i, bool broadcast = false) const {
        return notation.operand(node.operands[i], broadcast);
    }
    Form form(const std::string& name) const {
        Form out(name);
        for (size_t i = 0; i < node.operands.size(); ++i) out.add(at(i));
        return out;
    }
    std::string places(const std::vector<Place>& places, size_t first) const {
        std::vector<std::string> out;
        for (const Place& place : places)
            out.push_back(place.operand >= 0 ? at(first + static_cast<size_t>(place.operand), true)
                                             : place.at.text());
        return fmt::format("[{}]", fmt::join(out, ", "));
    }

    std::string operator()(const Input& leaf) const {
        return fmt::format("input {}{}", leaf.position, leaf.path);
    }
    std::string operator()(const Weight& leaf) const { return leaf.parameter ? "parameter" : "buffer"; }
    std::string operator()(const Attribute& leaf) const {
        return fmt::format("attribute, line {}", leaf.line);
    }
    std::string operator()(const Constant& leaf) const {
        return fmt::format("constant of {} bytes", leaf.bytes.size());
    }
    std::string operator()(const Pointwise& kind) const {
        std::vector<std::string> operands;
        for (size_t i = 0; i < node.operands.size(); ++i) operands.push_back(at(i, true));
        return text(kind.body, operands);
    }
    std::string operator()(const Concat& kind) const {
        Form out = form("cat");
        out.key("axis", std::to_string(kind.axis));
        return out.done();
    }
    std::string operator()(const Reduce& kind) const {
        Form out = form(name_of_reduction(kind.kind));
        out.key("axes", list(kind.axes));
        const bool spread = kind.kind == ReduceKind::var || kind.kind == ReduceKind::std;
        if (spread && kind.correction != 1) out.number("correction", kind.correction);
        if (kind.kind == ReduceKind::norm) out.number("p", kind.p);
        return out.done();
    }
    std::string operator()(const Scan& kind) const {
        Form out = form(name_of_scan(kind.kind));
        out.key("axis", std::to_string(kind.axis));
        return out.done();
    }
    std::string operator()(const Sort& kind) const {
        Form out = form("sort");
        out.key("axis", std::to_string(kind.axis));
        if (kind.descending) out.add("descending");
        if (kind.stable) out.add("stable");
        return out.done();
    }
    std::string operator()(const TopK& kind) const {
        Form out = form("topk");
        out.key("k", std::to_string(kind.k));
        out.key("axis", std::to_string(kind.axis));
        if (!kind.largest) out.add("smallest");
        return out.done();
    }
    std::string operator()(const Contract& kind) const {
        const Operand& rhs = node.operands[1];
        const bool transposed = std::holds_alternative<Weight>(graph.maker(rhs.value).kind) &&
                                permutation(rhs.view, graph.values[static_cast<size_t>(rhs.value)].shape) ==
                                    std::vector<int>{1, 0};
        Form out(transposed ? "linear" : "matmul");
        out.add(at(0));
        out.add(transposed ? notation.label(rhs.value) : at(1));
        if (node.operands.size() > 2) out.add((transposed ? "" : "add=") + at(2, true));
        if (kind.alpha != 1) out.number("alpha", kind.alpha);
        if (kind.beta != 1) out.number("beta", kind.beta);
        return out.done();
    }
    std::string operator()(const Convolution& kind) const {
        Form out = form(fmt::format("conv{}{}d", kind.transposed ? "_transpose" : "", kind.stride.size()));
        if (!all(kind.stride, 1)) out.key("stride", brief(kind.stride));
        if (!all(kind.padding, 0)) out.key("padding", brief(kind.padding));
        if (!all(kind.dilation, 1)) out.key("dilation", brief(kind.dilation));
        if (kind.transposed && !all(kind.output_padding, 0))
            out.key("output_padding", brief(kind.output_padding));
        if (kind.groups != 1) out.key("groups", std::to_string(kind.groups));
        return out.done();
    }
    std::string operator()(const Pool& kind) const {
        Form out =
            form(fmt::format("{}_pool{}d", kind.kind == PoolKind::max ? "max" : "avg", kind.kernel.size()));
        out.key("kernel", brief(kind.kernel));
        out.key("stride", brief(kind.stride));
        if (!all(kind.padding, 0)) out.key("padding", brief(kind.padding));
        if (!all(kind.dilation, 1)) out.key("dilation", brief(kind.dilation));
        if (kind.ceil_mode) out.add("ceil_mode");
        if (!kind.count_include_pad) out.add("count_include_pad=False");
        if (kind.divisor) out.key("divisor", std::to_string(kind.divisor));
        return out.done();
    }
    std::string operator()(const AdaptivePool& kind) const {
        Form out = form(
            fmt::format("adaptive_{}_pool{}d", kind.kind == PoolKind::max ? "max" : "avg", kind.size.size()));
        out.key("size", brief(kind.size));
        return out.done();
    }
    std::string operator()(const Normalize& kind) const {
        constexpr const char* names[] = {"layer_norm", "rms_norm", "group_norm", "batch_norm"};
        Form out = form(names[static_cast<size_t>(kind.kind)]);
        if (kind.kind == NormKind::group) out.key("groups", std::to_string(kind.groups));
        if (kind.axes != 1) out.key("axes", std::to_string(kind.axes));
        if (kind.eps != 1e-5) out.number("eps", kind.eps);
        if (kind.training) out.add("training");
        if (kind.training && kind.has.running && kind.momentum != 0.1) out.number("momentum", kind.momentum);
        return out.done();
    }
    std::string operator()(const Softmax& kind) const {
        Form out = form(kind.log ? "log_softmax" : "softmax");
        out.key("axis", std::to_string(kind.axis));
        return out.done();
    }
    std::string operator()(const Attention& kind) const {
        Form out = form("attention");
        out.number("scale", kind.scale);
        if (kind.causal) out.add("causal");
        return out.done();
    }
    std::string operator()(const Gather& kind) const {
        return fmt::format("gather {}{}", at(0), places(kind.places, 1));
    }
    std::string operator()(const Scatter& kind) const {
        constexpr const char* signs[] = {"=", "+=", "*=", "max=", "min=", "mean="};
        return fmt::format("scatter {}{} {} {}{}", at(0), places(kind.places, 2),
                           signs[static_cast<size_t>(kind.kind)], at(1),
                           kind.include_self ? "" : " (without self)");
    }
    std::string operator()(const Upsample& kind) const {
        constexpr const char* names[] = {"nearest", "nearest_exact", "linear", "cubic"};
        Form out = form("upsample");
        out.key("size", list(kind.size));
        out.add(names[static_cast<size_t>(kind.kind)]);
        if (kind.align_corners) out.add("align_corners");
        return out.done();
    }
    std::string operator()(const Loss& kind) const {
        constexpr const char* names[] = {"none", "mean", "sum"};
        Form out = form(name_of_loss(kind.kind));
        out.add(names[static_cast<size_t>(kind.reduction)]);
        if (kind.parameter != 1) out.number("parameter", kind.parameter);
        if (kind.kind == LossKind::nll && kind.ignore != -100) out.key("ignore", std::to_string(kind.ignore));
        return out.done();
    }
    std::string operator()(const Recurrent& kind) const {
        constexpr const char* names[] = {"lstm", "gru", "rnn_tanh", "rnn_relu"};
        Form out = form(names[static_cast<size_t>(kind.kind)]);
        if (kind.reverse) out.add("reverse");
        if (kind.projected) out.add("projected");
        return out.done();
    }
};

}  // namespace

std::string Notation::expression(const Node& node) const {
    return std::visit(Writer{*this, graph_, node}, node.kind);
}

std::string Notation::line(const Node& node) const {
    std::vector<std::string> names, types;
    for (int result : node.results) {
        const Value& value = graph_.values[static_cast<size_t>(result)];
        names.push_back(label(result));
        types.push_back(type_text(value.dtype, value.shape));
    }
    return fmt::format("{} = {} : {}", fmt::join(names, ", "), expression(node), fmt::join(types, ", "));
}

std::string text(const Graph& graph) {
    const Notation notation(graph, labels_of(graph));
    std::string out;
    for (const Node& node : graph.nodes)
        out += notation.line(node) + (node.line > 0 ? fmt::format("  # line {}", node.line) : "") + "\n";
    for (const Output& output : graph.outputs) out += "return " + notation.operand(output.operand) + "\n";
    for (const Update& update : graph.updates)
        out += fmt::format("update {} = {}\n", notation.label(update.leaf), notation.operand(update.now));
    return out;
}

}  // namespace tritonsmith::graph
