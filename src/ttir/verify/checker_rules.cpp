#include "ttir/verify/checker_rules.h"

#include <algorithm>

#include "ttir/verify/checker.h"
#include "ttir/verify/checker_types.h"

namespace tritonsmith::ttir::rules {

void same(const Function& f, const Operation& op, const OpSpec& spec) {
    View v(f, op);
    v.counts(spec.arity, 1);
    for (int i = 0; i < spec.arity; ++i) v.require(v.in(i) == v.out(0), "operands and result have one type");
    v.require(is_class(v.out(0), spec.from), "wrong element type");
}

void cast(const Function& f, const Operation& op, const OpSpec& spec) {
    View v(f, op);
    v.counts(1, 1);
    v.same_shape(v.in(0), v.out(0));
    v.require(is_class(v.in(0), spec.from) && is_class(v.out(0), spec.to), "wrong element type");
    int from = bit_width(v.in(0).elem), to = bit_width(v.out(0).elem);
    v.require(spec.width != 1 || to > from, "the result must be wider");
    v.require(spec.width != -1 || to < from || (is_floating(v.out(0).elem) && to == from),
              "the result must be narrower");
    v.require(spec.width != 2 || to == from, "the result must be as wide");
}

void compare(const Function& f, const Operation& op, const OpSpec& spec) {
    View v(f, op);
    v.counts(2, 1);
    v.require(v.in(0) == v.in(1) && is_class(v.in(0), spec.from),
              "two operands of one number type are compared");
    v.require(v.out(0) == of_shape(Scalar::i1, v.in(0)), "the result is i1");
}

void select(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(3, 1);
    v.require(v.in(1) == v.in(2) && v.in(1) == v.out(0), "both values and the result have one type");
    v.require(v.in(0) == scalar_type(Scalar::i1) || v.in(0) == of_shape(Scalar::i1, v.in(1)),
              "the condition is i1");
}

void constant(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(0, 1);
    const Attribute& value = op.attributes.at("value");
    Type type;
    if (const auto* number = std::get_if<TypedInt>(&value.v)) {
        type = number->type;
    } else if (const auto* real = std::get_if<TypedFloat>(&value.v)) {
        type = real->type;
    } else if (const auto* dense = std::get_if<Dense>(&value.v)) {
        type = dense->type;
    } else {
        v.fail("value is a number or dense<>");
    }
    v.require(v.out(0) == type && type.kind == Type::Kind::scalar, "value and result have one type");
}

void extended(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(2, 2);
    v.require(v.in(0) == v.in(1) && v.in(0) == v.out(0) && is_class(v.in(0), Class::integer),
              "integers of one type");
    bool carry = op.name == "arith.addui_extended";
    v.require(v.out(1) == (carry ? of_shape(Scalar::i1, v.in(0)) : v.in(0)),
              "wrong type of the second result");
}

void powi(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(2, 1);
    v.require(v.in(0) == v.out(0) && is_class(v.in(0), Class::floating), "wrong type");
    v.require(is_class(v.in(1), Class::integer), "the exponent is an integer");
    v.same_shape(v.in(0), v.in(1));
}

void poison(const Function& f, const Operation& op, const OpSpec&) {
    View(f, op).counts(0, 1);
}

void assume(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(1, 0);
    v.require(v.in(0) == scalar_type(Scalar::i1), "i1 is assumed");
}

void nothing(const Function& f, const Operation& op, const OpSpec&) {
    View(f, op).counts(0, 0);
}

void program_id(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(0, 1);
    v.require(v.out(0) == scalar_type(Scalar::i32), "the result is i32");
}

void addptr(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(2, 1);
    v.require(is_pointer(v.in(0)) && v.in(0) == v.out(0), "a pointer is moved");
    v.require(is_class(v.in(1), Class::integer), "the offset is an integer");
    v.same_shape(v.in(0), v.in(1));
    v.require(v.in(0).pointee->kind == Type::Kind::pointer || !v.in(0).pointee->is_tensor(),
              "block pointers are moved by tt.advance");
}

void bitcast(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(1, 1);
    v.same_shape(v.in(0), v.out(0));
    if (v.in(0).kind == Type::Kind::pointer) {
        v.require(v.out(0).kind == Type::Kind::pointer, "a pointer becomes a pointer");
    } else {
        v.require(is_class(v.in(0), Class::any) && is_class(v.out(0), Class::any), "wrong type");
        v.require(bit_width(v.in(0).elem) == bit_width(v.out(0).elem), "the result must be as wide");
    }
}

void int_to_ptr(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(1, 1);
    v.require(is_pointer(v.out(0)) && v.in(0) == of_shape(Scalar::i64, v.out(0)), "i64 becomes a pointer");
}

void ptr_to_int(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(1, 1);
    v.require(is_pointer(v.in(0)) && v.out(0) == of_shape(Scalar::i64, v.in(0)), "a pointer becomes i64");
}

void elementwise(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.require(!op.results.empty(), "a result is needed");
    v.require(op.name != "tt.extern_elementwise" || op.results.size() == 1, "one result");
    for (size_t i = 0; i < op.operands.size(); ++i) v.same_shape(v.in(i), v.out(0));
    for (size_t i = 0; i < op.results.size(); ++i) v.same_shape(v.out(i), v.out(0));
    if (op.name == "tt.elementwise_inline_asm") {
        int64_t packed = v.number("packed_element");
        v.require(packed >= 1 && packed <= 64, "packed_element is between 1 and 64");
    }
}

void print(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.require(op.results.empty(), "it has no results");
    v.require(v.array("isSigned").size() == op.operands.size(), "isSigned has one entry for each operand");
}

void assertion(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(1, 0);
    v.require(v.in(0).kind == Type::Kind::scalar && v.in(0).elem == Scalar::i1, "i1 is asserted");
}

void call(const Function&, const Operation&, const OpSpec&) {}  // check_calls, when all functions are known

}  // namespace tritonsmith::ttir::rules
