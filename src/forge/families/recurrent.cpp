#include <fmt/format.h>

#include <algorithm>

#include "forge/emit/refused.h"
#include "forge/emit/scalar_code.h"
#include "forge/families/common.h"

namespace tritonsmith::forge {
namespace {

using graph::CellKind;

constexpr int64_t kFewPrograms = 64;  ///< of a launch: half of a large GPU's processors have nothing to do

/// What a step accumulates: rows of the hidden state's weights from `gate · units` on, and, where the input's
/// product has a part in the same sum, that.
struct Sum {
    const char* name;
    int gate;
    bool of_input = true, of_state = true;
};

std::vector<Sum> sums_of(CellKind kind) {
    switch (kind) {
        case CellKind::lstm:
            return {{"input_gate", 0}, {"forget_gate", 1}, {"candidate", 2}, {"output_gate", 3}};
        case CellKind::gru:
            return {{"reset_gate", 0},
                    {"update_gate", 1},
                    {"candidate", 2, true, false},
                    {"recalled", 2, false, true}};
        default:
            return {{"total", 0}};
    }
}

/// Where a gate begins among the rows of a weight, the columns of the input's product, the elements of a
/// bias.
std::string from_gate(int gate, const std::string& unit) {
    if (gate == 0) return unit;
    return gate == 1 ? fmt::format("(units + {})", unit) : fmt::format("({} * units + {})", gate, unit);
}

/// One time step of a recurrent layer for each launch: forward loops over the steps.
class RecurrentKernel {
  public:
    RecurrentKernel(Context& context, int value)
        : context_(context),
          value_(value),
          node_(context.graph.maker(value)),
          kind_(std::get<graph::Recurrent>(node_.kind)),
          lstm_(kind_.kind == CellKind::lstm) {}
    Written write();

  private:
    /// A tensor of forward's, as it is or at one place of its first axis.
    std::string operand(size_t which) {
        const graph::Operand& operand = node_.operands[which];
        const int id = operand.value;
        if (!context_.in_memory(id)) context_.stored.insert(id);
        if (!graph::is_leaf(context_.graph.maker(id))) loaded_.insert(id);
        const bool whole = which == 0 || operand.view.index.size() == operand.shape().size();
        return context_.variable(id) + (whole ? "" : fmt::format("[{}]", operand.view.index[0].constant()));
    }
    void schedule();
    void start_sums();
    void add_products();
    void cell();

