#include <cmath>
#include <limits>
#include <numbers>

#include "graph/scalar.h"

namespace tritonsmith::graph {
namespace {

/// Writes an activation's definition (PyTorch's own formulas: ATen/native/cuda/Activation*.cu, Math.cuh) in
/// `compute`.
class Definition {
  public:
    Definition(Expression& out, DType compute) : out_(out), compute_(compute) {}

    int number(double value) { return out_.constant(value, compute_); }
    int of(ScalarOp op, std::vector<int> args) { return out_.apply(op, std::move(args), compute_); }
    int test(ScalarOp op, int a, int b) { return out_.apply(op, {a, b}, DType::b1); }
    int either(int condition, int yes, int no) { return of(ScalarOp::where, {condition, yes, no}); }
    int bounded(int x, int low, int high) {
        return of(ScalarOp::minimum, {of(ScalarOp::maximum, {x, low}), high});
    }
    int relu6(int x) { return bounded(x, number(0), number(6)); }
    int times(int a, int b) { return of(ScalarOp::mul, {a, b}); }
    int plus(int a, int b) { return of(ScalarOp::add, {a, b}); }
    int minus(int a, int b) { return of(ScalarOp::sub, {a, b}); }
    int over(int a, int b) { return of(ScalarOp::div, {a, b}); }
    int log1p_exp(int x) { return of(ScalarOp::log1p, {of(ScalarOp::exp, {x})}); }
    int sigmoid(int x) {
        return over(number(1), plus(number(1), of(ScalarOp::exp, {of(ScalarOp::neg, {x})})));
    }

