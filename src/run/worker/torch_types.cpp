#include "run/worker/torch_types.h"

#include <ATen/core/Tensor.h>

#include "plan/ir/json.h"
#include "run/worker/step_error.h"

namespace tritonsmith::run {
namespace {

constexpr std::pair<plan::DType, at::ScalarType> kTypes[] = {
    {plan::DType::f64, at::kDouble},
    {plan::DType::f32, at::kFloat},
    {plan::DType::f16, at::kHalf},
    {plan::DType::bf16, at::kBFloat16},
    {plan::DType::f8e4m3fn, at::kFloat8_e4m3fn},
    {plan::DType::f8e5m2, at::kFloat8_e5m2},
    {plan::DType::f8e4m3fnuz, at::kFloat8_e4m3fnuz},
    {plan::DType::f8e5m2fnuz, at::kFloat8_e5m2fnuz},
    {plan::DType::i64, at::kLong},
    {plan::DType::i32, at::kInt},
    {plan::DType::i16, at::kShort},
    {plan::DType::i8, at::kChar},
    {plan::DType::u64, at::kUInt64},
    {plan::DType::u32, at::kUInt32},
    {plan::DType::u16, at::kUInt16},
    {plan::DType::u8, at::kByte},
    {plan::DType::b1, at::kBool},
    {plan::DType::c64, at::kComplexFloat},
    {plan::DType::c128, at::kComplexDouble},
};

}  // namespace

at::ScalarType to_torch(plan::DType dtype) {
    for (const auto& [ours, theirs] : kTypes)
        if (ours == dtype) return theirs;
    throw StepError("plan_invalid", "unknown dtype");
}

plan::DType from_torch(at::ScalarType type) {
    for (const auto& [ours, theirs] : kTypes)
        if (theirs == type) return ours;
    throw StepError("unsupported_operation", std::string("tensors of dtype ") + c10::toString(type));
}

std::string shape_text(c10::IntArrayRef shape, at::ScalarType type) {
    std::string text = "[";
    for (size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + "] " + c10::toString(type);
}

at::Tensor with_bytes_of_truths(const at::Tensor& tensor) {
    return tensor.scalar_type() == at::kBool ? tensor.view(at::kByte) : tensor;
}

}  // namespace tritonsmith::run
