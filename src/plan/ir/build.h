#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plan/ir/json.h"
#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// Writes plans by hand, for tests: buffers of the right size with addresses that do not overlap, contiguous
/// tensors, lines that count up.
class Builder {
  public:
    Plan plan;

    explicit Builder(const std::string& role = "candidate") {
        plan.role = role;
        plan.device = "cuda";
        plan.target = "sm_90";
        plan.kernels.push_back({"kernel", "module {}", {{"num_warps", Value{int64_t{4}}}}, 1});
    }

    static Value value(Tensor tensor) { return {std::move(tensor)}; }
    static Value value(int number) { return {int64_t{number}}; }
    static Value value(double number) { return {number}; }
    static Value value(bool flag) { return {flag}; }
    static Value value(Value any) { return any; }
    static Value dtype(DType type) { return {Symbol{Symbol::Kind::dtype, dtype_name(type)}}; }
    static Value list(std::vector<int64_t> numbers) {
        Sequence sequence;
        for (int64_t number : numbers) sequence.items.push_back({number});
        return {sequence};
    }
    static Value tensors(const std::vector<Tensor>& items) {
        Sequence sequence;
        for (const Tensor& item : items) sequence.items.push_back({item});
        return {sequence};
    }
    template <typename... Items>
    static List args(Items... items) {
        return {value(items)...};
    }

    static Tensor contiguous(int buffer, DType type, std::vector<int64_t> shape) {
        Tensor tensor{buffer, type, std::move(shape), {}, 0};
        tensor.stride.assign(tensor.shape.size(), 1);
        for (size_t i = tensor.shape.size(); i-- > 1;)
            tensor.stride[i - 1] = tensor.stride[i] * tensor.shape[i];
        return tensor;
    }
    /// A tensor in a new buffer of its own.
    Tensor fresh(std::vector<int64_t> shape, DType type = DType::f32,
                 BufferKind kind = BufferKind::allocation) {
        Tensor tensor = contiguous(static_cast<int>(plan.buffers.size()), type, std::move(shape));
        int64_t bytes = element_size(type);
        for (int64_t size : tensor.shape) bytes *= size;
        Buffer buffer{tensor.buffer, kind, bytes, address_, {}, line_};
        if (kind == BufferKind::constant) buffer.data.assign(static_cast<size_t>(bytes), 0);
        address_ += static_cast<uint64_t>((bytes + 511) / 512 * 512 + 512);
        plan.buffers.push_back(std::move(buffer));
        return tensor;
    }
    Tensor input(std::vector<int64_t> shape, DType type = DType::f32) {
        Tensor tensor = fresh(std::move(shape), type, BufferKind::input);
        plan.inputs.push_back({tensor});
        return tensor;
    }
    Tensor constant(std::vector<int64_t> shape, DType type = DType::f32) {
        return fresh(std::move(shape), type, BufferKind::constant);
    }

    Builder& phase(Phase now) {
        phase_ = now;
        return *this;
    }
    void add(decltype(Step::what) what) { plan.steps.push_back({std::move(what), phase_, line_++}); }
    /// An operator whose result is given (a view, or what it writes in place).
    Tensor op(const std::string& name, List arguments, Tensor result, int draw = -1) {
        add(AtenStep{name, std::move(arguments), {}, {result}, draw});
        return result;
    }
    /// An operator with a fresh result.
    Tensor make(const std::string& name, List arguments, std::vector<int64_t> shape, DType type = DType::f32,
                int draw = -1) {
        return op(name, std::move(arguments), fresh(std::move(shape), type), draw);
    }
    void launch(List arguments, std::array<int64_t, 3> grid = {1, 1, 1}, int kernel = 0) {
        add(LaunchStep{kernel, grid, std::move(arguments)});
    }
    void free(const Tensor& tensor) { add(FreeStep{tensor.buffer}); }
    void weight(const std::string& name, const Tensor& tensor, bool parameter = true) {
        plan.weights.push_back({name, tensor, parameter});
    }
    int line() const { return line_; }  ///< of the next step

  private:
    Phase phase_ = Phase::forward;
    int line_ = 10;
    uint64_t address_ = uint64_t{1} << 40;
};

}  // namespace tritonsmith::plan
