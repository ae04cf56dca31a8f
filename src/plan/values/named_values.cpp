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

/// Numbers at which a comparison comes out otherwise; of reals, which lie on both sides, none by order.
std::vector<double> deciding(std::string_view base, double number, bool whole) {
    if (base == "eq" || base == "ne" || base == "isin") return {number};
    if (!whole) return {};
    if (base == "ge" || base == "lt") return {number - 1, number};
    if (base == "gt" || base == "le") return {number, number + 1};
    return {};
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
    if (deciding(base, 0, true).empty()) return std::nullopt;
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
    UsualLabels usual;
    std::set<int> met;
    const std::vector<bool> met_by_inputs = met_weights(reference);
    for (size_t i = 0; i < met_by_inputs.size(); ++i)
        if (met_by_inputs[i]) met.insert(reference.weights[i].tensor.buffer);
    for (const Executed& executed : executed_steps(reference)) {
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        if (!aten || executed.step->phase != Phase::forward) continue;
        if (there.follow(*executed.step, flow_of(*aten))) continue;
        if (usual.follow(*aten, executed.step->line)) continue;
        const std::optional<Asked> ask = asked(reference, *aten, met);
        if (!ask) continue;
        for (size_t i : there.in(ask->of->buffer))
            for (const double value : ask->values)
                if (holds(inputs[i].dtype, value)) found[i].insert(value);
    }
    std::vector<NamedValues> out;
    for (const auto& [input, values] : found) out.push_back({input, {values.begin(), values.end()}});
    return out;
}

}  // namespace tritonsmith::plan
