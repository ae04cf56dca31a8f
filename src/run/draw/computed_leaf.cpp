#include "run/draw/computed_leaf.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "plan/analysis/flow.h"
#include "plan/ir/arguments.h"
#include "plan/ir/element.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/ir/pointwise.h"
#include "plan/ir/tensor_position.h"
#include "run/draw/draw.h"
#include "run/draw/store.h"

namespace tritonsmith::run {

namespace {

using plan::DType;
using plan::Tensor;

constexpr int kDeepest = 32;

/// What a buffer holds behind some step.
class State {
  public:
    virtual ~State() = default;
    /// Elements at offsets of the buffer.
    virtual void read(std::span<const int64_t> offsets, std::span<double> out) const = 0;
};
using Shared = std::shared_ptr<const State>;

/// Draws, and bytes that the plan states: read through a source, in one piece where they lie together.
class Source final : public State {
  public:
    Source(ttir::PageSource source, DType dtype) : source_(std::move(source)), dtype_(dtype) {}
    void read(std::span<const int64_t> offsets, std::span<double> out) const override {
        const int64_t size = plan::element_size(dtype_);
        std::vector<std::byte> bytes;
        for (size_t i = 0; i < offsets.size();) {
            size_t last = i + 1;
            while (last < offsets.size() && offsets[last] == offsets[last - 1] + 1) last++;
            bytes.resize((last - i) * static_cast<size_t>(size));
            source_(offsets[i] * size, bytes.data(), static_cast<int64_t>(bytes.size()));
            plan::read_elements(bytes.data(), size, dtype_, out.subspan(i, last - i));
            i = last;
        }
    }

  private:
    ttir::PageSource source_;
    DType dtype_;
};

double rounded(double value, DType dtype) {
    if (dtype == DType::f64) return value;
    if (dtype == DType::f32) return static_cast<float>(value);
    std::byte bytes[8];
    if (!plan::is_floating(dtype)) return plan::cast_value(value, dtype);
    store(bytes, dtype, value);
    return plan::read_element(bytes, dtype);
}

/// A step whose result fills its buffer row by row: element `linear` of a function of the arguments'
/// elements.
class Step final : public State {
  public:
    struct Operand {
        Shared state;  ///< null: a number
        Tensor tensor;
        double number = 0;
    };
    using Function = std::function<double(std::span<const double> operands, int64_t linear)>;

    Step(const Tensor& result, std::vector<Operand> operands, Function function)
        : result_(result), operands_(std::move(operands)), function_(std::move(function)) {}

    void read(std::span<const int64_t> offsets, std::span<double> out) const override {
        const size_t count = offsets.size();
        std::vector<std::vector<double>> values(operands_.size(), std::vector<double>(count));
        std::vector<int64_t> theirs(count);
        for (size_t o = 0; o < operands_.size(); o++) {
            const Operand& operand = operands_[o];
            if (!operand.state) {
                std::fill(values[o].begin(), values[o].end(), operand.number);
                continue;
            }
            for (size_t i = 0; i < count; i++) theirs[i] = place(operand.tensor, offsets[i]);
            operand.state->read(theirs, values[o]);
        }
        std::vector<double> each(operands_.size());
        for (size_t i = 0; i < count; i++) {
            for (size_t o = 0; o < operands_.size(); o++) each[o] = values[o][i];
            out[i] = rounded(function_(each, offsets[i]), result_.dtype);
        }
    }

  private:
    /// Where the element of a broadcast operand lies.
    int64_t place(const Tensor& tensor, int64_t linear) const {
        int64_t at = tensor.offset;
        for (size_t d = result_.shape.size(), own = tensor.shape.size(); d-- > 0;) {
            const int64_t index = linear % result_.shape[d];
            linear /= result_.shape[d];
            if (own == 0) continue;
            own--;
            if (tensor.shape[own] != 1) at += index * tensor.stride[own];
        }
        return at;
    }

    Tensor result_;
    std::vector<Operand> operands_;
    Function function_;
};

bool row_by_row(const Tensor& tensor) {
    return tensor.offset == 0 && plan::row_major(tensor);
}

class Reader {
  public:
    Reader(const plan::Plan& reference, const Leaves::Options& options, const Leaves::Roles& roles)
        : reference_(reference), options_(options), roles_(roles) {}

