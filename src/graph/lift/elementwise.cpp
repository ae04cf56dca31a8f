#include "graph/lift/rules.h"
#include "plan/ir/json.h"

namespace tritonsmith::graph {
namespace {

bool integral(DType dtype) {
    return !plan::is_floating(dtype) && dtype != DType::b1;
}

std::optional<DType> joined(std::optional<DType> a, std::optional<DType> b) {
    if (!a || !b) return a ? a : b;
    if (*a == *b) return a;
    if (plan::is_floating(*a) != plan::is_floating(*b)) return plan::is_floating(*a) ? a : b;
    if (*a == DType::b1 || *b == DType::b1) return *a == DType::b1 ? b : a;
    const int size_a = plan::element_size(*a), size_b = plan::element_size(*b);
    if (size_a != size_b && (plan::is_floating(*a) || *a != DType::u8) &&
        (plan::is_floating(*b) || *b != DType::u8))
        return size_a > size_b ? a : b;
    if (plan::is_floating(*a)) return DType::f32;  // f16 and bf16
    const DType other = *a == DType::u8 ? *b : *a;
    return other == DType::i8 ? DType::i16 : other;
}

/// Where something with more axes decides, unless the other one is of a higher kind.
std::optional<DType> decided(std::optional<DType> higher, std::optional<DType> lower) {
    if (!higher || !lower) return higher ? higher : lower;
    if (plan::is_floating(*higher)) return higher;
    if (*higher == DType::b1 || plan::is_floating(*lower)) return joined(higher, lower);
    return higher;
}

}  // namespace

bool is_narrow(DType dtype) {
    return dtype == DType::f16 || dtype == DType::bf16;
}

DType common_dtype(const std::vector<const plan::Value*>& values) {
    std::optional<DType> with_axes, without, numbers;
    for (const plan::Value* value : values) {
        if (const auto* tensor = std::get_if<plan::Tensor>(&value->v)) {
            std::optional<DType>& slot = tensor->shape.empty() ? without : with_axes;
            slot = joined(slot, tensor->dtype);
        } else if (std::holds_alternative<bool>(value->v)) {
            numbers = joined(numbers, DType::b1);
        } else {
            const bool whole = std::holds_alternative<int64_t>(value->v);
            numbers = joined(numbers, whole ? DType::i64 : DType::f32);
        }
    }
    return decided(decided(with_axes, without), numbers).value_or(DType::f32);
}

const plan::Value& given(const Call& call, size_t position, const char* name) {
    const plan::Value* value = call.value(position, name);
    if (!value || (!std::holds_alternative<plan::Tensor>(value->v) && !number_of(*value)))
        throw Unliftable{std::string("argument '") + name + "' is neither a tensor nor a number"};
    return *value;
}

Elementwise::Elementwise(Lifter& lifter, const Call& call)
    : Elementwise(lifter, call.result().dtype, call.result().shape) {}
Elementwise::Elementwise(Lifter& lifter, DType result, Shape shape)
    : lifter_(lifter), dtype_(result), shape_(std::move(shape)) {}

DType Elementwise::compute() const {
    return is_narrow(dtype_) ? DType::f32 : dtype_;
}

int Elementwise::in(const Operand& operand, DType dtype) {
    Operand wide = broadcast(lifter_.graph(), operand, shape_);
    // One conversion is the operand's own; a second one rounds twice, and is a step.
    if (lifter_.graph().values[static_cast<size_t>(wide.value)].dtype == wide.dtype) wide.dtype = dtype;
    for (size_t i = 0; i < operands_.size(); ++i)
        if (operands_[i] == wide)
            return node_.body.as(node_.body.operand(static_cast<int>(i), wide.dtype), dtype);
    operands_.push_back(wide);
    return node_.body.as(node_.body.operand(static_cast<int>(operands_.size()) - 1, wide.dtype), dtype);
}
int Elementwise::in(const plan::Tensor& tensor, DType dtype) {
    return in(lifter_.read(tensor), dtype);
}
int Elementwise::in(const plan::Value& value, DType dtype) {
    if (const auto* tensor = std::get_if<plan::Tensor>(&value.v)) return in(*tensor, dtype);
    return number(*number_of(value), dtype);
}
int Elementwise::number(Number number, DType dtype) {
    const DType wide = is_narrow(dtype) ? DType::f32 : dtype;
    if (plan::is_floating(wide)) number = as_double(number);
    if (integral(wide) && std::holds_alternative<bool>(number)) number = int64_t{std::get<bool>(number)};
    return node_.body.constant(number, wide);
}
int Elementwise::of(ScalarOp op, std::vector<int> args, DType dtype) {
    return node_.body.apply(op, std::move(args), dtype);
}
Operand Elementwise::done() {
    node_.body.as(static_cast<int>(node_.body.steps.size()) - 1, dtype_);
    return lifter_.emit(std::move(node_), std::move(operands_), dtype_, shape_);
}
Results Elementwise::results() {
    return {done()};
}

const Rules& all_rules() {
    static const Rules* rules = [] {
        auto* made = new Rules;
        add_pointwise_rules(*made);
        add_arithmetic_rules(*made);
        add_factory_rules(*made);
        add_movement_rules(*made);
        add_reduction_rules(*made);
        add_product_rules(*made);
        add_norm_rules(*made);
        add_attention_rules(*made);
        add_pool_rules(*made);
        add_index_rules(*made);
        add_loss_rules(*made);
        add_recurrent_rules(*made);
        return made;
    }();
    return *rules;
}

}  // namespace tritonsmith::graph
