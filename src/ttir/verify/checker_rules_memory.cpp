/// Rules of loads, stores, atomics, block pointers and descriptors.
#include "ttir/verify/checker_rules.h"
#include "ttir/verify/checker_types.h"

namespace tritonsmith::ttir::rules {
namespace {

bool may_load(const Type& pointer) {
    return is_pointer(pointer) || is_block_pointer(pointer);
}

void boundary(const View& v, const Type& pointer) {
    const std::vector<int64_t>& dimensions = v.array("boundaryCheck");
    v.require(dimensions.empty() || is_block_pointer(pointer), "boundaryCheck is for block pointers");
    for (int64_t d : dimensions) {
        v.require(d >= 0 && d < static_cast<int64_t>(pointer.pointee->shape.size()),
                  "boundaryCheck names a dimension that is not there");
    }
}

const Type& descriptor(const View& v) {
    v.require(v.in(0).kind == Type::Kind::descriptor, "the first operand is a descriptor");
    return *v.in(0).pointee;
}

/// Descriptors may say si8 or ui8 where values say i8.
Scalar element(const Type& type) {
    return type.elem;
}

void indices(const View& v, size_t from, size_t count, size_t rank) {
    v.require(count == rank, "one index for each dimension of the descriptor");
    for (size_t i = from; i < from + count; ++i)
        v.require(v.in(i) == scalar_type(Scalar::i32), "indices are i32");
}

void integers(const View& v, size_t from, size_t count, Scalar scalar) {
    for (size_t i = from; i < from + count; ++i)
        v.require(v.in(i) == scalar_type(scalar), "wrong type of an integer operand");
}

}  // namespace

void load(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(op.operands.size(), 1);
    v.require(op.segments.size() == 3 && may_load(v.in(0)), "a pointer is loaded from");
    Type value = loaded(v.in(0));
    v.require(v.out(0) == value, "the result is not what the pointer points to");
    size_t next = 1;
    if (op.segments[1])
        v.require(v.in(next++) == of_shape(Scalar::i1, value), "the mask is i1 of the result's shape");
    if (op.segments[2]) v.require(v.in(next++) == value, "other has the result's type");
    v.require(!is_block_pointer(v.in(0)) || next == 1, "block pointers take no mask");
    boundary(v, v.in(0));
}

void store(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(op.operands.size(), 0);
    v.require(op.segments.size() == 3 && may_load(v.in(0)), "a pointer is stored to");
    v.require(v.in(1) == loaded(v.in(0)), "the value is not what the pointer points to");
    if (op.segments[2])
        v.require(v.in(2) == of_shape(Scalar::i1, v.in(1)) && !is_block_pointer(v.in(0)),
                  "the mask is i1 of the value's shape");
    boundary(v, v.in(0));
}

void atomic_rmw(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(op.operands.size(), 1);
    v.require(op.segments.size() == 3 && is_pointer(v.in(0)), "a pointer is updated");
    v.require(v.in(1) == loaded(v.in(0)) && v.in(1) == v.out(0) && is_class(v.in(1), Class::any),
              "value and result are what the pointer points to");
    bool floating = is_class(v.in(1), Class::floating);
    std::string kind = v.keyword("atomic_rmw_op");
    v.require(
        kind == "exch" || (kind == "fadd") == floating || ((kind == "max" || kind == "min") && floating),
        "the operation does not fit the value's type");
    if (op.segments[2])
        v.require(v.in(2) == of_shape(Scalar::i1, v.in(1)), "the mask is i1 of the value's shape");
}

void atomic_cas(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(3, 1);
    v.require(is_pointer(v.in(0)), "a pointer is updated");
    Type value = loaded(v.in(0));
    v.require(v.in(1) == value && v.in(2) == value && v.out(0) == value && is_class(value, Class::any),
              "values and result are what the pointer points to");
}

void make_tensor_ptr(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(op.operands.size(), 1);
    v.require(is_block_pointer(v.out(0)) && is_pointer(v.in(0)) && !v.in(0).is_tensor(),
              "a pointer becomes a block pointer");
    v.require(*v.in(0).pointee == element_type(*v.out(0).pointee),
              "the block's elements are not what the base points to");
    size_t rank = v.out(0).pointee->shape.size();
    v.require(op.segments.size() == 4 && op.operands.size() == 1 + 3 * rank,
              "shape, strides and offsets have one entry for each dimension");
    for (size_t i = 1; i < 4; ++i)
        v.require(static_cast<size_t>(op.segments[i]) == rank,
                  "shape, strides and offsets have one entry for each dimension");
    integers(v, 1, 2 * rank, Scalar::i64);
    integers(v, 1 + 2 * rank, rank, Scalar::i32);
    v.require(v.array("order").size() == rank, "order has one entry for each dimension");
}

void advance(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(op.operands.size(), 1);
    v.require(is_block_pointer(v.in(0)) && v.in(0) == v.out(0), "a block pointer is moved");
    v.require(op.operands.size() == 1 + v.in(0).pointee->shape.size(), "one offset for each dimension");
    integers(v, 1, op.operands.size() - 1, Scalar::i32);
}

void make_descriptor(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(op.operands.size(), 1);
    v.require(v.out(0).kind == Type::Kind::descriptor && is_pointer(v.in(0)) && !v.in(0).is_tensor(),
              "a pointer becomes a descriptor");
    v.require(element(*v.in(0).pointee) == element(*v.out(0).pointee),
              "the block's elements are not what the base points to");
    size_t rank = v.out(0).pointee->shape.size();
    v.require(op.segments.size() == 3 && op.operands.size() == 1 + 2 * rank &&
                  static_cast<size_t>(op.segments[1]) == rank,
              "shape and strides have one entry for each dimension");
    integers(v, 1, rank, Scalar::i32);
    integers(v, 1 + rank, rank, Scalar::i64);
}

void descriptor_load(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(op.operands.size(), 1);
    const Type& block = descriptor(v);
    indices(v, 1, op.operands.size() - 1, block.shape.size());
    v.require(v.out(0).is_tensor() && v.out(0).kind == Type::Kind::scalar &&
                  v.out(0).elem == element(block) && v.out(0).count() == block.count(),
              "the result is not the descriptor's block");
}

void descriptor_store(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(op.operands.size(), 0);
    const Type& block = descriptor(v);
    v.require(op.operands.size() >= 2 && v.in(1).is_tensor() && v.in(1).kind == Type::Kind::scalar &&
                  v.in(1).elem == element(block) && v.in(1).count() == block.count(),
              "the value is not the descriptor's block");
    indices(v, 2, op.operands.size() - 2, block.shape.size());
}

namespace {

void rows(const View& v, const Type& value) {
    const Type& block = descriptor(v);
    v.require(block.shape.size() == 2 && block.shape[0] == 1, "the descriptor's block is one row");
    v.require(v.in(1).shape.size() == 1 && v.in(1).kind == Type::Kind::scalar && v.in(1).elem == Scalar::i32,
              "rows are a 1-d tensor of i32");
    v.require(v.in(2) == scalar_type(Scalar::i32), "the column is i32");
    v.require(value.kind == Type::Kind::scalar && value.elem == element(block) && value.shape.size() == 2 &&
                  value.shape[0] == v.in(1).shape[0] && value.shape[1] == block.shape[1],
              "the tensor is not [rows, block width]");
}

}  // namespace

void descriptor_gather(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(3, 1);
    rows(v, v.out(0));
}

void descriptor_scatter(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(4, 0);
    rows(v, v.in(3));
}

}  // namespace tritonsmith::ttir::rules