    bool drawn() const { return drawn_; }

    /// The buffer's contents before step `before`. Null where they are not known.
    Shared before(int buffer, size_t before, int depth) {
        if (depth > kDeepest) return nullptr;
        for (size_t s = before; s-- > 0;) {
            const plan::Step& step = reference_.steps[s];
            if (step.phase == plan::Phase::forward) continue;
            const auto* aten = std::get_if<plan::AtenStep>(&step.what);
            if (!aten) {
                if (std::holds_alternative<plan::LaunchStep>(step.what) ||
                    std::holds_alternative<plan::ChoiceStep>(step.what))
                    return nullptr;
                continue;
            }
            for (const plan::ByteRange& range : plan::flow_of(*aten).writes)
                if (range.buffer == buffer) return behind(*aten, step.phase, s, buffer, depth);
        }
        return nullptr;
    }

  private:
    Shared behind(const plan::AtenStep& step, plan::Phase phase, size_t s, int buffer, int depth) {
        const auto* result = std::get_if<Tensor>(&step.result.v);
        if (!result || result->buffer != buffer || !row_by_row(*result)) return nullptr;
        if (const auto probabilities = probabilities_argument(step))
            return flags(step, *probabilities, *result, phase, s, depth);
        if (plan::op_class(step.op) == plan::OpClass::draw) {
            const bool input = phase == plan::Phase::inputs;
            const auto role = roles_.find(step.draw);
            auto source = draw_source(step, phase, options_.seed, options_.variant, options_.uneven && input,
                                      input && role != roles_.end() ? role->second : LeafRole{});
            if (!source) return nullptr;
            drawn_ = true;
            return std::make_shared<Source>(std::move(*source), result->dtype);
        }
        std::vector<Step::Operand> operands;
        for (const plan::Value& value : step.args) {
            if (operands.size() == 2) break;
            if (const auto* tensor = std::get_if<Tensor>(&value.v)) {
                Shared state = contents(*tensor, s, depth);
                if (!state || tensor->shape.size() > result->shape.size()) return nullptr;
                operands.push_back({std::move(state), *tensor, 0});
            } else {
                const auto* real = std::get_if<double>(&value.v);
                const auto* whole = std::get_if<int64_t>(&value.v);
                if (!real && !whole) break;
                operands.push_back({nullptr, {}, real ? *real : static_cast<double>(*whole)});
            }
        }
        Step::Function function = function_of(step, *result, operands);
        if (!function) return nullptr;
        return std::make_shared<Step>(*result, std::move(operands), std::move(function));
    }

    /// Ones with the probabilities that a tensor holds.
    Shared flags(const plan::AtenStep& step, size_t probabilities, const Tensor& result, plan::Phase phase,
                 size_t s, int depth) {
        const auto* tensor = plan::argument<Tensor>(step, probabilities);
        Shared state =
            tensor && tensor->shape.size() <= result.shape.size() ? contents(*tensor, s, depth) : nullptr;
        auto levels = level_source(step, phase, options_.seed, options_.variant);
        if (!state || !levels) return nullptr;
        drawn_ = true;
        Tensor drawn = result;
        drawn.dtype = DType::f32;
        std::vector<Step::Operand> operands{
            {std::make_shared<Source>(std::move(*levels), DType::f32), drawn, 0},
            {std::move(state), *tensor, 0}};
        return std::make_shared<Step>(result, std::move(operands), [](std::span<const double> x, int64_t) {
            return std::min<double>(1 - x[0], kLargestLevel) < x[1] ? 1.0 : 0.0;
        });
    }

    Shared contents(const Tensor& tensor, size_t before_step, int depth) {
        if (Shared state = before(tensor.buffer, before_step, depth + 1)) return state;
        const plan::Buffer& described = reference_.buffers[static_cast<size_t>(tensor.buffer)];
        if (described.kind != plan::BufferKind::constant) return nullptr;
        return std::make_shared<Source>(stated_contents(described.data), tensor.dtype);
    }

