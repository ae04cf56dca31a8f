#include "plan/analysis/reduction.h"

#include <algorithm>
#include <cmath>

#include "aten/catalogue.h"
#include "plan/analysis/flow.h"
#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/ir/saturate.h"

namespace tritonsmith::plan {
namespace {

int64_t size_at(const Tensor* tensor, int64_t dimension) {
    if (!tensor || tensor->shape.empty()) return 1;
    auto rank = static_cast<int64_t>(tensor->shape.size());
    if (dimension < 0) dimension += rank;
    return dimension >= 0 && dimension < rank ? tensor->shape[static_cast<size_t>(dimension)] : 1;
}

int64_t integer_at(const AtenStep& step, size_t index, int64_t otherwise) {
    const auto* value = argument<int64_t>(step, index);
    return value ? *value : otherwise;
}

int64_t product(const AtenStep& step, size_t index) {
    const auto* list = argument<Sequence>(step, index);
    int64_t out = 1;
    if (list)
        for (const Value& item : list->items)
            if (const auto* size = std::get_if<int64_t>(&item.v))
                out = saturating_multiply(out, std::max<int64_t>(*size, 1));
    return out;
}

/// Elements of the first argument for each of the first result.
int64_t ratio(const AtenStep& step) {
    std::vector<Tensor> in = tensors_in(step.args), out = tensors_in(step.result);
    if (in.empty() || out.empty()) return 1;
    int64_t results = std::max<int64_t>(element_count(out[0]), 1);
    return std::max<int64_t>(element_count(in[0]) / results, 1);
}

int64_t convolution(const Tensor* weight, bool transposed) {
    if (!weight || weight->shape.empty()) return 1;
    // [out, in/groups, k…], transposed [in, out/groups, k…]: the largest sum over a group's inputs and the
    // window.
    int64_t other = transposed && weight->shape.size() > 1 ? weight->shape[1] : weight->shape[0];
    return element_count(*weight) / std::max<int64_t>(other, 1);
}

/// Elements that share a channel (dimension 1).
int64_t ratio_to_channels(const Tensor* input) {
    return input ? std::max<int64_t>(element_count(*input) / std::max<int64_t>(size_at(input, 1), 1), 1) : 1;
}

/// Rows of a tensor whose elements may all meet in one.
int64_t rows(const Tensor* added) {
    return added ? std::max<int64_t>(element_count(*added) / std::max<int64_t>(size_at(added, -1), 1), 1) : 1;
}

int64_t group(const AtenStep& step) {  // input, weight, bias, N, C, HxW, group
    const int64_t groups = std::max<int64_t>(integer_at(step, 6, 1), 1);
    const int64_t channels = std::max<int64_t>(integer_at(step, 4, 1), 1),
                  pixels = std::max<int64_t>(integer_at(step, 5, 1), 1);
    return std::max<int64_t>(saturating_multiply(channels, pixels) / groups, 1);
}

/// Each step of the sequence sums over input and state, and the state carries errors on.
int64_t sums_in_turn(const AtenStep& step) {
    std::vector<Tensor> arguments = tensors_in(step.args);
    int64_t widest = 1;
    for (size_t i = 1; i < arguments.size(); ++i) widest = std::max(widest, size_at(&arguments[i], -1));
    const Tensor* sequence = argument<Tensor>(step, 0);
    return saturating_multiply(widest, std::max(size_at(sequence, 0), size_at(sequence, 1)));
}

}  // namespace

int64_t reduction_length(const AtenStep& step) {
    const aten::Operator* op = aten::find(OpName(step.op).base);
    const Tensor *first = argument<Tensor>(step, 0), *second = argument<Tensor>(step, 1);
    switch (op ? op->sum : aten::Sum::none) {
        case aten::Sum::none:
            return 1;
        case aten::Sum::last:
            return size_at(first, -1);
        case aten::Sum::last_of_second:
            return size_at(second, -1);
        case aten::Sum::batches:
            return saturating_multiply(size_at(second, -1), size_at(second, 0));
        case aten::Sum::convolution: {
            const bool* transposed = argument<bool>(step, 6);
            return convolution(second, transposed && *transposed);
        }
        case aten::Sum::window_of_inputs:
            return convolution(second, false);
        case aten::Sum::window_of_outputs:
            return convolution(second, true);
        case aten::Sum::dimension:
            return size_at(first, integer_at(step, 1, -1));
        case aten::Sum::normalized_shape:
            return product(step, 1);
        case aten::Sum::group:
            return group(step);
        case aten::Sum::channel:
            return ratio_to_channels(first);
        case aten::Sum::attention:
            return std::max(size_at(second, -2), size_at(first, -1));
        case aten::Sum::recurrent:
            return sums_in_turn(step);
        // Every sample contributes one class, whatever their number. (log_probabilities, target, …)
        case aten::Sum::samples:
            return second ? element_count(*second) : 1;
        case aten::Sum::pool:
            return std::max(product(step, 1), ratio(step));
        case aten::Sum::ratio:
            return ratio(step);
        case aten::Sum::added:
            return rows(argument<Tensor>(step, 3));
        case aten::Sum::put:
            return rows(argument<Tensor>(step, 2));
        case aten::Sum::all:
            return element_count(first ? *first : Tensor{});
    }
    return 1;
}

bool sums_products(const AtenStep& step) {
    const aten::Operator* op = out_of_place(step.op);
    return op_is(step.op, aten::Trait::products) || (op && op->is(aten::Trait::products)) || averages(step);
}

bool recurrent(const AtenStep& step) {
    const aten::Operator* op = aten::find(OpName(step.op).base);
    return op && op->sum == aten::Sum::recurrent;
}

bool recurs(const Plan& reference) {
    return std::any_of(reference.steps.begin(), reference.steps.end(), [](const Step& step) {
        const auto* aten = std::get_if<AtenStep>(&step.what);
        return aten && step.phase == Phase::forward && recurrent(*aten);
    });
}

bool averages(const AtenStep& step) {
    return op_is(step.op, aten::Trait::averages);
}

int64_t longest_reduction(const Plan& reference) {
    int64_t longest = 1;
    for (const Executed& executed : executed_steps(reference)) {
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        if (aten && executed.step->phase == Phase::forward)
            longest = std::max(longest, reduction_length(*aten));
    }
    return longest;
}

namespace {

bool divides_by_terms(const AtenStep& step) {
    if (averages(step)) return true;
    const OpName name(step.op);
    const aten::Operator* op = aten::find(name.base);
    if (!op || op->sum == aten::Sum::none) return false;
    if (op->sum == aten::Sum::channel) return in_training(step);
    return op->magnitude == aten::Magnitude::norm || op->magnitude == aten::Magnitude::variance ||
           op->magnitude == aten::Magnitude::deviation || op->magnitude == aten::Magnitude::distance ||
           op->sum == aten::Sum::normalized_shape || op->sum == aten::Sum::samples ||
           name.base == "var_mean" || name.base == "std_mean" || name.base == "kl_div" ||
           name.base.starts_with("binary_cross_entropy");
}

/// Numbers that the program multiplies or divides by: n, and 1/n.
void add_divisors(const AtenStep& step, std::vector<double>& divisors) {
    const std::string_view base = OpName(step.op).base;
    const bool divides = base.starts_with("div") || base.starts_with("true_divide");
    if (!divides && !base.starts_with("mul")) return;
    for (const Value& value : step.args) {
        double number = 0;
        if (const auto* real = std::get_if<double>(&value.v)) number = *real;
        if (const auto* whole = std::get_if<int64_t>(&value.v)) number = static_cast<double>(*whole);
        if (number > 0) divisors.push_back(divides ? number : 1 / number);
    }
}

}  // namespace

int64_t longest_average(const Plan& reference) {
    int64_t longest = 1;
    std::vector<int64_t> sums;
    std::vector<double> divisors;
    for (const Executed& executed : executed_steps(reference)) {
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        if (!aten || executed.step->phase != Phase::forward) continue;
        const int64_t terms = reduction_length(*aten);
        if (divides_by_terms(*aten))
            longest = std::max(longest, terms);
        else
            sums.push_back(terms);
        add_divisors(*aten, divisors);
    }
    for (const int64_t terms : sums)
        if (std::any_of(divisors.begin(), divisors.end(),
                        [&](double divisor) { return std::abs(divisor - static_cast<double>(terms)) < 1.5; }))
            longest = std::max(longest, terms);
    return longest;
}

}  // namespace tritonsmith::plan
