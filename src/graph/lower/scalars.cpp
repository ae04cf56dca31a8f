#include <fmt/format.h>

#include <limits>

#include "base/error.h"
#include "graph/lower/steps.h"
#include "plan/ir/json.h"

namespace tritonsmith::graph {
namespace {

/// The operator that computes a scalar operation on tensors; nullptr where there is none of the same
/// arguments.
const char* aten_of(ScalarOp op, bool logical) {
    switch (op) {
        case ScalarOp::add:
            return "aten::add.Tensor";
        case ScalarOp::sub:
            return "aten::sub.Tensor";
        case ScalarOp::mul:
            return "aten::mul.Tensor";
        case ScalarOp::div:
            return "aten::div.Tensor";
        case ScalarOp::floor_div:
            return "aten::floor_divide";
        case ScalarOp::remainder:
            return "aten::remainder.Tensor";
        case ScalarOp::fmod:
            return "aten::fmod.Tensor";
        case ScalarOp::pow:
            return "aten::pow.Tensor_Tensor";
        case ScalarOp::neg:
            return "aten::neg";
        case ScalarOp::abs:
            return "aten::abs";
        case ScalarOp::sign:
            return "aten::sign";
        case ScalarOp::reciprocal:
            return "aten::reciprocal";
        case ScalarOp::maximum:
            return "aten::maximum";
        case ScalarOp::minimum:
            return "aten::minimum";
        case ScalarOp::fmax:
            return "aten::fmax";
        case ScalarOp::fmin:
            return "aten::fmin";
        case ScalarOp::atan2:
            return "aten::atan2";
        case ScalarOp::hypot:
            return "aten::hypot";
        case ScalarOp::copysign:
            return "aten::copysign.Tensor";
        case ScalarOp::floor:
            return "aten::floor";
        case ScalarOp::ceil:
            return "aten::ceil";
        case ScalarOp::round:
            return "aten::round";
        case ScalarOp::trunc:
            return "aten::trunc";
        case ScalarOp::frac:
            return "aten::frac";
        case ScalarOp::exp:
            return "aten::exp";
        case ScalarOp::exp2:
            return "aten::exp2";
        case ScalarOp::expm1:
            return "aten::expm1";
        case ScalarOp::log:
            return "aten::log";
        case ScalarOp::log2:
            return "aten::log2";
        case ScalarOp::log10:
            return "aten::log10";
        case ScalarOp::log1p:
            return "aten::log1p";
        case ScalarOp::sqrt:
            return "aten::sqrt";
        case ScalarOp::rsqrt:
            return "aten::rsqrt";
        case ScalarOp::sin:
            return "aten::sin";
        case ScalarOp::cos:
            return "aten::cos";
        case ScalarOp::tan:
            return "aten::tan";
        case ScalarOp::asin:
            return "aten::asin";
        case ScalarOp::acos:
            return "aten::acos";
        case ScalarOp::atan:
            return "aten::atan";
        case ScalarOp::sinh:
            return "aten::sinh";
        case ScalarOp::cosh:
            return "aten::cosh";
        case ScalarOp::tanh:
            return "aten::tanh";
        case ScalarOp::asinh:
            return "aten::asinh";
        case ScalarOp::acosh:
            return "aten::acosh";
        case ScalarOp::atanh:
            return "aten::atanh";
        case ScalarOp::erf:
            return "aten::erf";
        case ScalarOp::erfc:
            return "aten::erfc";
        case ScalarOp::erfinv:
            return "aten::erfinv";
        case ScalarOp::lgamma:
            return "aten::lgamma";
        case ScalarOp::digamma:
            return "aten::digamma";
        case ScalarOp::lt:
            return "aten::lt.Tensor";
        case ScalarOp::le:
            return "aten::le.Tensor";
        case ScalarOp::gt:
            return "aten::gt.Tensor";
        case ScalarOp::ge:
            return "aten::ge.Tensor";
        case ScalarOp::eq:
            return "aten::eq.Tensor";
        case ScalarOp::ne:
            return "aten::ne.Tensor";
        case ScalarOp::isnan:
            return "aten::isnan";
        case ScalarOp::isinf:
            return "aten::isinf";
        case ScalarOp::isfinite:
            return "aten::isfinite";
        case ScalarOp::logical_and:
            return logical ? "aten::logical_and" : "aten::bitwise_and.Tensor";
        case ScalarOp::logical_or:
            return logical ? "aten::logical_or" : "aten::bitwise_or.Tensor";
        case ScalarOp::logical_xor:
            return logical ? "aten::logical_xor" : "aten::bitwise_xor.Tensor";
        case ScalarOp::logical_not:
            return logical ? "aten::logical_not" : "aten::bitwise_not";
        case ScalarOp::shift_left:
            return "aten::bitwise_left_shift.Tensor";
        case ScalarOp::shift_right:
            return "aten::bitwise_right_shift.Tensor";
        case ScalarOp::where:
            return "aten::where.self";
        default:
            return nullptr;
    }
}

bool half(DType dtype) {
    return dtype == DType::f16 || dtype == DType::bf16;
}

/// isinf and isfinite are composites of PyTorch, which a plan does not have.
plan::Tensor finite_test(Steps& steps, ScalarOp op, const plan::Tensor& x) {
    const plan::Tensor size = steps.make("aten::abs", {{x}}, x.dtype, x.shape);
    const plan::Tensor infinite = steps.make(
        "aten::eq.Scalar", {{size}, {std::numeric_limits<double>::infinity()}}, DType::b1, x.shape);
    if (op == ScalarOp::isinf) return infinite;
    return steps.make("aten::lt.Scalar", {{size}, {std::numeric_limits<double>::infinity()}}, DType::b1,
                      x.shape);
}

}  // namespace

plan::Tensor evaluated(Steps& steps, const Expression& expression, const std::vector<plan::Tensor>& operands,
                       const Shape& shape) {
    std::vector<plan::Tensor> done;
    for (const Scalar& step : expand(expression).steps) {
        std::vector<plan::Tensor> args;
        for (int arg : step.args) args.push_back(done[static_cast<size_t>(arg)]);
        if (step.op == ScalarOp::operand) {
            done.push_back(operands[static_cast<size_t>(step.which)]);
            continue;
        }
        if (step.op == ScalarOp::constant) {
            done.push_back(steps.filled(step.number, step.dtype, shape));
            continue;
        }
        if (step.op == ScalarOp::index) {
            done.push_back(spelled(steps, evaluated(steps, step.position, shape), shape));
            continue;
        }
        if (step.op == ScalarOp::cast) {
            done.push_back(steps.cast(args[0], step.dtype));
            continue;
        }
        // Halves are computed in float32, with numbers of the program as they are.
        DType compute = step.dtype;
        const bool test = step.dtype == DType::b1;
        if (test) compute = args[0].dtype;
        if (half(compute)) compute = DType::f32;
        plan::List values;
        for (size_t i = 0; i < args.size(); ++i)
            values.push_back({step.op == ScalarOp::where && i == 0 ? args[i] : steps.cast(args[i], compute)});
        if (step.op == ScalarOp::isinf || step.op == ScalarOp::isfinite) {
            done.push_back(finite_test(steps, step.op, std::get<plan::Tensor>(values[0].v)));
            continue;
        }
        const DType result = test ? DType::b1 : compute;
        std::vector<std::pair<std::string, plan::Value>> kwargs;
        std::string op;
        if (const char* found = aten_of(step.op, compute == DType::b1))
            op = found;
        else if (step.op == ScalarOp::trunc_div)
            op = "aten::div.Tensor_mode", kwargs = {{"rounding_mode", {std::string("trunc")}}};
        else
            throw InputError(fmt::format("no ATen operator for {}", name_of(step.op)));
        done.push_back(
            steps.cast(steps.make(op, std::move(values), result, shape, std::move(kwargs)), step.dtype));
    }
    return done.back();
}

}  // namespace tritonsmith::graph
