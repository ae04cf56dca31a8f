#include <fmt/format.h>

#include "base/error.h"
#include "graph/lower/steps.h"
#include "plan/ir/json.h"

namespace tritonsmith::graph {
namespace {

using Tensors = std::vector<plan::Tensor>;

DType wider(DType dtype) {
    return dtype == DType::f16 || dtype == DType::bf16 ? DType::f32 : dtype;
}

/// The reduced axes as the last ones.
plan::Tensor with_reduced_last(Steps& steps, const plan::Tensor& x, const std::vector<int>& axes) {
    Shape shape;
    std::vector<int64_t> order;
    std::vector<bool> reduced(x.shape.size(), false);
    for (int axis : axes) reduced[static_cast<size_t>(axis)] = true;
    for (bool second : {false, true})
        for (size_t i = 0; i < x.shape.size(); ++i)
            if (reduced[i] == second) order.push_back(static_cast<int64_t>(i));
    int64_t count = 1;
    plan::Tensor turned = x;
    for (size_t i = 0; i < order.size(); ++i) {
        const auto from = static_cast<size_t>(order[i]);
        turned.shape[i] = x.shape[from];
        turned.stride[i] = x.stride[from];
        if (reduced[from])
            count *= x.shape[from];
        else
            shape.push_back(x.shape[from]);
    }
    shape.push_back(count);
    steps.plan().steps.push_back(
        {plan::AtenStep{"aten::permute", {{x}, Steps::list(order)}, {}, {turned}}, plan::Phase::forward, 0});
    const plan::Tensor dense = steps.make(
        "aten::clone", {{turned}}, x.dtype, turned.shape,
        {{"memory_format", {plan::Symbol{plan::Symbol::Kind::memory_format, "contiguous_format"}}}});
    return steps.seen(dense, shape);
}

struct Lowered {
    Steps& steps;
    const Graph& graph;
    const Node& node;
    const Tensors& in;

    const Value& result(size_t i = 0) const { return graph.values[static_cast<size_t>(node.results[i])]; }

    Tensors operator()(const Pointwise& kind) const {
        return {evaluated(steps, kind.body, in, result().shape)};
    }
    Tensors operator()(const Concat& kind) const {
        return {steps.make("aten::cat", {Steps::tensors(in), {int64_t{kind.axis}}}, result().dtype,
                           result().shape)};
    }

    Tensors operator()(const Reduce& kind) const {
        const plan::Tensor x = with_reduced_last(steps, in[0], kind.axes);
        const Shape& shape = result().shape;
        const DType dtype = result().dtype;
        const plan::Value last = Steps::list({-1}), axis{int64_t{-1}}, keep{false};
        auto one = [&](const char* op, plan::List more,
                       std::vector<std::pair<std::string, plan::Value>> kwargs = {}) {
            more.insert(more.begin(), plan::Value{x});
            return Tensors{steps.make(op, std::move(more), dtype, shape, std::move(kwargs))};
        };
        auto both = [&](const char* op) {
            return steps.make_all(op, {{x}, axis, keep}, {{dtype, shape}, {DType::i64, shape}});
        };
        auto spread = [&](const char* op) {
            return one(op, {last}, {{"correction", {kind.correction}}, {"keepdim", keep}});
        };
        switch (kind.kind) {
            case ReduceKind::sum:
                return one("aten::sum.dim_IntList", {last, keep}, {{"dtype", Steps::dtype(dtype)}});
            case ReduceKind::mean:
                return one("aten::mean.dim", {last, keep}, {{"dtype", Steps::dtype(dtype)}});
            case ReduceKind::prod:
                return one("aten::prod.dim_int", {axis, keep}, {{"dtype", Steps::dtype(dtype)}});
            case ReduceKind::max:
                return one("aten::amax", {last, keep});
            case ReduceKind::min:
                return one("aten::amin", {last, keep});
            case ReduceKind::any:
                return one("aten::any.dim", {axis, keep});
            case ReduceKind::all:
                return one("aten::all.dim", {axis, keep});
            case ReduceKind::var:
                return spread("aten::var.correction");
            case ReduceKind::std:
                return spread("aten::std.correction");
            case ReduceKind::norm:
                return one("aten::linalg_vector_norm", {{kind.p}, last, keep});
            case ReduceKind::logsumexp:
                return one("aten::logsumexp", {last, keep});
            case ReduceKind::argmax:
                return one("aten::argmax", {axis, keep});
            case ReduceKind::argmin:
                return one("aten::argmin", {axis, keep});
            case ReduceKind::max_index:
                return both("aten::max.dim");
            case ReduceKind::min_index:
                return both("aten::min.dim");
            case ReduceKind::count_nonzero:
                return one("aten::count_nonzero.dim_IntList", {last});
        }
        return {};
    }

