#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plan/ir/json.h"
#include "plan/ir/plan.h"

/// Small plans written by hand, for tests only.
namespace tritonsmith::run::testing {

inline std::vector<int64_t> row_major(const std::vector<int64_t>& shape) {
    std::vector<int64_t> stride(shape.size(), 1);
    for (size_t i = shape.size(); i-- > 1;) stride[i - 1] = stride[i] * shape[i];
    return stride;
}

class PlanBuilder {
  public:
    explicit PlanBuilder(std::string role = "reference", std::string device = "cpu") {
        plan.role = std::move(role);
        plan.device = std::move(device);
        plan.target = "sm_90";
    }

    /// A contiguous tensor in a buffer of its own.
    plan::Tensor tensor(std::vector<int64_t> shape, plan::DType dtype = plan::DType::f32,
                        plan::BufferKind kind = plan::BufferKind::allocation) {
        int64_t elements = 1;
        for (int64_t dimension : shape) elements *= dimension;
        plan::Buffer buffer;
        buffer.id = static_cast<int>(plan.buffers.size());
        buffer.kind = kind;
        buffer.bytes = elements * plan::element_size(dtype);
        buffer.address = uint64_t{0x200000000000} + (static_cast<uint64_t>(buffer.id) << 24);
        plan.buffers.push_back(buffer);
        std::vector<int64_t> stride = row_major(shape);
        return {buffer.id, dtype, std::move(shape), std::move(stride), 0};
    }
    template <class T>
    plan::Tensor constant(std::vector<int64_t> shape, plan::DType dtype, const std::vector<T>& values) {
        plan::Tensor made = tensor(std::move(shape), dtype, plan::BufferKind::constant);
        const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
        plan.buffers.back().data.assign(bytes, bytes + values.size() * sizeof(T));
        return made;
    }

    plan::AtenStep& aten(plan::Phase phase, std::string op, plan::List args, plan::Value result,
                         int draw = -1) {
        plan::AtenStep step;
        step.op = std::move(op);
        step.args = std::move(args);
        step.result = std::move(result);
        step.draw = draw;
        plan.steps.push_back({std::move(step), phase, static_cast<int>(plan.steps.size()) + 1});
        return std::get<plan::AtenStep>(plan.steps.back().what);
    }
    plan::AtenStep& forward(std::string op, plan::List args, plan::Value result) {
        return aten(plan::Phase::forward, std::move(op), std::move(args), std::move(result));
    }
    void launch(int kernel, std::array<int64_t, 3> grid, plan::List args) {
        plan.steps.push_back({plan::LaunchStep{kernel, grid, std::move(args)}, plan::Phase::forward,
                              static_cast<int>(plan.steps.size()) + 1});
    }
    void free(const plan::Tensor& tensor) {
        plan.steps.push_back({plan::FreeStep{tensor.buffer}, plan::Phase::forward, 0});
    }
    void weight(std::string name, const plan::Tensor& tensor, bool parameter = true) {
        plan.weights.push_back({std::move(name), tensor, parameter});
    }

    plan::Plan plan;
};

inline plan::Value value(const plan::Tensor& tensor) {
    return {tensor};
}
inline plan::Value integers(const std::vector<int64_t>& list) {
    plan::Sequence out;
    for (int64_t item : list) out.items.push_back({item});
    return {out};
}
inline plan::Value sequence(plan::List items) {
    return {plan::Sequence{std::move(items), false}};
}
inline plan::Value symbol(plan::Symbol::Kind kind, std::string text) {
    return {plan::Symbol{kind, std::move(text)}};
}

}  // namespace tritonsmith::run::testing
