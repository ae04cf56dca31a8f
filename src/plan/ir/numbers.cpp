#include "plan/ir/numbers.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "plan/ir/element.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"

namespace tritonsmith::plan {
namespace {

/// What is said of neither by the catalogue's words.
constexpr std::string_view kElementwise[] = {"hardshrink", "softshrink",   "leaky_relu", "remainder",
                                             "fmod",       "floor_divide", "hardtanh"};
constexpr std::string_view kFills[] = {"full", "full_like", "new_full", "fill"};

bool one_of(std::string_view name, const auto& names) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool elementwise(const aten::Operator& op) {
    using aten::Trait;
    return op.is(Trait::scalar) || op.is(Trait::compares) || op.is(Trait::factors) ||
           one_of(op.name, kElementwise);
}

double rounded(double number, FloatFormat format) {
    const double there = decode(format, encode(format, number));
    return std::isfinite(there) ? there : number;
}

void round_numbers(Value& value, FloatFormat format) {
    if (auto* number = std::get_if<double>(&value.v)) *number = rounded(*number, format);
}

}  // namespace

std::optional<DType> number_type(const AtenStep& step) {
    const aten::Operator* op = out_of_place(step.op);
    if (!op) return std::nullopt;
    if (one_of(op->name, kFills)) {
        const std::vector<Tensor> filled = tensors_in(step.result);
        if (filled.empty() || !float_format(filled[0].dtype)) return std::nullopt;
        return filled[0].dtype;
    }
    if (!elementwise(*op)) return std::nullopt;
    std::optional<DType> type;
    for (const Tensor& tensor : tensors_in(step.args)) {
        const bool floating = is_floating(tensor.dtype);
        if (tensor.dtype == DType::c64 || tensor.dtype == DType::c128) return std::nullopt;
        if (!floating) continue;
        if (type && type != tensor.dtype) return std::nullopt;
        type = tensor.dtype;
    }
    if (!type) type = DType::f32;
    return float_format(*type) ? type : std::nullopt;
}

AtenStep with_numbers_in(AtenStep step, DType type) {
    const std::optional<FloatFormat> format = float_format(type);
    if (!format) return step;
    for (Value& value : step.args) round_numbers(value, *format);
    for (auto& [name, value] : step.kwargs) round_numbers(value, *format);
    return step;
}

}  // namespace tritonsmith::plan
