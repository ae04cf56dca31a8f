#include "graph/lift/rules.h"
#include "plan/ir/json.h"

/// Operators of two and three tensors, element by element.
namespace tritonsmith::graph {
namespace {

Results binary(Lifter& lifter, const Call& call, ScalarOp op) {
    Elementwise node(lifter, call);
    const DType dtype = node.result_dtype();
    const int a = node.in(given(call, 0, "self"), dtype), b = node.in(given(call, 1, "other"), dtype);
    node.of(op, {a, b});
    return node.results();
}

/// add and sub with their factor; rsub with the sides changed.
Results sum(Lifter& lifter, const Call& call, ScalarOp op, bool reversed) {
    Elementwise node(lifter, call);
    const DType dtype = node.result_dtype();
    int a = node.in(given(call, 0, "self"), dtype), b = node.in(given(call, 1, "other"), dtype);
    if (reversed) std::swap(a, b);
    const Number alpha = call.number_if(2, "alpha").value_or(int64_t{1});
    if (as_double(alpha) != 1) {
        int& scaled = reversed ? a : b;
        if (reversed) throw Unliftable{"a factor other than 1"};
        scaled = node.of(ScalarOp::mul, {scaled, node.number(alpha, dtype)}, node.compute());
    }
    if (dtype == DType::b1) op = ScalarOp::logical_or;
    node.of(op, {a, b});
    return node.results();
}

Results product(Lifter& lifter, const Call& call) {
    const bool logical = call.result().dtype == DType::b1;
    return binary(lifter, call, logical ? ScalarOp::logical_and : ScalarOp::mul);
}

Results quotient_of(Lifter& lifter, const Call& call) {
    const std::string mode = call.word(2, "rounding_mode", "");
    return binary(lifter, call,
                  mode == "floor"   ? ScalarOp::floor_div
                  : mode == "trunc" ? ScalarOp::trunc_div
                                    : ScalarOp::div);
}

Results comparison(Lifter& lifter, const Call& call, ScalarOp op) {
    Elementwise node(lifter, call);
    const plan::Value &self = given(call, 0, "self"), &other = given(call, 1, "other");
    const DType dtype = common_dtype({&self, &other});
    const int a = node.in(self, dtype), b = node.in(other, dtype);
    node.of(op, {a, b}, DType::b1);
    return node.results();
}

Results bitwise(Lifter& lifter, const Call& call, ScalarOp op) {
    Elementwise node(lifter, call);
    const plan::Value &self = given(call, 0, "self"), &other = given(call, 1, "other");
    const bool logical = call.name().base.starts_with("logical");
    const DType dtype = logical ? common_dtype({&self, &other}) : node.result_dtype();
    int a = node.in(self, dtype), b = node.in(other, dtype);
    if (logical && dtype != DType::b1) {
        a = node.of(ScalarOp::ne, {a, node.number(int64_t{0}, dtype)}, DType::b1);
        b = node.of(ScalarOp::ne, {b, node.number(int64_t{0}, dtype)}, DType::b1);
    }
    node.of(op, {a, b}, logical ? DType::b1 : dtype);
    return node.results();
}

Results power(Lifter& lifter, const Call& call) {
    Elementwise node(lifter, call);
    const DType dtype = node.result_dtype();
    const plan::Value &self = given(call, 0, "self"), &exponent = given(call, 1, "exponent");
    const std::optional<Number> number = number_of(exponent);
    const double by = number ? as_double(*number) : 0;
    const int x = node.in(self, dtype);
    if (number && by == 1) return node.results();
    if (number && by == 2) {
        node.of(ScalarOp::square, {x});
    } else if (number && plan::is_floating(dtype) && (by == 0.5 || by == -0.5 || by == -1)) {
        node.of(by == 0.5 ? ScalarOp::sqrt : by == -1 ? ScalarOp::reciprocal : ScalarOp::rsqrt, {x});
    } else {
        node.of(ScalarOp::pow, {x, node.in(exponent, dtype)});
    }
    return node.results();
}

/// self + value · a · b, self + value · a / b.
Results fused(Lifter& lifter, const Call& call, ScalarOp op) {
    Elementwise node(lifter, call);
    const DType dtype = node.result_dtype(), wide = node.compute();
    const int self = node.in(call.tensor(0, "self"), dtype);
    const int a = node.in(call.tensor(1, "tensor1"), dtype), b = node.in(call.tensor(2, "tensor2"), dtype);
    const Number value = call.number_if(3, "value").value_or(int64_t{1});
    int scaled = a;
    if (as_double(value) != 1) scaled = node.of(ScalarOp::mul, {a, node.number(value, dtype)}, wide);
    node.of(ScalarOp::add, {self, node.of(op, {scaled, b}, wide)});
    return node.results();
}

Results selection(Lifter& lifter, const Call& call) {
    Elementwise node(lifter, call);
    const int condition = node.in(call.tensor(0, "condition"), DType::b1);
    const int yes = node.in(given(call, 1, "self"), node.result_dtype());
    const int no = node.in(given(call, 2, "other"), node.result_dtype());
    node.of(ScalarOp::where, {condition, yes, no});
    return node.results();
}

Results masked_fill(Lifter& lifter, const Call& call) {
    Elementwise node(lifter, call);
    const int mask = node.in(call.tensor(1, "mask"), DType::b1);
    const int value = node.in(given(call, 2, "value"), node.result_dtype());
    const int self = node.in(call.tensor(0, "self"), node.result_dtype());
    node.of(ScalarOp::where, {mask, value, self});
    return node.results();
}

Results lerp(Lifter& lifter, const Call& call) {
    Elementwise node(lifter, call);
    const DType dtype = node.result_dtype();
    const int start = node.in(call.tensor(0, "self"), dtype), end = node.in(call.tensor(1, "end"), dtype);
    node.of(ScalarOp::lerp, {start, end, node.in(given(call, 2, "weight"), dtype)});
    return node.results();
}

Results prelu(Lifter& lifter, const Call& call) {
    Elementwise node(lifter, call);
    const int x = node.in(call.tensor(0, "self"), node.result_dtype());
    node.of(ScalarOp::leaky_relu, {x, node.in(call.tensor(1, "weight"), node.result_dtype())});
    return node.results();
}

struct Entry {
    std::string_view name;
    ScalarOp op;
};
constexpr Entry kBinary[] = {
    {"maximum", ScalarOp::maximum},     {"minimum", ScalarOp::minimum},
    {"fmax", ScalarOp::fmax},           {"fmin", ScalarOp::fmin},
    {"atan2", ScalarOp::atan2},         {"hypot", ScalarOp::hypot},
    {"copysign", ScalarOp::copysign},   {"remainder", ScalarOp::remainder},
    {"fmod", ScalarOp::fmod},           {"xlogy", ScalarOp::xlogy},
    {"logaddexp", ScalarOp::logaddexp}, {"floor_divide", ScalarOp::floor_div},
};
constexpr Entry kComparisons[] = {{"lt", ScalarOp::lt}, {"le", ScalarOp::le}, {"gt", ScalarOp::gt},
                                  {"ge", ScalarOp::ge}, {"eq", ScalarOp::eq}, {"ne", ScalarOp::ne}};
constexpr Entry kBitwise[] = {
    {"bitwise_and", ScalarOp::logical_and},
    {"bitwise_or", ScalarOp::logical_or},
    {"bitwise_xor", ScalarOp::logical_xor},
    {"logical_and", ScalarOp::logical_and},
    {"logical_or", ScalarOp::logical_or},
    {"logical_xor", ScalarOp::logical_xor},
    {"__and__", ScalarOp::logical_and},
    {"__or__", ScalarOp::logical_or},
    {"__xor__", ScalarOp::logical_xor},
    {"bitwise_left_shift", ScalarOp::shift_left},
    {"bitwise_right_shift", ScalarOp::shift_right},
    {"__lshift__", ScalarOp::shift_left},
    {"__rshift__", ScalarOp::shift_right},
};

template <size_t size>
void add_table(Rules& rules, const Entry (&table)[size], Results (*rule)(Lifter&, const Call&, ScalarOp)) {
    for (const Entry& entry : table)
        rules[std::string(entry.name)] = [op = entry.op, rule](Lifter& lifter, const Call& call) {
            return rule(lifter, call, op);
        };
}

}  // namespace

void add_arithmetic_rules(Rules& rules) {
    add_table(rules, kBinary, binary);
    add_table(rules, kComparisons, comparison);
    add_table(rules, kBitwise, bitwise);
    rules["add"] = [](Lifter& lifter, const Call& call) { return sum(lifter, call, ScalarOp::add, false); };
    rules["sub"] = [](Lifter& lifter, const Call& call) { return sum(lifter, call, ScalarOp::sub, false); };
    rules["rsub"] = [](Lifter& lifter, const Call& call) { return sum(lifter, call, ScalarOp::sub, true); };
    rules["mul"] = product;
    rules["div"] = rules["true_divide"] = quotient_of;
    rules["pow"] = power;
    rules["addcmul"] = [](Lifter& lifter, const Call& call) { return fused(lifter, call, ScalarOp::mul); };
    rules["addcdiv"] = [](Lifter& lifter, const Call& call) { return fused(lifter, call, ScalarOp::div); };
    rules["where"] = selection;
    rules["masked_fill"] = masked_fill;
    rules["lerp"] = lerp;
    rules["_prelu_kernel"] = rules["prelu"] = prelu;
}

}  // namespace tritonsmith::graph
