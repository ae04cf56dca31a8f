#include "graph/lift/rules.h"
#include "plan/ir/json.h"

/// Products of matrices, and convolutions.
namespace tritonsmith::graph {
namespace {

/// alpha · lhs rhs + beta · addend, of [b…, m, k] and [b…, k, n]; the product seen in the result's shape.
Results contracted(Lifter& lifter, const Call& call, const Operand& lhs, const Operand& rhs,
                   const plan::Tensor* addend, double alpha = 1, double beta = 1) {
    Shape shape(lhs.shape().begin(), lhs.shape().end() - 1);
    shape.push_back(rhs.shape().back());
    std::vector<Operand> operands{lhs, rhs};
    const DType dtype = call.result().dtype;
    for (Operand& operand : operands)
        if (operand.dtype != dtype) throw Unliftable{"its factors have another dtype than the product"};
    if (addend && beta != 0) {
        Operand added = lifter.read(*addend);
        Shape seen = added.shape();
        if (call.result().shape.size() < shape.size() && !seen.empty())
            seen.push_back(1);  // a vector as a column
        operands.push_back(broadcast(lifter.graph(), reshaped(lifter.graph(), added, seen), shape));
    }
    const Operand out =
        lifter.emit(Contract{alpha, addend && beta != 0 ? beta : 1}, std::move(operands), dtype, shape);
    return {reshaped(lifter.graph(), out, call.result().shape)};
}

Results matrices(Lifter& lifter, const Call& call) {  // mm, bmm
    return contracted(lifter, call, lifter.read(call.tensor(0, "self")), lifter.read(call.tensor(1, "mat2")),
                      nullptr);
}

Results matrices_added(Lifter& lifter, const Call& call) {  // addmm, baddbmm: self, a, b, beta, alpha
    return contracted(lifter, call, lifter.read(call.tensor(1, "mat1")), lifter.read(call.tensor(2, "mat2")),
                      &call.tensor(0, "self"), call.real(4, "alpha", 1), call.real(3, "beta", 1));
}

Results product_activated(Lifter& lifter, const Call& call) {  // _addmm_activation
    const Results product = matrices_added(lifter, call);
    Elementwise node(lifter, call);
    const int x = node.in(*product.front(), node.result_dtype());
    node.of(call.flag(5, "use_gelu", false) ? ScalarOp::gelu_tanh : ScalarOp::relu, {x});
    return node.results();
}

/// A vector is a matrix with one column (or row).
Results with_vector(Lifter& lifter, const Call& call, bool added) {  // mv(a, v), addmv(self, a, v)
    const Operand matrix = lifter.read(call.tensor(added ? 1 : 0, "mat"));
    const Operand vector = unsqueezed(lifter.graph(), lifter.read(call.tensor(added ? 2 : 1, "vec")), {1});
    return contracted(lifter, call, matrix, vector, added ? &call.tensor(0, "self") : nullptr,
                      added ? call.real(4, "alpha", 1) : 1, added ? call.real(3, "beta", 1) : 1);
}

Results vectors(Lifter& lifter, const Call& call) {  // dot, vdot
    const Operand a = unsqueezed(lifter.graph(), lifter.read(call.tensor(0, "self")), {0});
    const Operand b = unsqueezed(lifter.graph(), lifter.read(call.tensor(1, "tensor")), {1});
    return contracted(lifter, call, a, b, nullptr);
}

Results outer(Lifter& lifter, const Call& call) {
    Elementwise node(lifter, call);
    const Operand column = unsqueezed(lifter.graph(), lifter.read(call.tensor(0, "self")), {1});
    const int a = node.in(column, node.result_dtype());
    node.of(ScalarOp::mul, {a, node.in(call.tensor(1, "vec2"), node.result_dtype())});
    return node.results();
}

Results linear(Lifter& lifter, const Call& call) {
    const Operand x = lifter.read(call.tensor(0, "input"));
    const Operand weight = lifter.read(call.tensor(1, "weight"));
    const int64_t features = x.shape().back();
    const Operand rows =
        reshaped(lifter.graph(), x, {features ? element_count(x.shape()) / features : 0, features});
    return contracted(lifter, call, rows, permuted(lifter.graph(), weight, {1, 0}),
                      call.tensor_if(2, "bias"));
}

std::vector<int64_t> per_axis(std::vector<int64_t> given, size_t rank, int64_t otherwise) {
    if (given.empty()) given = {otherwise};
    if (given.size() == 1) given.resize(rank, given.front());
    return given;
}

Results convolution(Lifter& lifter, const Call& call) {
    const Operand x = lifter.read(call.tensor(0, "input")), weight = lifter.read(call.tensor(1, "weight"));
    if (x.shape().size() != weight.shape().size()) throw Unliftable{"an input without a batch axis"};
    const size_t rank = weight.shape().size() - 2;
    Convolution node;
    node.stride = per_axis(call.integers(3, "stride"), rank, 1);
    node.padding = per_axis(call.integers(4, "padding"), rank, 0);
    node.dilation = per_axis(call.integers(5, "dilation"), rank, 1);
    node.transposed = call.flag(6, "transposed", false);
    node.output_padding = per_axis(call.integers(7, "output_padding"), rank, 0);
    node.groups = call.integer(8, "groups", 1);
    std::vector<Operand> operands{x, weight};
    if (const plan::Tensor* bias = call.tensor_if(2, "bias")) operands.push_back(lifter.read(*bias));
    return {lifter.emit(std::move(node), std::move(operands), call.result().dtype, call.result().shape)};
}

}  // namespace

void add_product_rules(Rules& rules) {
    rules["mm"] = rules["bmm"] = matrices;
    rules["addmm"] = rules["baddbmm"] = matrices_added;
    rules["_addmm_activation"] = product_activated;
    rules["mv"] = [](Lifter& lifter, const Call& call) { return with_vector(lifter, call, false); };
    rules["addmv"] = [](Lifter& lifter, const Call& call) { return with_vector(lifter, call, true); };
    rules["dot"] = rules["vdot"] = vectors;
    rules["outer"] = rules["ger"] = outer;
    rules["linear"] = linear;
    rules["convolution"] = rules["_convolution"] = convolution;
}

}  // namespace tritonsmith::graph
