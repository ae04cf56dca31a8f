#include "graph/lift/rules.h"
#include "plan/ir/json.h"

/// Tensors whose elements depend on their position alone.
namespace tritonsmith::graph {
namespace {

Results filled(Lifter& lifter, const Call& call, Number number) {
    return {lifter.constant(number, call.result().dtype, call.result().shape)};
}

Results full(Lifter& lifter, const Call& call) {
    // full(size, fill_value), full_like(self, fill_value), new_full(self, size, fill_value),
    // scalar_tensor(s), fill_(self, value)
    const std::string_view base = call.name().base;
    const size_t position = base == "scalar_tensor" ? 0 : base == "new_full" ? 2 : 1;
    const plan::Value& value = given(call, position, base.starts_with("fill") ? "value" : "fill_value");
    Elementwise node(lifter, call);
    node.in(value, node.result_dtype());
    return node.results();
}

/// start + i · step, in the dtype that the result has (int64 for integers).
Results arange(Lifter& lifter, const Call& call) {
    const std::string_view overload = call.name().overload;
    const size_t arguments = call.step().args.size();
    const bool from_zero = overload.empty() || arguments == 1;
    const Number start = from_zero ? Number(int64_t{0}) : call.number_if(0, "start").value_or(int64_t{0});
    const Number step = call.number_if(2, "step").value_or(int64_t{1});
    Elementwise node(lifter, call);
    const DType dtype = node.result_dtype();
    if (std::holds_alternative<int64_t>(start) && std::holds_alternative<int64_t>(step)) {
        node.body().index(Index::axis(0) * std::get<int64_t>(step) + std::get<int64_t>(start));
        return node.results();
    }
    const int at = node.body().as(node.body().index(Index::axis(0)), DType::f64);
    const int scaled = node.of(ScalarOp::mul, {at, node.number(as_double(step), DType::f64)}, DType::f64);
    node.of(ScalarOp::add, {node.number(as_double(start), DType::f64), scaled}, DType::f64);
    (void)dtype;
    return node.results();
}

/// From both ends, so that the last element is `end` itself.
Results linspace(Lifter& lifter, const Call& call) {
    const double start = call.real(0, "start", 0), end = call.real(1, "end", 0);
    const int64_t count = element_count(call.result().shape);
    Elementwise node(lifter, call);
    const DType dtype = node.compute();
    const double step = count > 1 ? (end - start) / static_cast<double>(count - 1) : 0;
    auto away = [&](double from, const Index& steps, ScalarOp op) {
        const int at = node.body().as(node.body().index(steps), dtype);
        const int scaled = node.of(ScalarOp::mul, {at, node.number(step, dtype)}, dtype);
        return node.of(op, {node.number(from, dtype), scaled}, dtype);
    };
    const int front = away(start, Index::axis(0), ScalarOp::add);
    const int back = away(end, Index(count - 1) - Index::axis(0), ScalarOp::sub);
    const int half = node.number(count / 2, DType::i64);
    const int first = node.of(ScalarOp::lt, {node.body().index(Index::axis(0)), half}, DType::b1);
    node.of(ScalarOp::where, {first, front, back}, dtype);
    return node.results();
}

Results eye(Lifter& lifter, const Call& call) {
    Elementwise node(lifter, call);
    const int diagonal = node.body().index(Index::axis(1) - Index::axis(0));
    node.of(ScalarOp::eq, {diagonal, node.number(int64_t{0}, DType::i64)}, DType::b1);
    return node.results();
}

/// Elements on one side of a diagonal; 0 elsewhere.
Results triangle(Lifter& lifter, const Call& call, bool lower) {
    Elementwise node(lifter, call);
    const int rank = static_cast<int>(call.result().shape.size());
    const int x = node.in(call.tensor(0, "self"), node.result_dtype());
    const int distance = node.body().index(Index::axis(rank - 1) - Index::axis(rank - 2));
    const int diagonal = node.number(call.integer(1, "diagonal", 0), DType::i64);
    const int kept = node.of(lower ? ScalarOp::le : ScalarOp::ge, {distance, diagonal}, DType::b1);
    node.of(ScalarOp::where, {kept, x, node.number(int64_t{0}, node.result_dtype())});
    return node.results();
}

}  // namespace

void add_factory_rules(Rules& rules) {
    for (const char* name : {"zeros", "zeros_like", "new_zeros", "zero"})
        rules[name] = [](Lifter& lifter, const Call& call) { return filled(lifter, call, int64_t{0}); };
    for (const char* name : {"ones", "ones_like", "new_ones"})
        rules[name] = [](Lifter& lifter, const Call& call) { return filled(lifter, call, int64_t{1}); };
    for (const char* name : {"full", "full_like", "new_full", "scalar_tensor", "fill"}) rules[name] = full;
    rules["arange"] = arange;
    rules["linspace"] = linspace;
    rules["eye"] = eye;
    rules["tril"] = [](Lifter& lifter, const Call& call) { return triangle(lifter, call, true); };
    rules["triu"] = [](Lifter& lifter, const Call& call) { return triangle(lifter, call, false); };
}

}  // namespace tritonsmith::graph
