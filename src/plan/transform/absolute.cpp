#include "plan/transform/absolute.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "aten/catalogue.h"
#include "plan/analysis/flow.h"
#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/ir/rewrite.h"

namespace tritonsmith::plan {
namespace {

/// Masks that a softmax is to ignore keep their sign.
constexpr double kMask = -1e4;

bool is_signed_real(const Tensor& tensor) {
    return is_floating(tensor.dtype);
}

void make_positive(Value& value) {
    if (auto* number = std::get_if<double>(&value.v)) {
        if (*number > kMask) *number = std::abs(*number);
    } else if (auto* integer = std::get_if<int64_t>(&value.v)) {
        if (*integer < 0 && static_cast<double>(*integer) > kMask) *integer = -*integer;
    }
}

class Absolution {
  public:
    Absolution(const Plan& plan, const std::function<bool(const AtenStep&)>& given)
        : source_(plan), given_(given), out_(plan) {}

    Plan run() {
        for (const Executed& executed : executed_steps(source_)) {
            const Step& step = *executed.step;
            if (step.phase != Phase::forward) continue;
            out_.at(step.line);
            if (const auto* aten = std::get_if<AtenStep>(&step.what))
                rewrite(*aten);
            else
                out_.emit(step.what);
        }
        return out_.take();
    }

  private:
    void rewrite(AtenStep step) {
        OpName name(step.op);
        std::string base(name.base), overload(name.overload);
        remember_maximum(step);
        if (!real_result(step) || (given_ && given_(step))) return out_.emit(std::move(step));
        using Rule = aten::Magnitude;
        Rule rule = rule_of(step);
        if (rule == Rule::difference || rule == Rule::reversed_difference) {
            if (stabilises(step, base)) return out_.emit(std::move(step));
            const bool reversed = rule == Rule::reversed_difference;
            std::string add = in_place(step.op) ? "aten::add_" : "aten::add";
            if (!overload.empty()) add += "." + overload;
            if (reversed && overload == "Tensor" && step.args.size() >= 2)
                std::swap(step.args[0], step.args[1]);  // b - alpha·a
            step.op = add;
        } else if (rule == Rule::negation) {
            step.op = in_place(step.op) ? "aten::abs_" : "aten::abs";
        }
        if (op_is(step.op, aten::Trait::factors)) {
            for (Value& value : step.args) make_positive(value);
            for (auto& [key, value] : step.kwargs) make_positive(value);
        }
        take_maximum(step);
        switch (rule_of(step)) {
            case Rule::clamp:
                return emit_clamp(std::move(step));
            case Rule::clamp_one_side:
                return emit_clamp_one(std::move(step));
            case Rule::softmax:
                return emit_softmax(std::move(step));
            case Rule::lerp:
                return emit_lerp(std::move(step));
            case Rule::running_sum:
                return emit_cumsum(std::move(step));
            case Rule::distance:
                return emit_distance(std::move(step));
            case Rule::variance:
                return emit_variance(std::move(step), false);
            case Rule::deviation:
                return emit_variance(std::move(step), true);
            case Rule::norm:
                return emit_norm(std::move(step));
            case Rule::length:
                return emit_length(std::move(step));
            case Rule::entropy:
                return emit_entropy(std::move(step));
            case Rule::log_of_sum:
                return emit_log_of_sum(std::move(step));
            default:
                break;
        }
        const bool positive = !op_is(step.op, aten::Trait::negative) && !takes_integers(step);
        // Computed from terms of about one that cancel, in the forms that kernels give them: exp(x) - 1,
        // log(1 + x), 1 - 2 / (exp(2x) + 1), log(sigmoid(x)): the error is relative to one, however small the
        // result.
        const bool cancels = op_is(step.op, aten::Trait::near_one),
                   masks = op_is(step.op, aten::Trait::masks),
                   log_softmax = rule_of(step) == Rule::log_softmax;
        std::vector<Tensor> results = tensors_in(step.result), arguments = tensors_in(step.args);
        out_.emit(std::move(step));
        if (positive && !cancels) return;
        if (masks) return;
        for (const Tensor& result : results) {
            if (!is_signed_real(result)) continue;
            if (!positive) out_.emit("aten::abs_", {{result}}, {result});
            // x - log(sum(exp(x))): both are as large as x.
            if (log_softmax) out_.emit("aten::add_.Tensor", {{result}, {arguments[0]}}, {result});
            if (cancels) out_.emit("aten::add_.Scalar", {{result}, {1.0}}, {result});
        }
    }

