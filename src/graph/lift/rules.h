#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/lift/lifter.h"

namespace tritonsmith::graph {

/// What the result tensors of a step are, in order; nothing where a result is not lifted (statistics that
/// only a backward pass reads: reading them is refused).
using Results = std::vector<std::optional<Operand>>;
using Rule = std::function<Results(Lifter&, const Call&)>;
/// By the operator's name without overload and trailing underscore: "add" also lifts add_.
using Rules = std::map<std::string, Rule, std::less<>>;

void add_pointwise_rules(Rules& rules);
void add_arithmetic_rules(Rules& rules);
void add_factory_rules(Rules& rules);
void add_movement_rules(Rules& rules);
void add_reduction_rules(Rules& rules);
void add_product_rules(Rules& rules);
void add_norm_rules(Rules& rules);
void add_attention_rules(Rules& rules);
void add_pool_rules(Rules& rules);
void add_index_rules(Rules& rules);
void add_loss_rules(Rules& rules);
void add_recurrent_rules(Rules& rules);
const Rules& all_rules();

/// Builds one pointwise node: operands are broadcast to the step's first result.
class Elementwise {
  public:
    Elementwise(Lifter& lifter, const Call& call);
    Elementwise(Lifter& lifter, DType result, Shape shape);

    DType result_dtype() const { return dtype_; }
    /// Wide enough for what PyTorch computes an operator in: float32 for a half.
    DType compute() const;
    Expression& body() { return node_.body; }
    /// An operand (or a number) as a step of the expression. Numbers of a half's operation stay float32.
    int in(const Operand& operand, DType dtype);
    int in(const plan::Tensor& tensor, DType dtype);
    int in(const plan::Value& value, DType dtype);
    int number(Number number, DType dtype);
    int of(ScalarOp op, std::vector<int> args, DType dtype);
    int of(ScalarOp op, std::vector<int> args) { return of(op, std::move(args), dtype_); }
    /// The node; its body's last step is cast to the result's dtype.
    Operand done();
    Results results();

  private:
    Lifter& lifter_;
    DType dtype_;
    Shape shape_;
    Pointwise node_;
    std::vector<Operand> operands_;
};

/// PyTorch's type promotion over tensors (with axes, without), and numbers.
DType common_dtype(const std::vector<const plan::Value*>& values);
bool is_narrow(DType dtype);
/// Tensor or number at this place. @throws Unliftable
const plan::Value& given(const Call& call, size_t position, const char* name);

}  // namespace tritonsmith::graph
