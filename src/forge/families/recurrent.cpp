#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "forge/emit/refused.h"
#include "forge/emit/scalar_code.h"
#include "forge/families/common.h"

namespace tritonsmith::forge {
namespace {

using graph::CellKind;

/// A product that a step accumulates: rows of the weights from `gate · units` on.
struct Sum {
    const char* name;
    bool hidden;  ///< of the hidden state, else of the input
    int gate;
};

std::vector<Sum> sums_of(CellKind kind) {
    switch (kind) {
        case CellKind::lstm:
            return {{"input_gate", false, 0},  {"forget_gate", false, 1}, {"candidate", false, 2},
                    {"output_gate", false, 3}, {"input_gate", true, 0},   {"forget_gate", true, 1},
                    {"candidate", true, 2},    {"output_gate", true, 3}};
        case CellKind::gru:
            return {{"reset_gate", false, 0}, {"update_gate", false, 1}, {"candidate", false, 2},
                    {"reset_gate", true, 0},  {"update_gate", true, 1},  {"recalled", true, 2}};
        default:
            return {{"total", false, 0}, {"total", true, 0}};
    }
}

/// One time step of a recurrent layer for each launch: forward loops over the steps.
class RecurrentKernel {
  public:
    RecurrentKernel(Context& context, int value)
        : context_(context),
          value_(value),
          node_(context.graph.maker(value)),
          kind_(std::get<graph::Recurrent>(node_.kind)),
          reader_(context, field_),
          writer_(context, field_, kernel_),
          lstm_(kind_.kind == CellKind::lstm) {}
    Written write();

  private:
    /// A tensor of forward's, as it is or at one place of its first axis.
    std::string operand(size_t which) {
        const graph::Operand& operand = node_.operands[which];
        const int id = operand.value;
        if (!context_.in_memory(id)) context_.stored.insert(id);
        if (!graph::is_leaf(context_.graph.maker(id))) reader_.loaded.insert(id);
        const bool whole = operand.view.index.size() == operand.shape().size();
        return context_.variable(id) + (whole ? "" : fmt::format("[{}]", operand.view.index[0].constant()));
    }
    void schedule();
    void products(bool hidden, const std::string& depth);
    void cell();
    void load_weight(const Sum& sum, const std::string& pointer, const std::string& depth);

