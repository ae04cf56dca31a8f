#include "plan/values/named_values.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "plan/analysis/flow.h"
#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/values/input_use.h"
#include "plan/values/known_number.h"
#include "plan/values/met_weights.h"

namespace tritonsmith::plan {
namespace {

/// PyTorch's own, which a task that never says it does not have in mind.
constexpr int64_t kUsualIgnoredLabel = -100;

struct Asked {
    const Tensor* of;
    std::vector<double> values;
};

bool orders(std::string_view base) {
    return base == "ge" || base == "gt" || base == "le" || base == "lt";
}

/// Numbers at which a comparison comes out otherwise.
std::vector<double> deciding(std::string_view base, double number, bool whole) {
    if (base == "eq" || base == "ne" || base == "isin") return {number};
    if (!whole) return orders(base) ? std::vector{number} : std::vector<double>{};
    if (base == "ge" || base == "lt") return {number - 1, number};
    if (base == "gt" || base == "le") return {number, number + 1};
    return {};
}

/// The ends of a histogram's range, and where its bins have edges that no formula rounds, these.
std::vector<double> edges_of_bins(double low, double high, double bins) {
    constexpr double kFew = 64, kDyadic = 0x1p-10;
    const double width = (high - low) / bins;
    const auto exact = [](double number) { return std::fmod(number, kDyadic) == 0; };
    if (bins > kFew || !exact(low) || !exact(width)) return {low, high};
    std::vector<double> out;
    for (int i = 0; i <= static_cast<int>(bins); ++i) out.push_back(low + i * width);
    return out;
}

/// Thresholds of operators that take another case beyond them, and the ends of a histogram's range.
std::optional<Asked> bounds(const AtenStep& step) {
    const std::string_view base = OpName(step.op).base;
    const auto* of = argument<Tensor>(step, 0);
    const std::optional<double> one = as_number(find_argument(step, 1)),
                                low = as_number(find_argument(step, 2)),
                                high = as_number(find_argument(step, 3));
    if (!of || !is_floating(of->dtype)) return std::nullopt;
    if (base == "threshold" && one) return Asked{of, {*one}};
    if (base == "hardshrink") return Asked{of, {one.value_or(0.5), -one.value_or(0.5)}};
    if (base == "histc" && one && low && high && *low < *high)
        return Asked{of, edges_of_bins(*low, *high, *one)};
    return std::nullopt;
}

/// @param met buffers that hold weights of met_weights
std::optional<Asked> asked(const Plan& plan, const AtenStep& step, const std::set<int>& met) {
    const std::string_view base = OpName(step.op).base;
    if (base.starts_with("nll_loss") || base == "cross_entropy_loss") {
        const auto* target = argument<Tensor>(step, 1, "target");
        const auto* ignored = argument<int64_t>(step, 4, "ignore_index");
        if (!target || !ignored || *ignored == kUsualIgnoredLabel) return std::nullopt;
        return Asked{target, {static_cast<double>(*ignored)}};
    }
    if (deciding(base, 0, true).empty()) return bounds(step);
    const auto* one = argument<Tensor>(step, 0);
    const Value* other = find_argument(step, 1);
    if (!one || !other) return std::nullopt;
    const auto* tensor = std::get_if<Tensor>(&other->v);
    const std::optional<double> number = as_number(other);
    std::vector<double> numbers = tensor ? known_numbers(plan, *tensor) : std::vector<double>{};
    if (number) numbers = {*number};
    Asked out{one, {}};
    for (const double stated : numbers) {
        if (!std::isfinite(stated)) continue;
        // A weight that is redrawn holds the next one.
        for (const double value : {stated, stated + 1}) {
            if (value != stated && (!tensor || !met.contains(tensor->buffer))) continue;
            for (const double at : deciding(base, value, !is_floating(one->dtype))) out.values.push_back(at);
        }
    }
    return out.values.empty() ? std::nullopt : std::optional(out);
}

/// Losses with label smoothing that ignore what PyTorch ignores unless it is told otherwise: they become a
/// loss and a comparison (`eq`) of the same labels with that number, in one line.
class UsualLabels {
  public:
    /// @return whether the step is such a comparison
    bool follow(const AtenStep& step, int line) {
        const std::string_view base = OpName(step.op).base;
        if (base.starts_with("nll_loss")) {
            const auto* target = argument<Tensor>(step, 1, "target");
            const auto* ignored = argument<int64_t>(step, 4, "ignore_index");
            if (target && ignored && *ignored == kUsualIgnoredLabel)
                losses_.insert({target->buffer, target->offset, line});
            return false;
        }
        const auto* labels = argument<Tensor>(step, 0);
        if (base != "eq" || !labels || as_number(find_argument(step, 1)) != kUsualIgnoredLabel) return false;
        return losses_.erase({labels->buffer, labels->offset, line}) > 0;
    }