    Tensors operator()(const Scan& kind) const {
        constexpr const char* names[] = {"aten::cumsum", "aten::cumprod", "aten::cummax", "aten::cummin",
                                         "aten::logcumsumexp"};
        std::vector<std::pair<DType, Shape>> types;
        for (size_t i = 0; i < node.results.size(); ++i) types.emplace_back(result(i).dtype, result(i).shape);
        return steps.make_all(names[static_cast<size_t>(kind.kind)], {{in[0]}, {int64_t{kind.axis}}}, types);
    }
    Tensors operator()(const Sort& kind) const {
        return steps.make_all(
            "aten::sort.stable", {{in[0]}},
            {{result(0).dtype, result(0).shape}, {DType::i64, result(1).shape}},
            {{"stable", {true}}, {"dim", {int64_t{kind.axis}}}, {"descending", {kind.descending}}});
    }
    Tensors operator()(const TopK& kind) const {
        return steps.make_all("aten::topk",
                              {{in[0]}, {kind.k}, {int64_t{kind.axis}}, {kind.largest}, {kind.sorted}},
                              {{result(0).dtype, result(0).shape}, {DType::i64, result(1).shape}});
    }

    Tensors operator()(const Contract& kind) const {
        const Shape& shape = result().shape;
        const DType wide = wider(result().dtype);
        const int64_t m = shape[shape.size() - 2], n = shape.back(), k = in[0].shape.back();
        int64_t batch = 1;
        for (size_t i = 0; i + 2 < shape.size(); ++i) batch *= shape[i];
        const plan::Tensor lhs = steps.seen(steps.cast(in[0], wide), {batch, m, k});
        const plan::Tensor rhs = steps.seen(steps.cast(in[1], wide), {batch, k, n});
        plan::Tensor out = steps.seen(steps.make("aten::bmm", {{lhs}, {rhs}}, wide, {batch, m, n}), shape);
        if (kind.alpha != 1) out = steps.make("aten::mul.Scalar", {{out}, {kind.alpha}}, wide, shape);
        if (in.size() > 2)
            out = steps.make("aten::add.Tensor", {{out}, {steps.cast(in[2], wide)}}, wide, shape,
                             kind.beta == 1
                                 ? std::vector<std::pair<std::string, plan::Value>>{}
                                 : std::vector<std::pair<std::string, plan::Value>>{{"alpha", {kind.beta}}});
        return {steps.cast(out, result().dtype)};
    }

    /// Row-major position in `shape` that the places name, for each element of an index space `over`.
    plan::Tensor position(const std::vector<Place>& places, bool wrap, const Shape& shape, const Shape& over,
                          size_t first) const {
        const std::vector<int64_t> stride = row_major(shape);
        plan::Tensor sum = steps.filled(int64_t{0}, DType::i64, over);
        for (size_t i = 0; i < places.size(); ++i) {
            plan::Tensor at;
            if (places[i].operand < 0) {
                at = spelled(steps, evaluated(steps, places[i].at, over), over);
            } else {
                at = steps.cast(in[first + static_cast<size_t>(places[i].operand)], DType::i64);
                if (wrap)  // -1 is the last one
                    at = steps.make("aten::remainder.Scalar", {{at}, {shape[i]}}, DType::i64, over);
            }
            sum = steps.make("aten::add.Tensor", {{sum}, {at}}, DType::i64, over, {{"alpha", {stride[i]}}});
        }
        return sum;
    }
    Tensors operator()(const Gather& kind) const {
        const Shape& shape = result().shape;
        const plan::Tensor at = position(kind.places, kind.wrap, in[0].shape, shape, 1);
        return {steps.make("aten::take", {{in[0]}, {at}}, result().dtype, shape)};
    }
    Tensors operator()(const Scatter& kind) const {
        constexpr const char* names[] = {"", "sum", "prod", "amax", "amin", "mean"};
        const Shape& shape = result().shape;
        const int64_t all = element_count(shape), count = element_count(in[1].shape);
        const plan::Tensor at = steps.seen(position(kind.places, kind.wrap, shape, in[1].shape, 2), {count});
        const plan::Tensor base = steps.seen(in[0], {all}), updates = steps.seen(in[1], {count});
        plan::Tensor out;
        if (kind.kind == ScatterKind::assign)
            out = steps.make("aten::index_put", {{base}, Steps::tensors({at}), {updates}}, result().dtype,
                             {all});
        else
            out = steps.make(
                "aten::scatter_reduce.two",
                {{base}, {int64_t{0}}, {at}, {updates}, {std::string(names[static_cast<size_t>(kind.kind)])}},
                result().dtype, {all}, {{"include_self", {kind.include_self}}});
        return {steps.seen(out, shape)};
    }

    Tensors operator()(const auto&) const {
        throw InputError(fmt::format("{} has no ATen step: expand it first", kind_name(node.kind)));
    }
};

}  // namespace

std::vector<plan::Tensor> evaluated(Steps& steps, const Graph& graph, const Node& node,
                                    const std::vector<plan::Tensor>& operands) {
    return std::visit(Lowered{steps, graph, node, operands}, node.kind);
}

}  // namespace tritonsmith::graph
