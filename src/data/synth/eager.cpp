#include "data/synth/eager.h"

#include <algorithm>

#include "plan/ir/json.h"

namespace tritonsmith::data {
namespace {

std::vector<int64_t> numbers(const Shape& shape, int instance) {
    std::vector<int64_t> out;
    out.reserve(shape.size());
    for (const Size& size : shape) out.push_back(size.at[static_cast<size_t>(instance)]);
    return out;
}

std::vector<int64_t> row_major(const std::vector<int64_t>& shape) {
    std::vector<int64_t> out(shape.size(), 1);
    for (size_t i = shape.size(); i-- > 1;) out[i - 1] = out[i] * shape[i];
    return out;
}

}  // namespace

Arg::Arg(const Shape& shape) {
    for (int k = 0; k < kInstances; ++k) {
        plan::Sequence list;
        for (const Size& size : shape) list.items.push_back({size.at[static_cast<size_t>(k)]});
        at[static_cast<size_t>(k)] = {std::move(list)};
    }
}

Arg::Arg(const std::vector<Tensor>& tensors) {
    for (size_t k = 0; k < kInstances; ++k) {
        plan::Sequence list;
        for (const Tensor& tensor : tensors) list.items.push_back({tensor.at[k]});
        at[k] = {std::move(list)};
    }
}

Arg Arg::list(const std::vector<int64_t>& numbers) {
    plan::Sequence list;
    for (const int64_t number : numbers) list.items.push_back({number});
    return Arg(plan::Value{std::move(list)});
}

Arg Arg::tuple(const Shape& shape) {
    Arg out(shape);
    for (plan::Value& value : out.at) std::get<plan::Sequence>(value.v).tuple = true;
    return out;
}

bool Tensor::contiguous() const {
    for (size_t k = 0; k < kInstances; ++k)
        if (at[k].stride != row_major(at[k].shape)) return false;
    return true;
}

Eager::Eager() {
    for (plan::Plan& plan : plans) {
        plan.role = "reference";
        plan.device = "cuda";
        plan.target = "sm_90";
    }
}

Tensor Eager::fresh(Shape shape, DType dtype, plan::BufferKind kind) {
    Tensor out;
    for (size_t k = 0; k < kInstances; ++k) {
        plan::Plan& plan = plans[k];
        plan::Tensor& tensor = out.at[k];
        tensor.buffer = static_cast<int>(plan.buffers.size());
        tensor.dtype = dtype;
        tensor.shape = numbers(shape, static_cast<int>(k));
        tensor.stride = row_major(tensor.shape);
        int64_t bytes = plan::element_size(dtype);
        for (const int64_t extent : tensor.shape) bytes *= extent;
        plan::Buffer buffer;
        buffer.id = tensor.buffer;
        buffer.kind = kind;
        buffer.bytes = bytes;
        plan.buffers.push_back(std::move(buffer));
    }
    out.shape = std::move(shape);
    out.dtype = dtype;
    return out;
}

Tensor Eager::input(Shape shape, DType dtype) {
    Tensor out = fresh(std::move(shape), dtype, plan::BufferKind::input);
    for (size_t k = 0; k < kInstances; ++k) plans[k].inputs.push_back({out.at[k]});
    return out;
}

Tensor Eager::weight(const std::string& name, Shape shape, DType dtype, bool parameter) {
    Tensor out = fresh(std::move(shape), dtype, plan::BufferKind::allocation);
    for (size_t k = 0; k < kInstances; ++k) plans[k].weights.push_back({name, out.at[k], parameter});
    return out;
}

Arg Eager::number(double now, double other) {
    Arg out;
    out.at = {plan::Value{now}, plan::Value{other}};
    for (size_t k = 0; k < kInstances; ++k) plans[k].inputs.push_back(out.at[k]);
    return out;
}

void Eager::init_input(const Arg& value) {
    for (size_t k = 0; k < kInstances; ++k) plans[k].init_inputs.push_back(value.at[k]);
}

void Eager::output(const std::vector<Tensor>& tensors, bool tuple) {
    for (size_t k = 0; k < kInstances; ++k) {
        if (!tuple && tensors.size() == 1) {
            plans[k].output = {tensors[0].at[k]};
            continue;
        }
        plan::Sequence list;
        list.tuple = true;
        for (const Tensor& tensor : tensors) list.items.push_back({tensor.at[k]});
        plans[k].output = {std::move(list)};
    }
}

bool Eager::only_copies() const {
    return std::all_of(plans[0].steps.begin(), plans[0].steps.end(), [](const plan::Step& step) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        return aten && (aten->op == "aten::_to_copy" || aten->op == "aten::clone");
    });
}