    /// Integers keep their sign (they may be places and sizes): what becomes real of them may be negative.
    static bool takes_integers(const AtenStep& step) {
        if (!op_is(step.op, aten::Trait::keeps_integers)) return false;
        std::vector<Tensor> arguments = tensors_in(step.args);
        return std::any_of(arguments.begin(), arguments.end(), [](const Tensor& argument) {
            return !is_floating(argument.dtype) && argument.dtype != DType::b1;
        });
    }

    static aten::Magnitude rule_of(const AtenStep& step) {
        const aten::Operator* known = aten::find(OpName(step.op).base);
        return known ? known->magnitude : aten::Magnitude::as_values;
    }

    static bool real_result(const AtenStep& step) {
        std::vector<Tensor> results = tensors_in(step.result);
        return !results.empty() && is_signed_real(results[0]);
    }

    // x - max(x): the difference is what keeps exp finite, and it is exact enough.
    void remember_maximum(const AtenStep& step) {
        std::vector<Tensor> results = tensors_in(step.result), arguments = tensors_in(step.args);
        if (results.empty() || arguments.empty()) return;
        if (op_is(step.op, aten::Trait::maximum))
            maximum_of_[results[0].buffer] = arguments[0].buffer;
        else if (op_class(step.op) == OpClass::view || op_class(step.op) == OpClass::copy) {
            auto found = maximum_of_.find(arguments[0].buffer);
            if (found != maximum_of_.end()) maximum_of_[results[0].buffer] = found->second;
        }
    }

    bool stabilises(const AtenStep& step, const std::string& base) const {
        if (base == "rsub") return false;
        const auto* from = argument<Tensor>(step, 0);
        const auto* maximum = argument<Tensor>(step, 1);
        if (!from || !maximum) return false;
        auto found = maximum_of_.find(maximum->buffer);
        return found != maximum_of_.end() && found->second == from->buffer;
    }

    /// |min(a, b)| is at most the larger magnitude, not the smaller one.
    static void take_maximum(AtenStep& step) {
        if (rule_of(step) != aten::Magnitude::smaller) return;
        OpName name(step.op);
        std::string op = "aten::" + std::string(name.base);
        op.replace(op.find("min"), 3, "max");
        if (!name.overload.empty()) op += "." + std::string(name.overload);
        step.op = op;
    }

    static std::optional<double> number(const List& list, size_t index) {
        if (index >= list.size()) return std::nullopt;
        if (const auto* real = std::get_if<double>(&list[index].v)) return *real;
        if (const auto* integer = std::get_if<int64_t>(&list[index].v)) return static_cast<double>(*integer);
        return std::nullopt;
    }

    /// clamp(x, low, high) is as large as the bound that it hits, or has the rounding errors of x, which may
    /// be a sum of terms far larger than both bounds that cancel: those terms count, not what is left of
    /// them.
    void emit_clamp(AtenStep step) {
        OpName name(step.op);
        if (!name.overload.empty()) return emit_positive(std::move(step));  // bounds in tensors
        const std::optional<double> low = number(step.args, 1), high = number(step.args, 2);
        bounded(std::move(step), low, high);
    }

    void emit_clamp_one(AtenStep step) {
        OpName name(step.op);
        std::optional<double> bound = number(step.args, 1);
        if (!name.overload.empty() || !bound) return emit_positive(std::move(step));
        bool upper = name.base.starts_with("clamp_max");
        bounded(std::move(step), upper ? std::nullopt : bound, upper ? bound : std::nullopt);
    }

    /// At least the bound that zero would hit.
    void bounded(AtenStep step, std::optional<double> low, std::optional<double> high) {
        const double least = std::max({0.0, low.value_or(0), -high.value_or(0)});
        step.op = in_place(step.op) ? "aten::clamp_" : "aten::clamp";
        step.args = {step.args.at(0), {least}, {}};
        step.kwargs.clear();
        out_.emit(std::move(step));
    }

    void emit_positive(AtenStep step) {
        std::vector<Tensor> results = tensors_in(step.result);
        out_.emit(std::move(step));
        for (const Tensor& result : results)
            if (is_signed_real(result)) out_.emit("aten::abs_", {{result}}, {result});
    }

    /// f(a - b): b is negated, so that f sees a + b.
    void emit_distance(AtenStep step) {
        const auto* subtracted = argument<Tensor>(step, 1);
        if (!subtracted) return out_.emit(std::move(step));
        Tensor negated = out_.scratch(*subtracted, subtracted->dtype);
        out_.emit("aten::neg", {{*subtracted}}, {negated});
        step.args[1] = {negated};
        out_.emit(std::move(step));
        out_.drop(negated);
    }

