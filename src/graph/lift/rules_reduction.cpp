#include <algorithm>
#include <limits>

#include "graph/lift/rules.h"
#include "plan/ir/json.h"

/// Reductions, scans, sorting. Reduced axes that stay as 1 (keepdim) are a view of the result.
namespace tritonsmith::graph {
namespace {

Shape without(const Shape& shape, const std::vector<int>& axes) {
    Shape out;
    for (size_t i = 0; i < shape.size(); ++i)
        if (std::find(axes.begin(), axes.end(), static_cast<int>(i)) == axes.end()) out.push_back(shape[i]);
    return out;
}

/// @param accumulate dtype that elements are read as
Operand reduced(Lifter& lifter, Operand x, const Reduce& reduce, DType accumulate,
                const plan::Tensor& result) {
    x = converted(lifter.graph(), x, accumulate);
    const Shape shape = without(x.shape(), reduce.axes);
    return reshaped(lifter.graph(), lifter.emit(reduce, {x}, result.dtype, shape), result.shape);
}

/// Those whose axes come as (self, dim, keepdim): none named means all.
Results over_axes(Lifter& lifter, const Call& call, ReduceKind kind) {
    const Operand x = lifter.read(call.tensor(0, "self"));
    Reduce reduce{kind, wrapped_axes(call.integers(1, "dim"), x.shape().size())};
    // Sums of integers are of int64; of floats in the result's dtype. any, all and counts look at elements as
    // they are.
    const bool numeric = kind == ReduceKind::sum || kind == ReduceKind::mean || kind == ReduceKind::prod;
    return {reduced(lifter, x, reduce, numeric ? call.result().dtype : x.dtype, call.result())};
}

Results variance(Lifter& lifter, const Call& call, bool root, bool with_mean) {
    const Operand x = lifter.read(call.tensor(0, "self"));
    // var(self, unbiased) · var(self, dim, unbiased, keepdim) · var(self, dim, *, correction, keepdim)
    double correction = 1;
    std::vector<int64_t> dims;
    if (call.name().overload.empty()) {
        correction = call.flag(1, "unbiased", true) ? 1 : 0;
    } else {
        dims = call.integers(1, "dim");
        if (call.name().overload == "dim")
            correction = call.flag(2, "unbiased", true) ? 1 : 0;
        else
            correction = call.real(99, "correction", 1);
    }
    const std::vector<int> axes = wrapped_axes(dims, x.shape().size());
    Reduce reduce{root ? ReduceKind::std : ReduceKind::var, axes, correction};
    Results out{reduced(lifter, x, reduce, x.dtype, call.result())};
    if (with_mean)
        out.emplace_back(reduced(lifter, x, {ReduceKind::mean, axes}, x.dtype, call.results().at(1)));
    return out;
}

Results norm(Lifter& lifter, const Call& call) {
    // linalg_vector_norm(self, ord=2, dim, keepdim), norm(self, p=2, dim, keepdim); None is 2
    const Operand x = lifter.read(call.tensor(0, "self"));
    Reduce reduce{ReduceKind::norm, wrapped_axes(call.integers(2, "dim"), x.shape().size())};
    reduce.p = call.real(1, call.name().base == "norm" ? "p" : "ord", 2);
    return {reduced(lifter, x, reduce, x.dtype, call.result())};
}

Results arg_of(Lifter& lifter, const Call& call, ReduceKind kind) {
    Operand x = lifter.read(call.tensor(0, "self"));
    if (!call.value(1, "dim")) x = reshaped(lifter.graph(), x, {element_count(x.shape())});
    Reduce reduce{kind, {wrapped(call.integer(1, "dim", 0), x.shape().size())}};
    if (x.shape().empty()) throw Unliftable{"of a single number"};
    return {reduced(lifter, x, reduce, x.dtype, call.result())};
}

/// max and min: of all, along an axis with indices, or of two tensors.
Results extremum(Lifter& lifter, const Call& call, bool largest) {
    if (call.name().overload == "other")
        return all_rules().find(largest ? "maximum" : "minimum")->second(lifter, call);
    const Operand x = lifter.read(call.tensor(0, "self"));
    if (call.name().overload.empty() || call.name().overload == "unary_out") {
        Reduce reduce{largest ? ReduceKind::max : ReduceKind::min, wrapped_axes({}, x.shape().size())};
        return {reduced(lifter, x, reduce, x.dtype, call.result())};
    }
    const int axis = wrapped(call.integer(1, "dim", 0), x.shape().size());
    if (x.shape().empty()) throw Unliftable{"of a single number"};
    const Shape shape = without(x.shape(), {axis});
    Reduce reduce{largest ? ReduceKind::max_index : ReduceKind::min_index, {axis}};
    const std::vector<Operand> out = lifter.emit_all(reduce, {x}, {{x.dtype, shape}, {DType::i64, shape}});
    return {reshaped(lifter.graph(), out[0], call.results().at(0).shape),
            reshaped(lifter.graph(), out[1], call.results().at(1).shape)};
}

Results both_extrema(Lifter& lifter, const Call& call) {  // aminmax
    const Operand x = lifter.read(call.tensor(0, "self"));
    const std::vector<int> axes = wrapped_axes(call.integers(99, "dim"), x.shape().size());
    return {reduced(lifter, x, {ReduceKind::min, axes}, x.dtype, call.results().at(0)),
            reduced(lifter, x, {ReduceKind::max, axes}, x.dtype, call.results().at(1))};
}

Results scanned(Lifter& lifter, const Call& call, ScanKind kind, bool indices) {
    const Operand x = converted(lifter.graph(), lifter.read(call.tensor(0, "self")), call.result().dtype);
    if (x.shape().empty()) throw Unliftable{"of a single number"};
    const Scan scan{kind, wrapped(call.integer(1, "dim", 0), x.shape().size())};
    std::vector<std::pair<DType, Shape>> types{{x.dtype, x.shape()}};
    if (indices) types.emplace_back(DType::i64, x.shape());
    Results out;
    for (Operand& made : lifter.emit_all(scan, {x}, types)) out.emplace_back(std::move(made));
    return out;
}

Results sorted(Lifter& lifter, const Call& call) {
    // sort(self, dim, descending), sort.stable(self, *, stable, dim, descending), argsort alike
    const Operand x = lifter.read(call.tensor(0, "self"));
    if (x.shape().empty()) throw Unliftable{"of a single number"};
    const bool named =
        call.name().overload.starts_with("stable") || call.name().overload.starts_with("values_stable");
    Sort sort;
    sort.axis = wrapped(call.integer(named ? 2 : 1, "dim", -1), x.shape().size());
    sort.descending = call.flag(named ? 3 : 2, "descending", false);
    sort.stable = named && call.flag(1, "stable", false);
    const std::vector<Operand> out =
        lifter.emit_all(sort, {x}, {{x.dtype, x.shape()}, {DType::i64, x.shape()}});
    if (call.name().base == "argsort") return {out[1]};
    return {out[0], out[1]};
}

Results top_k(Lifter& lifter, const Call& call) {
    const Operand x = lifter.read(call.tensor(0, "self"));
    TopK top;
    top.k = call.integer(1, "k", 1);
    top.axis = wrapped(call.integer(2, "dim", -1), x.shape().size());
    top.largest = call.flag(3, "largest", true);
    top.sorted = call.flag(4, "sorted", true);
    const Shape& shape = call.result().shape;
    const std::vector<Operand> out = lifter.emit_all(top, {x}, {{x.dtype, shape}, {DType::i64, shape}});
    return {out[0], out[1]};
}

/// The k-th smallest of an axis (median: the lower one of the middle). Its index among equals is not
/// determined.
Results ranked(Lifter& lifter, const Call& call, bool median) {
    const plan::Tensor& self = call.tensor(0, "self");
    Operand x = lifter.read(self);
    if (median && call.name().overload.empty()) x = reshaped(lifter.graph(), x, {element_count(x.shape())});
    if (x.shape().empty()) throw Unliftable{"of a single number"};
    if (median && plan::is_floating(x.dtype)) throw Unliftable{"NaN takes precedence in it"};
    const bool whole = median && call.name().overload.empty();
    const int axis = wrapped(whole ? 0 : call.integer(median ? 1 : 2, "dim", -1), x.shape().size());
    const int64_t size = x.shape()[static_cast<size_t>(axis)];
    const int64_t rank = median ? (size - 1) / 2 : call.integer(1, "k", 1) - 1;
    Sort sort;
    sort.axis = axis;
    const std::vector<Operand> all =
        lifter.emit_all(sort, {x}, {{x.dtype, x.shape()}, {DType::i64, x.shape()}});
    Results out;
    for (size_t i = 0; i < call.results().size(); ++i) {
        const Operand one = selected(lifter.graph(), all[i], axis, rank);
        out.emplace_back(reshaped(lifter.graph(), one, call.results()[i].shape));
    }
    return out;
}

Results distances(Lifter& lifter, const Call& call, double p) {  // cdist: [B…, P, M], [B…, R, M] → [B…, P, R]
    const Operand x1 = lifter.read(call.tensor(0, "x1")), x2 = lifter.read(call.tensor(1, "x2"));
    const Shape& shape = call.result().shape;
    Shape pairs = shape;
    pairs.push_back(x1.shape().back());
    const int rank = static_cast<int>(shape.size());
    Elementwise node(lifter, x1.dtype, pairs);
    const int a = node.in(unsqueezed(lifter.graph(), x1, {rank - 1}), x1.dtype);
    const int b = node.in(unsqueezed(lifter.graph(), x2, {rank - 2}), x1.dtype);
    node.of(ScalarOp::sub, {a, b});
    return {lifter.emit(Reduce{ReduceKind::norm, {rank}, 1, p}, {node.done()}, call.result().dtype, shape)};
}

struct ReduceEntry {
    const char* name;
    ReduceKind kind;
};
constexpr ReduceEntry kReductions[] = {
    {"sum", ReduceKind::sum},
    {"mean", ReduceKind::mean},
    {"prod", ReduceKind::prod},
    {"amax", ReduceKind::max},
    {"amin", ReduceKind::min},
    {"any", ReduceKind::any},
    {"all", ReduceKind::all},
    {"logsumexp", ReduceKind::logsumexp},
    {"count_nonzero", ReduceKind::count_nonzero},
};

}  // namespace

void add_reduction_rules(Rules& rules) {
    for (const ReduceEntry& entry : kReductions)
        rules[entry.name] = [kind = entry.kind](Lifter& lifter, const Call& call) {
            return over_axes(lifter, call, kind);
        };
    rules["var"] = [](Lifter& lifter, const Call& call) { return variance(lifter, call, false, false); };
    rules["std"] = [](Lifter& lifter, const Call& call) { return variance(lifter, call, true, false); };
    rules["var_mean"] = [](Lifter& lifter, const Call& call) { return variance(lifter, call, false, true); };
    rules["std_mean"] = [](Lifter& lifter, const Call& call) { return variance(lifter, call, true, true); };
    rules["norm"] = rules["linalg_vector_norm"] = norm;
    rules["argmax"] = [](Lifter& lifter, const Call& call) {
        return arg_of(lifter, call, ReduceKind::argmax);
    };
    rules["argmin"] = [](Lifter& lifter, const Call& call) {
        return arg_of(lifter, call, ReduceKind::argmin);
    };
    rules["max"] = [](Lifter& lifter, const Call& call) { return extremum(lifter, call, true); };
    rules["min"] = [](Lifter& lifter, const Call& call) { return extremum(lifter, call, false); };
    rules["aminmax"] = both_extrema;
    rules["cumsum"] = [](Lifter& lifter, const Call& call) {
        return scanned(lifter, call, ScanKind::sum, false);
    };
    rules["cumprod"] = [](Lifter& lifter, const Call& call) {
        return scanned(lifter, call, ScanKind::prod, false);
    };
    rules["cummax"] = [](Lifter& lifter, const Call& call) {
        return scanned(lifter, call, ScanKind::max, true);
    };
    rules["cummin"] = [](Lifter& lifter, const Call& call) {
        return scanned(lifter, call, ScanKind::min, true);
    };
    rules["logcumsumexp"] = rules["_logcumsumexp"] = [](Lifter& lifter, const Call& call) {
        return scanned(lifter, call, ScanKind::logsumexp, false);
    };
    rules["sort"] = rules["argsort"] = sorted;
    rules["topk"] = top_k;
    rules["kthvalue"] = [](Lifter& lifter, const Call& call) { return ranked(lifter, call, false); };
    rules["median"] = [](Lifter& lifter, const Call& call) { return ranked(lifter, call, true); };
    rules["_cdist_forward"] = [](Lifter& lifter, const Call& call) {
        return distances(lifter, call, call.real(2, "p", 2));
    };
    rules["_euclidean_dist"] = [](Lifter& lifter, const Call& call) { return distances(lifter, call, 2); };
}

}  // namespace tritonsmith::graph
