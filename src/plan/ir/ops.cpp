#include "plan/ir/ops.h"

#include <algorithm>

namespace tritonsmith::plan {
namespace {

const aten::Operator* listed(const OpName& name) {
    return name.space == "aten" ? aten::find(name.base) : nullptr;
}

}  // namespace

OpName::OpName(std::string_view op) {
    size_t colons = op.find("::");
    if (colons != std::string_view::npos) {
        space = op.substr(0, colons);
        op.remove_prefix(colons + 2);
    }
    size_t dot = op.find('.');
    base = op.substr(0, dot);
    if (dot != std::string_view::npos) overload = op.substr(dot + 1);
}

OpClass op_class(std::string_view op) {
    OpName name(op);
    if (name.space == "prim") return OpClass::view;
    const aten::Operator* known = listed(name);
    if (!known) return OpClass::compute;
    // Overloads that take their value or probability from a tensor.
    if (known->kind == OpClass::fill && name.overload == "Tensor") return OpClass::copy;
    if (name.base == "bernoulli_" && name.overload == "Tensor") return OpClass::compute;
    return known->kind;
}

bool in_place(std::string_view op) {
    OpName name(op);
    return !name.base.empty() && name.base.back() == '_' && !name.base.ends_with("__");
}

bool overwrites(std::string_view op) {
    if (!in_place(op)) return false;
    OpClass kind = op_class(op);
    return kind == OpClass::fill || kind == OpClass::copy || kind == OpClass::draw;
}

bool op_is(std::string_view op, aten::Trait trait) {
    const aten::Operator* known = listed(OpName(op));
    return known && known->is(trait);
}

const aten::Operator* out_of_place(std::string_view op) {
    OpName name(op);
    if (in_place(op)) name.base.remove_suffix(1);
    return listed(name);
}

bool rearranges(std::string_view op) {
    return op_is(op, aten::Trait::rearranges);
}

bool scalar_pointwise(const AtenStep& step) {
    if (!op_is(step.op, aten::Trait::scalar)) return false;
    size_t tensors = std::count_if(step.args.begin(), step.args.end(), [](const Value& value) {
        return std::holds_alternative<Tensor>(value.v);
    });
    return tensors == 1;
}

}  // namespace tritonsmith::plan