  private:
    std::set<std::tuple<int, int64_t, int>> losses_;
};

/// Weights of reals that inputs of reals are compared with, or sorted into bins by.
class MetReals {
  public:
    explicit MetReals(const Plan& plan) : weights_(tensors_of_weights(plan)), there_(weights_) {}

    void follow(const Step& step, const AtenStep& aten, const TensorsThere& inputs,
                std::map<size_t, std::set<size_t>>& out) {
        const Flow flow = flow_of(aten);
        if (there_.follow(step, flow)) return;
        const std::string_view base = OpName(aten.op).base;
        const auto *one = argument<Tensor>(aten, 0), *other = argument<Tensor>(aten, 1);
        const bool compared = orders(base) || base == "eq" || base == "ne";
        if (!one || !other || (!compared && !boundaries_of(aten))) return;
        for (const auto& [input, weight] : {std::pair{one, other}, std::pair{other, one}}) {
            if (!is_real(*input)) continue;
            for (const size_t i : inputs.in(input->buffer))
                for (const size_t w : there_.in(weight->buffer))
                    if (is_real(weights_[w])) out[i].insert(w);
        }
    }

  private:
    static bool is_real(const Tensor& tensor) { return holds_reals(tensor) && element_count(tensor) > 0; }

    std::vector<Tensor> weights_;
    TensorsThere there_;
};

/// Inputs whose magnitudes, or negatives, a buffer holds.
class Mirrored {
  public:
    void follow(const AtenStep& step, const TensorsThere& inputs) {
        const std::string_view base = OpName(step.op).base;
        const auto *of = argument<Tensor>(step, 0), *result = std::get_if<Tensor>(&step.result.v);
        if ((base == "abs" || base == "neg") && of && result) there_[result->buffer] = inputs.in(of->buffer);
    }
    std::set<size_t> in(int buffer) const {
        const auto found = there_.find(buffer);
        return found == there_.end() ? std::set<size_t>{} : found->second;
    }

  private:
    std::map<int, std::set<size_t>> there_;
};

bool holds(DType dtype, double value) {
    if (is_floating(dtype)) return element_size(dtype) > 1 && std::abs(value) < 6e4;
    if (dtype == DType::c64 || dtype == DType::c128 || dtype == DType::b1 || value != std::floor(value))
        return false;
    const bool is_unsigned =
        dtype == DType::u8 || dtype == DType::u16 || dtype == DType::u32 || dtype == DType::u64;
    const int bits = std::min(8 * element_size(dtype), 53);
    const double low = is_unsigned ? 0 : -std::ldexp(1, bits - 1);
    return value >= low && value < std::ldexp(1, is_unsigned ? bits : bits - 1);
}

}  // namespace

std::vector<NamedValues> named_values(const Plan& reference) {
    const std::vector<Tensor> inputs = tensors_in(reference.inputs);
    TensorsThere there(inputs);
    std::map<size_t, std::set<double>> found;
    std::map<size_t, std::set<size_t>> found_weights;
    MetReals met_reals(reference);
    Mirrored mirrored;
    UsualLabels usual;
    std::set<int> met;
    const std::vector<bool> met_by_inputs = met_weights(reference);
    for (size_t i = 0; i < met_by_inputs.size(); ++i)
        if (met_by_inputs[i]) met.insert(reference.weights[i].tensor.buffer);
    for (const Executed& executed : executed_steps(reference)) {
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        if (!aten || executed.step->phase != Phase::forward) continue;
        if (there.follow(*executed.step, flow_of(*aten))) continue;
        mirrored.follow(*aten, there);
        met_reals.follow(*executed.step, *aten, there, found_weights);
        if (usual.follow(*aten, executed.step->line)) continue;
        const std::optional<Asked> ask = asked(reference, *aten, met);
        if (!ask) continue;
        for (size_t i : there.in(ask->of->buffer))
            for (const double value : ask->values)
                if (holds(inputs[i].dtype, value)) found[i].insert(value);
        for (size_t i : mirrored.in(ask->of->buffer))
            for (const double value : ask->values)
                if (holds(inputs[i].dtype, value) && holds(inputs[i].dtype, -value))
                    found[i].insert({value, -value});
    }
    std::vector<NamedValues> out;
    for (const auto& [input, weights] : found_weights) found[input];
    for (const auto& [input, values] : found) {
        const std::set<size_t>& weights = found_weights[input];
        out.push_back({input, {values.begin(), values.end()}, {weights.begin(), weights.end()}});
    }
    return out;
}

}  // namespace tritonsmith::plan