    Context& context_;
    const int value_;
    const graph::Node& node_;
    const graph::Recurrent& kind_;
    Kernel kernel_;
    std::set<int> loaded_;
    const bool lstm_;
    std::string gates_, out_, state_, memory_, memory_out_, weight_, bias_;  ///< parameters
};

void RecurrentKernel::schedule() {
    const std::vector<int64_t>& shape = context_.value(value_).shape;
    auto choose = [&](const char* what, int64_t value) {
        return context_.choices.get(kernel_.name + "." + what, value);
    };
    const int64_t rows = choose("m", std::clamp<int64_t>(next_power_of_2(shape[1]), 16, 32));
    // A step waits for the one before, so what counts is how soon it ends: small tiles where few fill a GPU.
    const bool few = (shape[1] + rows - 1) / rows * ((shape[2] + 31) / 32) < kFewPrograms;
    const int64_t units = choose("n", few ? 16 : 32), depth = choose("k", few && shape[2] > 32 ? 64 : 32);
    kernel_.metas = {{"BLOCK_M", std::to_string(rows)},
                     {"BLOCK_N", std::to_string(units)},
                     {"BLOCK_K", std::to_string(depth)}};
    kernel_.grid = {fmt::format("triton.cdiv({}, {})", size(context_, shape[1]), rows),
                    fmt::format("triton.cdiv({}, {})", size(context_, shape[2]), units)};
}

/// Of the input's product and the bias; zero where the input has no part.
void RecurrentKernel::start_sums() {
    const std::vector<Sum> sums = sums_of(kind_.kind);
    const int64_t gates = node_.operands[0].shape().back() / context_.value(value_).shape.back();
    Lines& body = kernel_.body;
    body.add(fmt::format("gates_row = {} + (step * batch + row[:, None]) * {}units", gates_,
                         gates == 1 ? "" : fmt::format("{} * ", gates)));
    for (const Sum& sum : sums) {
        std::string start = sum.of_input ? fmt::format("tl.load(gates_row + {}, mask=inside, other=0.0)",
                                                       from_gate(sum.gate, "unit[None, :]"))
                                         : "tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)";
        body.add(fmt::format("{} = {}", sum.name, start));
        if (kind_.bias && sum.of_state)
            body.add(fmt::format("{} += tl.load({} + {}, mask=unit < units, other=0.0)[None, :]", sum.name,
                                 bias_, from_gate(sum.gate, "unit")));
    }
}

void RecurrentKernel::add_products() {
    Lines& body = kernel_.body;
    body.add("for begin in range(0, units, BLOCK_K):");
    body.indent();
    body.add("inner = begin + tl.arange(0, BLOCK_K)");
    body.add(fmt::format(
        "state = tl.load({} + row[:, None] * units + inner[None, :], mask=(row < batch)[:, None] & (inner < "
        "units)[None, :], other=0.0)",
        state_));
    for (const Sum& sum : sums_of(kind_.kind)) {
        if (!sum.of_state) continue;
        body.add(fmt::format(
            "weight = tl.load({} + {}[None, :] * units + inner[:, None], mask=(unit < units)[None, :] & "
            "(inner < units)[:, None], other=0.0)",
            weight_, from_gate(sum.gate, "unit")));
        body.add(fmt::format("{0} = tl.dot(state, weight, {0}, input_precision=\"ieee\")", sum.name));
    }
    body.dedent();
}

/// The new state of the gates' sums.
void RecurrentKernel::cell() {
    Lines& body = kernel_.body;
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
    if (graph::element_count(node_.operands[0].shape()) >= (int64_t{1} << 31))
        throw Refused("a recurrent layer with more than 2**31 gates", node_.op, node_.line);
    kernel_.name = context_.unique(lstm_                         ? "lstm_step_kernel"
                                   : kind_.kind == CellKind::gru ? "gru_step_kernel"
                                                                 : "rnn_step_kernel");
    for (const char* name : {"row", "unit", "inner", "begin", "step", "batch", "units", "gates", "gates_row",
                             "place", "inside", "memory", "hidden", "state", "weight", "fresh", "before"})
        kernel_.taken.insert(name);
    for (const Sum& sum : sums_of(kind_.kind)) kernel_.taken.insert(sum.name);
    schedule();
    const std::string state = context_.passing("state"), step = context_.passing("step");
    Launch launch;
    launch.allocations = {allocation(context_, value_)};
    launch.before = {fmt::format("{} = {}", state, operand(1))};
    const std::string out = context_.variable(value_);
    std::string memory;
    const size_t states = lstm_ ? 2 : 1;
    gates_ = kernel_.pointer(operand(0), "gates");
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
    weight_ = kernel_.pointer(operand(1 + states), "weight_hh");
    if (kind_.bias) bias_ = kernel_.pointer(operand(2 + states), "bias_hh");
    out_ = kernel_.pointer(fmt::format("{}[{}]", out, step), "out");
    kernel_.sizes = {{"step", step}};
    size_parameter(context_, kernel_, "batch", size(context_, shape[1]));
    size_parameter(context_, kernel_, "units", size(context_, shape[2]));
    Lines& body = kernel_.body;
    body.add("row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)");
    body.add("unit = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)");
    body.add("place = row[:, None] * units + unit[None, :]");
    body.add("inside = (row < batch)[:, None] & (unit < units)[None, :]");
    start_sums();
    add_products();
    cell();
    kernel_.docstring = fmt::format(
        "One time step of {}, BLOCK_M sequences by BLOCK_N units: adds the state's product to the gates.",
        lstm_                         ? "an LSTM layer"
        : kind_.kind == CellKind::gru ? "a GRU layer"
                                      : "a recurrent layer");
    const std::string steps = size(context_, shape[0]);
    launch.loop = kind_.reverse ? fmt::format("for {} in range({} - 1, -1, -1):", step, steps)
                                : fmt::format("for {} in range({}):", step, steps);
    launch.after = {fmt::format("{} = {}[{}]", state, out, step)};
    if (lstm_) launch.after.push_back(fmt::format("{} = {}", memory, context_.variable(node_.results[2])));
    launch.kernel = std::move(kernel_);
    return {{launch}, {}, loaded_};
}

}  // namespace

std::optional<Written> write_recurrent(Context& context, int value) {
    const graph::Node& node = context.graph.maker(value);
    if (!std::holds_alternative<graph::Recurrent>(node.kind)) return std::nullopt;
    if (value != node.results[0]) return Written{{}, {}, {node.results[0]}};  // written with the output
    return RecurrentKernel(context, value).write();
}

}  // namespace tritonsmith::forge