    /// -1 for what has no definition.
    int define(ScalarOp op, const std::vector<int>& a) {
        switch (op) {
            case ScalarOp::relu:
                return of(ScalarOp::maximum, {a[0], number(0)});
            case ScalarOp::relu6:
                return relu6(a[0]);
            case ScalarOp::sigmoid:
                return sigmoid(a[0]);
            case ScalarOp::silu:
                return times(a[0], sigmoid(a[0]));
            case ScalarOp::gelu:
                return times(
                    times(a[0], number(0.5)),
                    plus(number(1), of(ScalarOp::erf, {times(a[0], number(std::numbers::sqrt2 / 2))})));
            case ScalarOp::gelu_tanh: {
                const int cube = times(times(a[0], a[0]), a[0]);
                const int inner = times(number(std::numbers::sqrt2 * std::numbers::inv_sqrtpi),
                                        plus(a[0], times(number(0.044715), cube)));
                return times(times(number(0.5), a[0]), plus(number(1), of(ScalarOp::tanh, {inner})));
            }
            case ScalarOp::softplus: {
                const int scaled = times(a[0], a[1]);
                return either(test(ScalarOp::gt, scaled, a[2]), a[0], over(log1p_exp(scaled), a[1]));
            }
            case ScalarOp::elu: {
                const int negative = times(of(ScalarOp::expm1, {times(a[0], a[3])}), times(a[1], a[2]));
                return either(test(ScalarOp::le, a[0], number(0)), negative, times(a[0], a[2]));
            }
            case ScalarOp::leaky_relu:
                return either(test(ScalarOp::gt, a[0], number(0)), a[0], times(a[0], a[1]));
            case ScalarOp::hardtanh:
            case ScalarOp::clamp:
                return bounded(a[0], a[1], a[2]);
            case ScalarOp::hardsigmoid:
                return over(relu6(plus(a[0], number(3))), number(6));
            case ScalarOp::hardswish:
                return over(times(a[0], relu6(plus(a[0], number(3)))), number(6));
            case ScalarOp::mish:
                return times(a[0], of(ScalarOp::tanh, {log1p_exp(a[0])}));
            case ScalarOp::softsign:
                return over(a[0], plus(number(1), of(ScalarOp::abs, {a[0]})));
            case ScalarOp::log_sigmoid: {
                const int small = of(ScalarOp::neg, {of(ScalarOp::abs, {a[0]})});
                return minus(of(ScalarOp::minimum, {number(0), a[0]}), log1p_exp(small));
            }
            case ScalarOp::hardshrink: {
                const int inside = out_.apply(
                    ScalarOp::logical_and,
                    {test(ScalarOp::ge, a[0], of(ScalarOp::neg, {a[1]})), test(ScalarOp::le, a[0], a[1])},
                    DType::b1);
                return either(inside, number(0), a[0]);
            }
            case ScalarOp::softshrink: {
                const int below = test(ScalarOp::lt, a[0], of(ScalarOp::neg, {a[1]}));
                const int zero = either(out_.apply(ScalarOp::isnan, {a[0]}, DType::b1), a[0], number(0));
                return either(test(ScalarOp::gt, a[0], a[1]), minus(a[0], a[1]),
                              either(below, plus(a[0], a[1]), zero));
            }
            case ScalarOp::threshold:
                return either(test(ScalarOp::le, a[0], a[1]), a[2], a[0]);
            case ScalarOp::xlogy: {
                const int product = times(a[0], of(ScalarOp::log, {a[1]}));
                const int value = either(test(ScalarOp::eq, a[0], number(0)), number(0), product);
                return either(out_.apply(ScalarOp::isnan, {a[1]}, DType::b1),
                              number(std::numeric_limits<double>::quiet_NaN()), value);
            }
            case ScalarOp::logit: {
                const int given = test(ScalarOp::ge, a[1], number(0));
                const int within = bounded(a[0], a[1], minus(number(1), a[1]));
                const int x = either(given, within, a[0]);
                return of(ScalarOp::log, {over(x, minus(number(1), x))});
            }
            case ScalarOp::sinc: {
                const int angle = times(a[0], number(std::numbers::pi));
                return either(test(ScalarOp::eq, a[0], number(0)), number(1),
                              over(of(ScalarOp::sin, {angle}), angle));
            }
            case ScalarOp::logaddexp: {
                const int apart = of(ScalarOp::neg, {of(ScalarOp::abs, {minus(a[0], a[1])})});
                const int sum = plus(of(ScalarOp::maximum, {a[0], a[1]}), log1p_exp(apart));
                const int same = test(ScalarOp::eq, a[0], a[1]);
                const int infinite = out_.apply(ScalarOp::isinf, {a[0]}, DType::b1);
                return either(out_.apply(ScalarOp::logical_and, {same, infinite}, DType::b1), a[0], sum);
            }
            case ScalarOp::lerp: {
                const int apart = minus(a[1], a[0]);
                const int near_start = plus(a[0], times(a[2], apart));
                const int near_end = minus(a[1], times(apart, minus(number(1), a[2])));
                const int small = test(ScalarOp::lt, of(ScalarOp::abs, {a[2]}), number(0.5));
                return either(small, near_start, near_end);
            }
            case ScalarOp::fma:
                return plus(times(a[0], a[1]), a[2]);
            case ScalarOp::square:
                return times(a[0], a[0]);
            default:
                return -1;
        }
    }

  private:
    Expression& out_;
    DType compute_;
};

bool narrow(DType dtype) {
    return dtype == DType::f16 || dtype == DType::bf16;
}

}  // namespace

Expression expand(const Expression& expression) {
    Expression out;
    std::vector<int> moved;
    for (const Scalar& step : expression.steps) {
        std::vector<int> args;
        for (int arg : step.args) args.push_back(moved[static_cast<size_t>(arg)]);
        // A half's activation is computed in float32 and rounded once.
        const DType compute = narrow(step.dtype) ? DType::f32 : step.dtype;
        std::vector<int> wide;
        const size_t before = out.steps.size();
        for (int arg : args) wide.push_back(narrow(step.dtype) ? out.as(arg, compute) : arg);
        const int defined = Definition(out, compute).define(step.op, wide);
        if (defined >= 0) {
            moved.push_back(out.as(defined, step.dtype));
            continue;
        }
        out.steps.resize(before);
        Scalar same = step;
        same.args = std::move(args);
        out.steps.push_back(std::move(same));
        moved.push_back(static_cast<int>(out.steps.size()) - 1);
    }
    return out;
}

}  // namespace tritonsmith::graph