Tensor Eager::call(const char* op, std::vector<Arg> args, Shape shape, DType dtype,
                   std::vector<std::pair<std::string, Arg>> named) {
    Tensor out = fresh(std::move(shape), dtype, plan::BufferKind::allocation);
    for (size_t k = 0; k < kInstances; ++k) {
        plan::AtenStep step;
        step.op = op;
        for (Arg& arg : args) step.args.push_back(std::move(arg.at[k]));
        for (auto& [name, arg] : named) step.kwargs.emplace_back(name, std::move(arg.at[k]));
        step.result = {out.at[k]};
        plans[k].steps.push_back({std::move(step), plan::Phase::forward, line});
    }
    return out;
}

void Eager::in_place(const char* op, std::vector<Arg> args, const Tensor& changed) {
    for (size_t k = 0; k < kInstances; ++k) {
        plan::AtenStep step;
        step.op = op;
        for (Arg& arg : args) step.args.push_back(std::move(arg.at[k]));
        step.result = {changed.at[k]};
        plans[k].steps.push_back({std::move(step), plan::Phase::forward, line});
    }
}

std::vector<Tensor> Eager::calls(const char* op, std::vector<Arg> args,
                                 const std::vector<std::pair<Shape, DType>>& results) {
    std::vector<Tensor> out;
    for (const auto& [shape, dtype] : results)
        out.push_back(fresh(shape, dtype, plan::BufferKind::allocation));
    for (size_t k = 0; k < kInstances; ++k) {
        plan::AtenStep step;
        step.op = op;
        for (Arg& arg : args) step.args.push_back(std::move(arg.at[k]));
        plan::Sequence list;
        list.tuple = true;
        for (const Tensor& tensor : out) list.items.push_back({tensor.at[k]});
        step.result = {std::move(list)};
        plans[k].steps.push_back({std::move(step), plan::Phase::forward, line});
    }
    return out;
}

Tensor Eager::in_order(const Tensor& made, const std::vector<int>& order) {
    const Tensor out = permute(made, order);
    for (size_t k = 0; k < kInstances; ++k) {
        auto& step = std::get<plan::AtenStep>(plans[k].steps.back().what);
        std::get<plan::Sequence>(step.result.v).items[0] = {out.at[k]};
    }
    return out;
}

Tensor Eager::contiguous(const Tensor& x) {
    return x.contiguous() ? x : call("aten::clone", {x}, x.shape, x.dtype);
}

Tensor Eager::reshape(const Tensor& x, Shape shape) {
    Tensor out = contiguous(x);
    for (size_t k = 0; k < kInstances; ++k) {
        out.at[k].shape = numbers(shape, static_cast<int>(k));
        out.at[k].stride = row_major(out.at[k].shape);
    }
    out.shape = std::move(shape);
    return out;
}

Tensor Eager::permute(const Tensor& x, const std::vector<int>& order) {
    Tensor out = x;
    for (size_t i = 0; i < order.size(); ++i) {
        const auto from = static_cast<size_t>(order[i]);
        out.shape[i] = x.shape[from];
        for (size_t k = 0; k < kInstances; ++k) {
            out.at[k].shape[i] = x.at[k].shape[from];
            out.at[k].stride[i] = x.at[k].stride[from];
        }
    }
    return out;
}

Tensor Eager::transpose(const Tensor& x, int a, int b) {
    std::vector<int> order;
    for (int i = 0; i < static_cast<int>(x.rank()); ++i) order.push_back(i == a ? b : i == b ? a : i);
    return permute(x, order);
}

