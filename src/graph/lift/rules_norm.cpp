#include <limits>

#include "graph/lift/rules.h"
#include "plan/ir/json.h"

/// Normalisation and softmax.
namespace tritonsmith::graph {
namespace {

struct BatchArguments {  ///< positions; training < 0: the name says
    size_t training, momentum, eps;
    bool always = false, never = false;
};

Results batch_norm(Lifter& lifter, const Call& call, BatchArguments at) {
    const plan::Tensor *weight = call.tensor_if(1, "weight"), *bias = call.tensor_if(2, "bias");
    const bool no_stats = call.name().overload.starts_with("no_stats");
    const plan::Tensor* mean = no_stats ? nullptr : call.tensor_if(3, "running_mean");
    const plan::Tensor* variance = no_stats ? nullptr : call.tensor_if(4, "running_var");
    if (no_stats) at = {3, 4, 5};
    Normalize node{NormKind::batch};
    node.training = at.always || (!at.never && call.flag(at.training, "training", false));
    node.momentum = call.real(at.momentum, "momentum", 0.1);
    node.eps = call.real(at.eps, "eps", 1e-5);
    node.has = {weight != nullptr, bias != nullptr, mean != nullptr};
    if (!node.training && !mean) throw Unliftable{"neither batch nor running statistics"};
    std::vector<Operand> operands{lifter.read(call.tensor(0, "input"))};
    for (const plan::Tensor* tensor : {weight, bias, mean, variance})
        if (tensor) operands.push_back(lifter.read(*tensor));
    std::vector<std::pair<DType, Shape>> types{{call.result().dtype, call.result().shape}};
    const bool updates = node.training && mean;
    if (updates) types.insert(types.end(), {{mean->dtype, mean->shape}, {variance->dtype, variance->shape}});
    const std::vector<Operand> out = lifter.emit_all(node, std::move(operands), types);
    if (updates) {
        lifter.write(*mean, out[1]);
        lifter.write(*variance, out[2]);
    }
    return {out[0]};
}

Results layer_norm(Lifter& lifter, const Call& call, bool rms) {
    const Operand x = lifter.read(call.tensor(0, "input"));
    const plan::Tensor* weight = call.tensor_if(2, "weight");
    const plan::Tensor* bias = rms ? nullptr : call.tensor_if(3, "bias");
    Normalize node{rms ? NormKind::rms : NormKind::layer};
    node.axes = static_cast<int>(call.integers(1, "normalized_shape").size());
    double eps = 1e-5;
    if (rms)
        eps = x.dtype == DType::f64 ? std::numeric_limits<double>::epsilon()
                                    : std::numeric_limits<float>::epsilon();
    node.eps = call.real(rms ? 3 : 4, "eps", eps);
    node.has = {weight != nullptr, bias != nullptr, false};
    std::vector<Operand> operands{x};
    for (const plan::Tensor* tensor : {weight, bias})
        if (tensor) operands.push_back(lifter.read(*tensor));
    return {lifter.emit(node, std::move(operands), call.result().dtype, call.result().shape)};
}

Results group_norm(Lifter& lifter, const Call& call) {  // (x, weight, bias, N, C, HxW, groups, eps)
    const plan::Tensor *weight = call.tensor_if(1, "weight"), *bias = call.tensor_if(2, "bias");
    Normalize node{NormKind::group};
    node.groups = call.integer(6, "group", 1);
    node.eps = call.real(7, "eps", 1e-5);
    node.has = {weight != nullptr, bias != nullptr, false};
    std::vector<Operand> operands{lifter.read(call.tensor(0, "input"))};
    for (const plan::Tensor* tensor : {weight, bias})
        if (tensor) operands.push_back(lifter.read(*tensor));
    return {lifter.emit(node, std::move(operands), call.result().dtype, call.result().shape)};
}

Results softmax(Lifter& lifter, const Call& call, bool log) {
    const plan::Tensor& self = call.tensor(0, "self");
    const Operand x = lifter.read(self);
    if (x.shape().empty()) throw Unliftable{"of a single number"};
    const Softmax node{wrapped(call.integer(1, "dim", -1), x.shape().size()), log};
    // half_to_float: the result is of float32, and so is what is computed
    const Operand wide = converted(lifter.graph(), x, call.result().dtype);
    return {lifter.emit(node, {wide}, call.result().dtype, x.shape())};
}

/// Rows in which nothing takes part (all -inf) are 0 and not NaN.
Results safe_softmax(Lifter& lifter, const Call& call) {
    const Operand x = lifter.read(call.tensor(0, "self"));
    const Operand weights = *softmax(lifter, call, false).front();
    const int axis = wrapped(call.integer(1, "dim", -1), x.shape().size());
    Shape shape = x.shape();
    shape.erase(shape.begin() + axis);
    const Operand largest = lifter.emit(Reduce{ReduceKind::max, {axis}}, {x}, x.dtype, shape);
    Elementwise node(lifter, call);
    const int least = node.in(unsqueezed(lifter.graph(), largest, {axis}), x.dtype);
    const int never = node.number(-std::numeric_limits<double>::infinity(), x.dtype);
    const int none = node.of(ScalarOp::eq, {least, never}, DType::b1);
    node.of(ScalarOp::where,
            {none, node.number(int64_t{0}, node.result_dtype()), node.in(weights, node.result_dtype())});
    return node.results();
}

Results dropout(Lifter& lifter, const Call& call) {
    const std::optional<Number> train = call.number_if(2, "train");
    if ((!train || as_double(*train) != 0) && call.real(1, "p", 0.5) != 0)
        throw Unliftable{"it draws random numbers"};
    return {lifter.read(call.tensor(0, "input"))};
}

}  // namespace

void add_norm_rules(Rules& rules) {
    rules["cudnn_batch_norm"] = rules["native_batch_norm"] = rules["_native_batch_norm_legit"] =
        rules["miopen_batch_norm"] = [](Lifter& lifter, const Call& call) {
            return batch_norm(lifter, call, {5, 6, 7});
        };
    rules["_native_batch_norm_legit_no_training"] =
        rules["_batch_norm_no_update"] = [](Lifter& lifter, const Call& call) {
            return batch_norm(lifter, call, {0, 5, 6, false, true});
        };
    rules["_batch_norm_with_update"] = [](Lifter& lifter, const Call& call) {
        return batch_norm(lifter, call, {0, 5, 6, true, false});
    };
    rules["native_layer_norm"] = [](Lifter& lifter, const Call& call) {
        return layer_norm(lifter, call, false);
    };
    rules["_fused_rms_norm"] = [](Lifter& lifter, const Call& call) {
        return layer_norm(lifter, call, true);
    };
    rules["native_group_norm"] = group_norm;
    rules["_softmax"] =
        rules["softmax"] = [](Lifter& lifter, const Call& call) { return softmax(lifter, call, false); };
    rules["_safe_softmax"] = safe_softmax;
    rules["_log_softmax"] =
        rules["log_softmax"] = [](Lifter& lifter, const Call& call) { return softmax(lifter, call, true); };
    rules["native_dropout"] = rules["dropout"] = dropout;
}

}  // namespace tritonsmith::graph
