#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data/synth/size.h"
#include "plan/ir/plan.h"

namespace tritonsmith::data {

using plan::DType;

/// A tensor at both instances.
struct Tensor {
    Shape shape;
    DType dtype = DType::f32;
    std::array<plan::Tensor, kInstances> at;
    size_t rank() const { return shape.size(); }
    bool contiguous() const;
};

/// An argument of an operator, at both instances.
struct Arg {
    std::array<plan::Value, kInstances> at;
    Arg() = default;                                                                         ///< None
    Arg(const Tensor& tensor) : at{plan::Value{tensor.at[0]}, plan::Value{tensor.at[1]}} {}  // NOLINT
    Arg(int number) : Arg(plan::Value{int64_t{number}}) {}                                   // NOLINT
    Arg(int64_t number) : Arg(plan::Value{number}) {}                                        // NOLINT
    Arg(double number) : Arg(plan::Value{number}) {}                                         // NOLINT
    Arg(bool flag) : Arg(plan::Value{flag}) {}                                               // NOLINT
    Arg(const char* word) : Arg(plan::Value{std::string(word)}) {}                           // NOLINT
    Arg(const Size& size) : at{plan::Value{size.at[0]}, plan::Value{size.at[1]}} {}          // NOLINT
    Arg(const Shape& shape);                                                                 // NOLINT
    Arg(const std::vector<Tensor>& tensors);                                                 // NOLINT
    static Arg list(const std::vector<int64_t>& numbers);
    static Arg tuple(const Shape& shape);

  private:
    explicit Arg(const plan::Value& same) : at{same, same} {}
};

/// Writes the plans that tracing the task would record, at both instances: the ATen operators of PyTorch's
/// eager mode, without running PyTorch. Views are tensors of the same buffer; results of operators are
/// contiguous.
class Eager {
  public:
    Eager();
    std::array<plan::Plan, kInstances> plans;
    int line = 0;  ///< of the steps that follow

    Tensor input(Shape shape, DType dtype);
    Tensor weight(const std::string& name, Shape shape, DType dtype, bool parameter = true);
    /// A Python number among forward's arguments: another one at each instance.
    Arg number(double now, double other);
    void init_input(const Arg& value);
    void output(const std::vector<Tensor>& tensors, bool tuple);
    /// Nothing is computed or moved.
    bool only_copies() const;

    /// An operator with one result of its own.
    Tensor call(const char* op, std::vector<Arg> args, Shape shape, DType dtype,
                std::vector<std::pair<std::string, Arg>> named = {});
    /// An operator that changes `changed`, its first argument.
    void in_place(const char* op, std::vector<Arg> args, const Tensor& changed);
    /// With several results; those that write in place or are views are not of this kind.
    std::vector<Tensor> calls(const char* op, std::vector<Arg> args,
                              const std::vector<std::pair<Shape, DType>>& results);

    /// The last operator's first result, `made` contiguous, is what it sees through this order of axes.
    Tensor in_order(const Tensor& made, const std::vector<int>& order);

    Tensor contiguous(const Tensor& x);
    Tensor reshape(const Tensor& x, Shape shape);
    Tensor permute(const Tensor& x, const std::vector<int>& order);
    Tensor transpose(const Tensor& x, int a, int b);
    Tensor slice(const Tensor& x, int axis, const Size& begin, const Size& length, int64_t step = 1);
    Tensor select(const Tensor& x, int axis, const Size& at);
    Tensor unsqueeze(const Tensor& x, int axis);
    Tensor expand(const Tensor& x, const Shape& shape);

    // What F.linear, F.conv2d and the like become.
    Tensor linear(const Tensor& x, const Tensor& weight, const Tensor* bias);
    Tensor matmul(const Tensor& a, const Tensor& b);
    Tensor to(const Tensor& x, DType dtype);

  private:
    Tensor fresh(Shape shape, DType dtype, plan::BufferKind kind);
};

}  // namespace tritonsmith::data