Tensor Eager::slice(const Tensor& x, int axis, const Size& begin, const Size& length, int64_t step) {
    const auto d = static_cast<size_t>(axis);
    Tensor out = x;
    out.shape[d] = length;
    for (size_t k = 0; k < kInstances; ++k) {
        out.at[k].offset += begin.at[k] * x.at[k].stride[d];
        out.at[k].shape[d] = length.at[k];
        out.at[k].stride[d] *= step;
    }
    return out;
}

Tensor Eager::select(const Tensor& x, int axis, const Size& at) {
    Tensor out = slice(x, axis, at, 1);
    out.shape.erase(out.shape.begin() + axis);
    for (plan::Tensor& tensor : out.at) {
        tensor.shape.erase(tensor.shape.begin() + axis);
        tensor.stride.erase(tensor.stride.begin() + axis);
    }
    return out;
}

Tensor Eager::unsqueeze(const Tensor& x, int axis) {
    Tensor out = x;
    out.shape.insert(out.shape.begin() + axis, Size(1));
    for (plan::Tensor& tensor : out.at) {
        const auto d = static_cast<size_t>(axis);
        const int64_t stride = d < tensor.shape.size() ? tensor.shape[d] * tensor.stride[d] : 1;
        tensor.shape.insert(tensor.shape.begin() + axis, 1);
        tensor.stride.insert(tensor.stride.begin() + axis, stride);
    }
    return out;
}

Tensor Eager::expand(const Tensor& x, const Shape& shape) {
    Tensor out = x;
    out.shape = shape;
    const size_t lead = shape.size() - x.rank();
    for (size_t k = 0; k < kInstances; ++k) {
        out.at[k].shape = numbers(shape, static_cast<int>(k));
        out.at[k].stride.assign(shape.size(), 0);
        for (size_t d = 0; d < x.rank(); ++d)
            if (x.at[k].shape[d] == out.at[k].shape[d + lead]) out.at[k].stride[d + lead] = x.at[k].stride[d];
    }
    return out;
}

Tensor Eager::linear(const Tensor& x, const Tensor& weight, const Tensor* bias) {
    const Size rows = product({x.shape.begin(), x.shape.end() - 1});
    Shape shape = x.shape;
    shape.back() = weight.shape[0];
    const Tensor flat = x.rank() == 2 ? x : reshape(x, {rows, x.shape.back()});
    const Tensor turned = transpose(weight, 0, 1);
    const Shape result = {rows, weight.shape[0]};
    const Tensor out = bias ? call("aten::addmm", {*bias, flat, turned}, result, x.dtype)
                            : call("aten::mm", {flat, turned}, result, x.dtype);
    return x.rank() == 2 ? out : reshape(out, shape);
}

/// Of equal batch axes, or of a matrix on the right.
Tensor Eager::matmul(const Tensor& a, const Tensor& b) {
    if (a.rank() == 2 && b.rank() == 2) return call("aten::mm", {a, b}, {a.shape[0], b.shape[1]}, a.dtype);
    Shape shape = a.shape;
    shape.back() = b.shape.back();
    if (b.rank() == 2) {
        const Size rows = product({a.shape.begin(), a.shape.end() - 1});
        return reshape(call("aten::mm", {reshape(a, {rows, a.shape.back()}), b}, {rows, b.shape[1]}, a.dtype),
                       shape);
    }
    const Size batch = product({a.shape.begin(), a.shape.end() - 2});
    const size_t m = a.rank() - 2;
    const Tensor left = a.rank() == 3 ? a : reshape(a, {batch, a.shape[m], a.shape[m + 1]});
    const Tensor right = b.rank() == 3 ? b : reshape(b, {batch, b.shape[m], b.shape[m + 1]});
    const Tensor out = call("aten::bmm", {left, right}, {batch, a.shape[m], b.shape[m + 1]}, a.dtype);
    return a.rank() == 3 ? out : reshape(out, shape);
}

Tensor Eager::to(const Tensor& x, DType dtype) {
    if (x.dtype == dtype) return x;
    return call("aten::_to_copy", {x}, x.shape, dtype);
}

}  // namespace tritonsmith::data