    /// exp2(x · log2 e - max · log2 e) is a softmax too, and so is exp(x - log(sum(exp(x)))) of what a
    /// forward pass left: half a unit in the last place of each of two numbers as large as x (where one is
    /// much larger than the other, the result is zero) is |x| · eps, the 16th part of the 16 · eps that the
    /// bound allows.
    void emit_softmax(AtenStep step) {
        const auto* result = std::get_if<Tensor>(&step.result.v);
        const auto* source = argument<Tensor>(step, 0);
        if (!result || !source) return out_.emit(std::move(step));
        const Tensor out = *result, x = *source, factor = out_.scratch(out, out.dtype);
        out_.emit(std::move(step));
        out_.emit("aten::clamp", {{x}, {0.0}, {-kMask}}, {factor});  // masks stay out of it
        out_.emit("aten::mul_.Scalar", {{factor}, {1.0 / 16}}, {factor});
        out_.emit("aten::add_.Scalar", {{factor}, {1.0}}, {factor});
        out_.emit("aten::mul_.Tensor", {{out}, {factor}}, {out});
        out_.drop(factor);
    }

    /// sqrt(x·x + y·y), as most kernels compute it, is zero where the squares are below the least normal
    /// number, 2^-126: an error of up to 2^-62.5, which the 2^-20 · S of a bound must have room for.
    void emit_length(AtenStep step) {
        const std::vector<Tensor> results = tensors_in(step.result), arguments = tensors_in(step.args);
        const bool several = arguments.size() > 1 || (!arguments.empty() && !is_signed_real(arguments[0]));
        out_.emit(std::move(step));
        if (!several) return;  // abs of a real number
        for (const Tensor& result : results) out_.emit("aten::clamp_", {{result}, {0x1p-42}, {}}, {result});
    }

    /// Of a probability p kernels take log(1 - p): half a unit in the last place of a number below one,
    /// 2^-25, and as much again by the logarithm of what is next to one: a sixteenth of the 2^-20 · S of a
    /// bound.
    void emit_entropy(AtenStep step) {
        constexpr double of_one = 1.0 / 16;
        const std::vector<Tensor> results = tensors_in(step.result), arguments = tensors_in(step.args);
        const auto* weight = argument<Tensor>(step, 2, "weight");
        const std::optional<Tensor> weights = weight ? std::optional(*weight) : std::nullopt;
        const int64_t reduction = StepArguments(step).whole(3, "reduction", 1);
        emit_positive(std::move(step));
        if (results.empty() || arguments.empty()) return;
        const bool each = reduction == 0, sum = reduction == 2;
        if (each && weights)
            return out_.emit("aten::add_.Tensor", {{results[0]}, {*weights}}, {results[0]},
                             {{"alpha", {of_one}}});
        const double terms = sum ? static_cast<double>(element_count(arguments[0])) : 1;
        out_.emit("aten::add_.Scalar", {{results[0]}, {of_one * terms}}, {results[0]});
    }

    /// x · log(1 + y), as log1p itself may be computed: the one that is added counts, x times.
    void emit_log_of_sum(AtenStep step) {
        const std::vector<Tensor> results = tensors_in(step.result);
        Value factor = step.args.at(0);
        make_positive(factor);
        emit_positive(std::move(step));
        if (results.empty()) return;
        const bool by_tensor = std::holds_alternative<Tensor>(factor.v);
        out_.emit(by_tensor ? "aten::add_.Tensor" : "aten::add_.Scalar", {{results[0]}, factor},
                  {results[0]});
    }

    /// a + w · (b - a), however it is computed: a + |w| · (a + b).
    void emit_lerp(AtenStep step) {
        const auto* result = std::get_if<Tensor>(&step.result.v);
        const auto* from = std::get_if<Tensor>(&step.args.at(0).v);
        const auto* to = step.args.size() > 2 ? std::get_if<Tensor>(&step.args[1].v) : nullptr;
        if (!result || !from || !to) return out_.emit(std::move(step));
        Tensor sum = out_.scratch(*result, result->dtype);
        const bool by_tensor = std::holds_alternative<Tensor>(step.args[2].v);
        out_.emit("aten::add.Tensor", {{*from}, {*to}}, {sum});
        out_.emit(by_tensor ? "aten::mul_.Tensor" : "aten::mul_.Scalar", {{sum}, step.args[2]}, {sum});
        if (in_place(step.op))
            out_.emit("aten::add_.Tensor", {{*from}, {sum}}, {*result});
        else
            out_.emit("aten::add.Tensor", {{*from}, {sum}}, {*result});
        out_.drop(sum);
    }