    /// Empty where the operator is none of those that are known. Drops operands that it does not read.
    static Step::Function function_of(const plan::AtenStep& step, const Tensor& result,
                                      std::vector<Step::Operand>& operands) {
        const plan::StepArguments arguments(step);
        const std::string base = plan::base_name(step.op);
        const auto progression = [&](double start, double by) -> Step::Function {
            operands.clear();
            return [start, by](std::span<const double>, int64_t i) {
                return start + by * static_cast<double>(i);
            };
        };
        const auto constant = [&](double value) -> Step::Function {
            operands.clear();
            return [value](std::span<const double>, int64_t) { return value; };
        };
        if (base == "aten::zeros" || base == "aten::zeros_like" || base == "aten::zero") return constant(0);
        if (base == "aten::ones" || base == "aten::ones_like") return constant(1);
        if (base == "aten::full" || base == "aten::full_like" ||
            (base == "aten::fill" && operands.size() == 2 && !operands[1].state))
            return constant(arguments.real(1, "fill_value", 0));
        if (base == "aten::arange" && plan::element_count(result) > 0) {
            const bool several = step.args.size() > 1;
            return progression(several ? arguments.real(0, "start", 0) : 0, arguments.real(2, "step", 1));
        }
        if (base == "aten::linspace" && plan::element_count(result) > 0) {
            const double start = arguments.real(0, "start", 0), end = arguments.real(1, "end", 0);
            const double steps = std::max<double>(static_cast<double>(plan::element_count(result)) - 1, 1);
            return progression(start, (end - start) / steps);
        }
        if (operands.empty()) return {};
        if (base == "aten::tril" || base == "aten::triu") {
            const int64_t diagonal = arguments.whole(1, "diagonal", 0);
            if (result.shape.size() < 2) return {};
            operands.resize(1);
            const int64_t rows = result.shape[result.shape.size() - 2], columns = result.shape.back();
            const bool lower = base == "aten::tril";
            return [=](std::span<const double> x, int64_t i) {
                const int64_t beyond = i % columns - i / columns % rows;
                return (lower ? beyond <= diagonal : beyond >= diagonal) ? x[0] : 0.0;
            };
        }
        if (auto* function = plan::binary_function(base); function && operands.size() == 2) {
            if (arguments.text(2, "rounding_mode", "") != "") return {};
            const bool sum = base == "aten::add" || base == "aten::sub" || base == "aten::rsub";
            return [function, alpha = sum ? arguments.real(2, "alpha", 1) : 1](
                       std::span<const double> x, int64_t) { return function(x[0], x[1], alpha); };
        }
        if (base == "aten::copy" && operands.size() == 2) operands.erase(operands.begin());
        operands.resize(1);
        if (base == "aten::copy" || base == "aten::clone" || base == "aten::_to_copy")
            return [](std::span<const double> x, int64_t) { return x[0]; };
        if (!operands[0].state || !plan::pointwise(step.op, 0.5, arguments)) return {};
        return [step](std::span<const double> x, int64_t) {
            return *plan::pointwise(step.op, x[0], plan::StepArguments(step));
        };
    }

    const plan::Plan& reference_;
    const Leaves::Options& options_;
    const Leaves::Roles& roles_;
    bool drawn_ = false;
};

}  // namespace

std::optional<ComputedLeaf> computed_leaf(const plan::Plan& reference, const Tensor& tensor,
                                          const Leaves::Options& options, const Leaves::Roles& roles) {
    Reader reader(reference, options, roles);
    Shared state;
    try {
        state = reader.before(tensor.buffer, reference.steps.size(), 0);
    } catch (const plan::CannotEvaluate&) {
    }
    if (!state) return std::nullopt;
    const int64_t size = plan::element_size(tensor.dtype),
                  most = reference.buffers[static_cast<size_t>(tensor.buffer)].bytes / size;
    return ComputedLeaf{
        [state, size, most, dtype = tensor.dtype](int64_t offset, std::byte* out, int64_t count) {
            const int64_t first = offset / size, last = std::min((offset + count) / size, most);
            std::memset(out, 0, static_cast<size_t>(count));
            if (last <= first) return;
            std::vector<int64_t> offsets(static_cast<size_t>(last - first));
            for (size_t i = 0; i < offsets.size(); i++) offsets[i] = first + static_cast<int64_t>(i);
            std::vector<double> values(offsets.size());
            state->read(offsets, values);
            for (size_t i = 0; i < values.size(); i++)
                store(out + static_cast<int64_t>(i) * size, dtype, values[i]);
        },
        reader.drawn()};
}

}  // namespace tritonsmith::run