    Context& context_;
    const int value_;
    const graph::Node& node_;
    const graph::Recurrent& kind_;
    Kernel kernel_;
    Field field_;
    Reader reader_;
    FieldWriter writer_;
    const bool lstm_;
    std::string out_, state_, memory_, memory_out_;  ///< parameters
    std::array<std::string, 4> weights_;             ///< parameters: weight_ih, weight_hh, bias_ih, bias_hh
};

void RecurrentKernel::schedule() {
    const std::vector<int64_t>& shape = context_.value(value_).shape;
    auto choose = [&](const char* what, int64_t value) {
        return context_.choices.get(kernel_.name + "." + what, value);
    };
    const int64_t rows = choose("m", std::clamp<int64_t>(next_power_of_2(shape[1]), 16, 32)),
                  units = choose("n", 32), depth = choose("k", 32);
    kernel_.metas = {{"BLOCK_M", std::to_string(rows)},
                     {"BLOCK_N", std::to_string(units)},
                     {"BLOCK_K", std::to_string(depth)}};
    kernel_.grid = {fmt::format("triton.cdiv({}, {})", size(context_, shape[1]), rows),
                    fmt::format("triton.cdiv({}, {})", size(context_, shape[2]), units)};
}

void RecurrentKernel::load_weight(const Sum& sum, const std::string& pointer, const std::string& depth) {
    const std::string row = sum.gate == 0   ? "unit"
                            : sum.gate == 1 ? "(units + unit)"
                                            : fmt::format("({} * units + unit)", sum.gate);
    kernel_.body.add(
        fmt::format("weight = tl.load({} + {}[None, :] * {} + inner[:, None], mask=(unit < units)[None, :] & "
                    "(inner < {})[:, None], other=0.0)",
                    pointer, row, depth, depth));
}

void RecurrentKernel::products(bool hidden, const std::string& depth) {
    Lines& body = kernel_.body;
    body.add(fmt::format("for begin in range(0, {}, BLOCK_K):", depth));
    body.indent();
    body.add("inner = begin + tl.arange(0, BLOCK_K)");
    std::string left = "state";
    if (hidden) {
        body.add(
            fmt::format("state = tl.load({} + row[:, None] * units + inner[None, :], mask=(row < batch)[:, "
                        "None] & (inner < units)[None, :], other=0.0)",
                        state_));
    } else {
        const std::vector<int64_t> shape = node_.operands[0].shape();
        std::vector<Index> at;
        for (size_t d = 0; d < 3; ++d)
            at.push_back(shape[d] == 1 ? Index(0) : Index::axis(static_cast<int>(d)));
        const int term = reader_.operand(node_.operands[0], at);
        const Space space{{{"step", "row[:, None]", "inner[None, :]"}, field_.extents},
                          {"", "(row < batch)[:, None]", fmt::format("(inner < {})[None, :]", depth)},
                          true};
        writer_.plan({term});
        left = writer_.named(term, space, "x").text;
    }
    for (const Sum& sum : sums_of(kind_.kind)) {
        if (sum.hidden != hidden) continue;
        load_weight(sum, weights_[hidden ? 1 : 0], depth);
        body.add(fmt::format("{0} = tl.dot({1}, weight, {0}, input_precision=\"ieee\")", sum.name, left));
    }
    body.dedent();
}

/// The new state of the gates' sums.
void RecurrentKernel::cell() {
    Lines& body = kernel_.body;
    body.add("place = row[:, None] * units + unit[None, :]");
    body.add("inside = (row < batch)[:, None] & (unit < units)[None, :]");
    if (kind_.bias) {
        std::string last;
        for (const Sum& sum : sums_of(kind_.kind)) {
            const std::string from = sum.gate == 0   ? "unit"
                                     : sum.gate == 1 ? "units + unit"
                                                     : fmt::format("{} * units + unit", sum.gate);
            body.add(fmt::format("{} += tl.load({} + {}, mask=unit < units)[None, :]", sum.name,
                                 weights_[sum.hidden ? 3 : 2], from));
        }
    }
    switch (kind_.kind) {
        case CellKind::lstm:
            body.add(fmt::format("memory = tl.load({} + place, mask=inside)", memory_));
            body.add(
                "memory = tl.sigmoid(forget_gate) * memory + tl.sigmoid(input_gate) * "
                "libdevice.tanh(candidate)");
            body.add(fmt::format("tl.store({} + place, memory, mask=inside)", memory_out_));
            body.add("hidden = tl.sigmoid(output_gate) * libdevice.tanh(memory)");
            break;
        case CellKind::gru:
            body.add("fresh = libdevice.tanh(candidate + tl.sigmoid(reset_gate) * recalled)");
            body.add(fmt::format("before = tl.load({} + place, mask=inside)", state_));
            body.add("hidden = fresh + tl.sigmoid(update_gate) * (before - fresh)");
            break;
        case CellKind::rnn_tanh:
            body.add("hidden = libdevice.tanh(total)");
            break;
        case CellKind::rnn_relu:
            body.add("hidden = tl.where(total < 0.0, 0.0, total)");
            break;
    }
    body.add(fmt::format("tl.store({} + place, hidden, mask=inside)", out_));
}

Written RecurrentKernel::write() {
    const std::vector<int64_t>& shape = context_.value(value_).shape;
    if (graph::element_count(shape) >= (int64_t{1} << 31))
        throw Refused("a recurrent layer with more than 2**31 results", node_.op, node_.line);
    kernel_.name = context_.unique(lstm_                         ? "lstm_step_kernel"
                                   : kind_.kind == CellKind::gru ? "gru_step_kernel"
                                                                 : "rnn_step_kernel");
    for (const char* name : {"row", "unit", "inner", "begin", "step", "batch", "units", "inputs", "place",
                             "inside", "memory", "hidden", "state", "weight", "fresh", "before", "x"})
        kernel_.taken.insert(name);
    for (const Sum& sum : sums_of(kind_.kind)) kernel_.taken.insert(sum.name);
    const int64_t inputs = node_.operands[0].shape()[2];
    field_.extents = {shape[0], shape[1], inputs};
    schedule();
    const std::string state = context_.passing("state"), step = context_.passing("step");
    Launch launch;
    launch.allocations = {allocation(context_, value_)};
    launch.before = {fmt::format("{} = {}", state, operand(1))};
    const std::string out = context_.variable(value_);
    std::string memory;
    const size_t states = lstm_ ? 2 : 1;
    Lines products_text;
    state_ = kernel_.pointer(state, "state");
    if (lstm_) {
        const int last = node_.results[2];
        if (!context_.variables.contains(last)) context_.name(last, "last_memory");
        context_.stored.insert(last);
        launch.allocations.push_back(allocation(context_, last));
        memory = context_.passing("memory");
        launch.before.push_back(fmt::format("{} = {}", memory, operand(2)));
        memory_ = kernel_.pointer(memory, "memory");
        memory_out_ = kernel_.pointer(context_.variable(last), "memory_out");
    }
    static const char* names[] = {"weight_ih", "weight_hh", "bias_ih", "bias_hh"};
    for (size_t i = 0; i < (kind_.bias ? 4U : 2U); ++i)
        weights_[i] = kernel_.pointer(operand(1 + states + i), names[i]);
    out_ = kernel_.pointer(fmt::format("{}[{}]", out, step), "out");
    kernel_.sizes = {{"step", step}};
    size_parameter(context_, kernel_, "batch", size(context_, shape[1]));
    size_parameter(context_, kernel_, "units", size(context_, shape[2]));
    size_parameter(context_, kernel_, "inputs", size(context_, inputs));
    Lines& body = kernel_.body;
    body.add("row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)");
    body.add("unit = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)");
    std::set<std::string> seen;
    for (const Sum& sum : sums_of(kind_.kind))
        if (seen.insert(sum.name).second)
            body.add(fmt::format("{} = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)", sum.name));
    products(false, "inputs");
    products(true, "units");
    cell();
    kernel_.docstring = fmt::format(
        "One time step of {}: tiles of BLOCK_M sequences by BLOCK_N units; both products, then the cell.",
        lstm_                         ? "an LSTM layer"
        : kind_.kind == CellKind::gru ? "a GRU layer"
                                      : "a recurrent layer");
    const std::string steps = size(context_, shape[0]);
    launch.loop = kind_.reverse ? fmt::format("for {} in range({} - 1, -1, -1):", step, steps)
                                : fmt::format("for {} in range({}):", step, steps);
    launch.after = {fmt::format("{} = {}[{}]", state, out, step)};
    if (lstm_) launch.after.push_back(fmt::format("{} = {}", memory, context_.variable(node_.results[2])));
    launch.kernel = std::move(kernel_);
    return {{launch}, reader_.inlined, reader_.loaded};
}

}  // namespace

std::optional<Written> write_recurrent(Context& context, int value) {
    const graph::Node& node = context.graph.maker(value);
    if (!std::holds_alternative<graph::Recurrent>(node.kind)) return std::nullopt;
    if (value != node.results[0]) return Written{{}, {}, {node.results[0]}};  // written with the output
    return RecurrentKernel(context, value).write();
}

}  // namespace tritonsmith::forge