    /// Sums from the end are made of sums from the start, as total - sum + element: each has rounding errors
    /// of the total, which is added to it.
    void emit_cumsum(AtenStep step) {
        const auto* result = std::get_if<Tensor>(&step.result.v);
        const std::optional<double> dim = number(step.args, 1);
        if (!result || !dim || result->shape.empty()) return out_.emit(std::move(step));
        const Tensor out = *result;
        const auto rank = static_cast<int64_t>(out.shape.size());
        const auto along = (static_cast<int64_t>(*dim) + rank) % rank;
        Tensor last = out;
        last.shape[static_cast<size_t>(along)] = 1;
        last = out_.scratch(last, out.dtype);
        out_.emit(std::move(step));
        if (element_count(out) == 0) return;
        out_.emit("aten::amax", {{out}, sizes({along}), {true}}, {last});
        out_.emit("aten::add_.Tensor", {{out}, {last}}, {out});
        out_.drop(last);
    }

    /// Of x - mean(x): the mean of squares instead, so that what cancels counts. var + mean², std + mean.
    void emit_variance(AtenStep step, bool deviation) {
        const auto* result = std::get_if<Tensor>(&step.result.v);
        const auto* source = argument<Tensor>(step, 0);
        if (!result || !source) return out_.emit(std::move(step));
        Tensor out = *result, mean = out_.scratch(out, out.dtype);
        std::vector<Value> arguments{{*source}};
        std::string op = "aten::mean";
        bool dims = argument<Sequence>(step, 1) != nullptr;
        if (dims) {
            op = "aten::mean.dim";
            arguments.push_back(step.args[1]);
            bool keep = out.shape.size() == source->shape.size();
            arguments.push_back({keep});
        } else if (element_count(out) != 1 || !out.shape.empty()) {
            return out_.emit(std::move(step));
        }
        out_.emit(std::move(step));
        out_.emit(op, arguments, {mean});
        if (!deviation) out_.emit("aten::square_", {{mean}}, {mean});
        out_.emit("aten::add_.Tensor", {{out}, {mean}}, {out});
        out_.drop(mean);
    }

    /// (x - mean) · rstd · weight + bias becomes (|(x - mean) · rstd| + 2) · weight + bias: without the 2,
    /// elements next to the mean would seem to have no rounding error. (For |x| of the usual inputs mean ·
    /// rstd is between 1 and 2.)
    void emit_norm(AtenStep step) {
        std::string_view base = OpName(step.op).base;
        bool layer = base == "native_layer_norm";
        size_t weight_at = layer ? 2 : 1;
        const auto* sequence = std::get_if<Sequence>(&step.result.v);
        const auto* first =
            sequence && !sequence->items.empty() ? std::get_if<Tensor>(&sequence->items[0].v) : nullptr;
        if (!first || step.args.size() <= weight_at + 1) return out_.emit(std::move(step));
        Tensor out = *first;
        Value weight = step.args[weight_at], bias = step.args[weight_at + 1];
        bool optional = base != "cudnn_batch_norm";  // its weight is no optional argument
        if (optional) step.args[weight_at] = step.args[weight_at + 1] = {};
        out_.emit(std::move(step));
        out_.emit("aten::abs_", {{out}}, {out});
        out_.emit("aten::add_.Scalar", {{out}, {2.0}}, {out});
        if (!optional) return;
        auto apply = [&](const char* op, const Value& value) {
            const auto* tensor = std::get_if<Tensor>(&value.v);
            if (!tensor) return;
            Tensor seen = *tensor;
            if (!layer && seen.shape.size() == 1) {  // one value a channel: dimension 1 of the output
                for (size_t i = 2; i < out.shape.size(); ++i) {
                    seen.shape.push_back(1);
                    seen.stride.push_back(1);
                }
                out_.emit("aten::as_strided",
                          {{*tensor}, sizes(seen.shape), sizes(seen.stride), {seen.offset}}, {seen});
            }
            out_.emit(op, {{out}, {seen}}, {out});
        };
        apply("aten::mul_.Tensor", weight);
        apply("aten::add_.Tensor", bias);
    }

    static Value sizes(const std::vector<int64_t>& numbers) {
        Sequence sequence;
        for (int64_t number : numbers) sequence.items.push_back({number});
        return {sequence};
    }

    const Plan& source_;
    const std::function<bool(const AtenStep&)>& given_;
    Rewriter out_;
    std::map<int, int> maximum_of_;  ///< buffer of a maximum → buffer that it is the maximum of
};

}  // namespace

Plan absolute(const Plan& promoted, const std::function<bool(const AtenStep&)>& given) {
    return Absolution(promoted, given).run();
}

}  // namespace tritonsmith::plan
