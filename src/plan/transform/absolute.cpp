#include "plan/transform/absolute.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "plan/analysis/flow.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/ir/rewrite.h"

namespace tritonsmith::plan {
namespace {

using Names = std::set<std::string_view>;

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

/// Operators whose scalar arguments are terms or factors (others hold dimensions and sizes, which keep their
/// sign).
const Names& with_factors() {
    static const Names names{
        "add",       "add_",     "sub",           "sub_",        "rsub",         "mul",       "mul_",
        "div",       "div_",     "addmm",         "addmm_",      "addmv",        "baddbmm",   "baddbmm_",
        "addbmm",    "addcmul",  "addcmul_",      "addcdiv",     "addcdiv_",     "fill_",     "full",
        "full_like", "new_full", "scalar_tensor", "masked_fill", "masked_fill_", "threshold", "where",
        "lerp",      "lerp_",    "fill"};
    return names;
}
/// Results that may be negative although no argument is.
const Names& may_go_negative() {
    static const Names names{"log",
                             "log_",
                             "log2",
                             "log10",
                             "log1p",
                             "_log_softmax",
                             "logsumexp",
                             "log_sigmoid_forward",
                             "sin",
                             "sin_",
                             "cos",
                             "cos_",
                             "tan",
                             "erfinv",
                             "lgamma",
                             "digamma",
                             "nll_loss_forward",
                             "nll_loss2d_forward",
                             "native_layer_norm",
                             "native_group_norm",
                             "native_batch_norm",
                             "cudnn_batch_norm",
                             "_native_batch_norm_legit",
                             "_native_batch_norm_legit_no_training",
                             "batch_norm_elemt",
                             "binary_cross_entropy",
                             "binary_cross_entropy_with_logits",
                             "softplus",
                             "linspace",
                             "arange",
                             "remainder",
                             "fmod",
                             "xlogy",
                             "threshold",
                             "where",
                             "masked_fill",
                             "masked_fill_",
                             "fill_",
                             "full",
                             "scalar_tensor",
                             "copysign",
                             "grid_sampler_2d",
                             "upsample_bicubic2d",
                             "acos",
                             "log_normal_",
                             "normal_",
                             "uniform_",
                             "randn",
                             "rand"};
    return names;
}

/// Computed from terms of about one that cancel, in the forms that kernels give them: exp(x) - 1, log(1 + x),
/// 1 - 2 / (exp(2x) + 1), log(sigmoid(x)). Their rounding error is relative to one, however small the result.
const Names& near_one() {
    static const Names names{"elu",    "elu_",  "selu",  "selu_", "celu",   "celu_", "expm1",
                             "expm1_", "tanh",  "tanh_", "log1p", "log1p_", "sinh",  "sinh_",
                             "asinh",  "atanh", "log",   "log_",  "log2",   "log10", "log_sigmoid_forward",
                             "logit"};
    return names;
}

/// f(a - b) for the pair of arguments at these positions: the second is negated, so that f sees a + b.
std::pair<int, int> difference(std::string_view base) {
    static const std::map<std::string_view, std::pair<int, int>> table{
        {"mse_loss", {0, 1}},   {"l1_loss", {0, 1}},        {"smooth_l1_loss", {0, 1}},
        {"huber_loss", {0, 1}}, {"_cdist_forward", {0, 1}}, {"_euclidean_dist", {0, 1}},
        {"cdist", {0, 1}},      {"dist", {0, 1}},           {"pairwise_distance", {0, 1}}};
    auto found = table.find(base);
    return found == table.end() ? std::pair{-1, -1} : found->second;
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
        remember_maximum(step, base);
        if (!real_result(step) || (given_ && given_(step))) return out_.emit(std::move(step));
        if (base == "sub" || base == "sub_" || base == "rsub") {
            if (stabilises(step, base)) return out_.emit(std::move(step));
            bool reversed = base == "rsub";
            std::string add = base == "sub_" ? "aten::add_" : "aten::add";
            if (!overload.empty()) add += "." + overload;
            if (reversed && overload == "Tensor" && step.args.size() >= 2)
                std::swap(step.args[0], step.args[1]);  // b - alpha·a
            step.op = add;
        } else if (base == "neg" || base == "neg_") {
            step.op = base == "neg" ? "aten::abs" : "aten::abs_";
        }
        std::string_view now = OpName(step.op).base;
        if (with_factors().contains(now)) {
            for (Value& value : step.args) make_positive(value);
            for (auto& [key, value] : step.kwargs) make_positive(value);
        }
        if (now == "clamp" || now == "clamp_" || now == "hardtanh" || now == "hardtanh_")
            return emit_clamp(std::move(step));
        if (now.starts_with("clamp_m")) return emit_clamp_one(std::move(step));
        take_maximum(step);
        now = OpName(step.op).base;
        if (now == "_softmax" || now == "_safe_softmax") return emit_softmax(std::move(step));
        if (now == "lerp" || now == "lerp_") return emit_lerp(std::move(step));
        if (now == "cumsum" || now == "cumsum_") return emit_cumsum(std::move(step));
        if (auto [left, right] = difference(now); right >= 0)
            return emit_difference(std::move(step), static_cast<size_t>(right));
        if (now == "var" || now == "std") return emit_variance(std::move(step), now == "std");
        bool norm = now == "native_layer_norm" || now == "native_group_norm" || now == "native_batch_norm" ||
                    now == "cudnn_batch_norm" || now == "_native_batch_norm_legit";
        if (norm) return emit_norm(std::move(step));
        bool positive = !may_go_negative().contains(now) && !takes_integers(step, now);
        std::vector<Tensor> results = tensors_in(step.result), arguments = tensors_in(step.args);
        bool masks = now == "where" || now.starts_with("masked_fill") || now == "full" || now == "fill_" ||
                     now == "scalar_tensor";
        bool cancels = near_one().contains(now), log_softmax = now == "_log_softmax";
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
    static bool takes_integers(const AtenStep& step, std::string_view base) {
        static const Names names{"_to_copy", "to", "copy_", "mul", "mul_", "div", "div_"};
        if (!names.contains(base)) return false;
        std::vector<Tensor> arguments = tensors_in(step.args);
        return std::any_of(arguments.begin(), arguments.end(), [](const Tensor& argument) {
            return !is_floating(argument.dtype) && argument.dtype != DType::b1;
        });
    }

    static bool real_result(const AtenStep& step) {
        std::vector<Tensor> results = tensors_in(step.result);
        return !results.empty() && is_signed_real(results[0]);
    }

    // x - max(x): the difference is what keeps exp finite, and it is exact enough.
    void remember_maximum(const AtenStep& step, const std::string& base) {
        std::vector<Tensor> results = tensors_in(step.result), arguments = tensors_in(step.args);
        if (results.empty() || arguments.empty()) return;
        if (base == "amax" || base == "max" || base == "logsumexp" || base == "cummax")
            maximum_of_[results[0].buffer] = arguments[0].buffer;
        else if (op_class(step.op) == OpClass::view || op_class(step.op) == OpClass::copy) {
            auto found = maximum_of_.find(arguments[0].buffer);
            if (found != maximum_of_.end()) maximum_of_[results[0].buffer] = found->second;
        }
    }

    bool stabilises(const AtenStep& step, const std::string& base) const {
        if (base == "rsub" || step.args.size() < 2) return false;
        const auto* from = std::get_if<Tensor>(&step.args[0].v);
        const auto* maximum = std::get_if<Tensor>(&step.args[1].v);
        if (!from || !maximum) return false;
        auto found = maximum_of_.find(maximum->buffer);
        return found != maximum_of_.end() && found->second == from->buffer;
    }

    /// |min(a, b)| is at most the larger magnitude, not the smaller one.
    static void take_maximum(AtenStep& step) {
        static const std::map<std::string_view, std::string_view> table{
            {"minimum", "maximum"}, {"amin", "amax"}, {"min", "max"}, {"fmin", "fmax"}};
        OpName name(step.op);
        auto found = table.find(name.base);
        if (found == table.end()) return;
        std::string op = "aten::" + std::string(found->second);
        if (!name.overload.empty()) op += "." + std::string(name.overload);
        step.op = op;
    }

    static std::optional<double> number(const List& list, size_t index) {
        if (index >= list.size()) return std::nullopt;
        if (const auto* real = std::get_if<double>(&list[index].v)) return *real;
        if (const auto* integer = std::get_if<int64_t>(&list[index].v)) return static_cast<double>(*integer);
        return std::nullopt;
    }

    /// clamp(x, low, high) lies between -max(|low|, |high|) and that, or is as large as |x|, or as the bound
    /// that it hits.
    void emit_clamp(AtenStep step) {
        OpName name(step.op);
        if (!name.overload.empty()) return emit_positive(std::move(step));  // bounds in tensors
        bool hard = name.base.starts_with("hardtanh");
        std::optional<double> low = number(step.args, 1), high = number(step.args, 2);
        if (hard && !low) low = -1;
        if (hard && !high) high = 1;
        bounded(std::move(step), low, high);
    }

    void emit_clamp_one(AtenStep step) {
        OpName name(step.op);
        std::optional<double> bound = number(step.args, 1);
        if (!name.overload.empty() || !bound) return emit_positive(std::move(step));
        bool upper = name.base.starts_with("clamp_max");
        bounded(std::move(step), upper ? std::nullopt : bound, upper ? bound : std::nullopt);
    }

    /// As a clamp of the (not negative) argument.
    void bounded(AtenStep step, std::optional<double> low, std::optional<double> high) {
        double least = std::max({0.0, low.value_or(0), -high.value_or(0)});
        Value most;
        if (low && high) most = {std::max({std::abs(*low), std::abs(*high), least})};
        step.op = in_place(step.op) ? "aten::clamp_" : "aten::clamp";
        step.args = {step.args.at(0), {least}, most};
        step.kwargs.clear();
        out_.emit(std::move(step));
    }

    void emit_positive(AtenStep step) {
        std::vector<Tensor> results = tensors_in(step.result);
        out_.emit(std::move(step));
        for (const Tensor& result : results)
            if (is_signed_real(result)) out_.emit("aten::abs_", {{result}}, {result});
    }

    void emit_difference(AtenStep step, size_t position) {
        const auto* subtracted =
            position < step.args.size() ? std::get_if<Tensor>(&step.args[position].v) : nullptr;
        if (!subtracted) return out_.emit(std::move(step));
        Tensor negated = out_.scratch(*subtracted, subtracted->dtype);
        out_.emit("aten::neg", {{*subtracted}}, {negated});
        step.args[position] = {negated};
        out_.emit(std::move(step));
        out_.drop(negated);
    }

    /// exp2(x · log2 e - max · log2 e) is a softmax too, and so is exp(x - log(sum(exp(x)))) of what a forward pass
    /// left: half a unit in the last place of each of two numbers as large as x (where one is much larger than the
    /// other, the result is zero) is |x| · eps, the 16th part of the 16 · eps that the bound allows.
    void emit_softmax(AtenStep step) {
        const auto* result = std::get_if<Tensor>(&step.result.v);
        const auto* source = step.args.empty() ? nullptr : std::get_if<Tensor>(&step.args[0].v);
        if (!result || !source) return out_.emit(std::move(step));
        const Tensor out = *result, x = *source, factor = out_.scratch(out, out.dtype);
        out_.emit(std::move(step));
        out_.emit("aten::clamp", {{x}, {0.0}, {-kMask}}, {factor});  // masks stay out of it
        out_.emit("aten::mul_.Scalar", {{factor}, {1.0 / 16}}, {factor});
        out_.emit("aten::add_.Scalar", {{factor}, {1.0}}, {factor});
        out_.emit("aten::mul_.Tensor", {{out}, {factor}}, {out});
        out_.drop(factor);
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
        const auto* source = step.args.empty() ? nullptr : std::get_if<Tensor>(&step.args[0].v);
        if (!result || !source) return out_.emit(std::move(step));
        Tensor out = *result, mean = out_.scratch(out, out.dtype);
        std::vector<Value> arguments{{*source}};
        std::string op = "aten::mean";
        bool dims = step.args.size() > 1 && std::holds_alternative<Sequence>(step.args[1].v);
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
