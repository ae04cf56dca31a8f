#include "judge/task/bent_numbers.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "plan/ir/json.h"

namespace tritonsmith::judge {

namespace {

void add_numbers(const plan::Value& value, std::vector<double>& out) {
    if (const auto* real = std::get_if<double>(&value.v)) out.push_back(*real);
    if (const auto* whole = std::get_if<int64_t>(&value.v)) out.push_back(static_cast<double>(*whole));
    if (const auto* list = std::get_if<plan::Sequence>(&value.v))
        for (const plan::Value& item : list->items) add_numbers(item, out);
}

std::vector<double> numbers_of(const plan::AtenStep& step) {
    std::vector<double> out;
    for (const plan::Value& value : step.args) add_numbers(value, out);
    for (const auto& [name, value] : step.kwargs) add_numbers(value, out);
    return out;
}

std::vector<const plan::AtenStep*> forward_steps(const plan::Plan& plan) {
    std::vector<const plan::AtenStep*> out;
    for (const plan::Step& step : plan.steps)
        if (const auto* aten = std::get_if<plan::AtenStep>(&step.what);
            aten && step.phase == plan::Phase::forward)
            out.push_back(aten);
    return out;
}

bool of_one_form(const plan::AtenStep& a, const plan::AtenStep& b) {
    const std::vector<plan::Tensor> one = plan::tensors_in(a.result), other = plan::tensors_in(b.result);
    return a.op == b.op && numbers_of(a).size() == numbers_of(b).size() &&
           std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](const plan::Tensor& x, const plan::Tensor& y) { return x.shape == y.shape; });
}

/// The numbers of the steps, one behind the other; nothing where the steps are others than those of `like`.
std::vector<double> numbers_like(const plan::Plan& like, const plan::Plan& plan) {
    const std::vector<const plan::AtenStep*> those = forward_steps(like), steps = forward_steps(plan);
    if (those.size() != steps.size()) return {};
    std::vector<double> out;
    for (size_t i = 0; i < steps.size(); ++i) {
        if (!of_one_form(*those[i], *steps[i])) return {};
        const std::vector<double> numbers = numbers_of(*steps[i]);
        out.insert(out.end(), numbers.begin(), numbers.end());
    }
    return out;
}

void collect_integers(const plan::List& values, std::vector<double>& out) {
    for (const plan::Value& value : values) {
        if (const auto* whole = std::get_if<int64_t>(&value.v)) out.push_back(static_cast<double>(*whole));
        if (const auto* list = std::get_if<plan::Sequence>(&value.v)) collect_integers(list->items, out);
    }
}

}  // namespace

bool are_data(const plan::Plan& own, const plan::Plan& by_one) {
    const std::vector<double> numbers = numbers_like(own, by_one);
    return !numbers.empty() && numbers != numbers_like(own, own);
}

bool bends(const plan::Plan& own, const plan::Plan& by_one, const plan::Plan& far) {
    const std::vector<double> before = numbers_like(own, own), next = numbers_like(own, by_one),
                              last = numbers_like(own, far);
    if (last.size() != before.size() || next.size() != before.size()) return true;
    std::vector<double> integers, moved;
    collect_integers(own.inputs, integers);
    collect_integers(far.inputs, moved);
    if (integers.size() != 1 || moved.size() != 1) return last != before;
    const double steps = moved[0] - integers[0];
    for (size_t i = 0; i < last.size(); ++i) {
        const double straight = before[i] + (next[i] - before[i]) * steps;
        if (std::abs(last[i] - straight) > 1e-6 * std::max(std::abs(last[i]), std::abs(straight)))
            return true;
    }
    return false;
}

}  // namespace tritonsmith::judge
