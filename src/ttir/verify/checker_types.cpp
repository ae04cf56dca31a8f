#include "ttir/verify/checker_types.h"

namespace tritonsmith::ttir {

bool is_class(const Type& type, Class of) {
    if (type.kind != Type::Kind::scalar || type.signed_int || type.unsigned_int) return false;
    bool integer = is_integer(type.elem), floating = is_floating(type.elem);
    return of == Class::integer ? integer : of == Class::floating ? floating : integer || floating;
}

bool is_block_pointer(const Type& type) {
    return type.kind == Type::Kind::pointer && !type.is_tensor() && type.pointee->is_tensor();
}

bool is_pointer(const Type& type) {
    return type.kind == Type::Kind::pointer && !is_block_pointer(type);
}

Type of_shape(Scalar scalar, const Type& like) {
    return with_shape(scalar_type(scalar), like.shape);
}

Type loaded(const Type& pointer) {
    return pointer.is_tensor() ? with_shape(*pointer.pointee, pointer.shape) : *pointer.pointee;
}

const Type& View::in(size_t i) const {
    if (i >= op_.operands.size()) fail("an operand is missing");
    return type(op_.operands[i]);
}

const Type& View::out(size_t i) const {
    if (i >= op_.results.size()) fail("a result is missing");
    return type(op_.results[i]);
}

void View::fail(const std::string& what) const {
    throw CheckError(what);
}

void View::counts(size_t operands, size_t results) const {
    if (op_.operands.size() != operands) fail("expected " + std::to_string(operands) + " operands");
    if (op_.results.size() != results) fail("expected " + std::to_string(results) + " results");
}

int64_t View::number(const char* attribute) const {
    return std::get<TypedInt>(op_.attributes.at(attribute).v).value;
}
const std::vector<int64_t>& View::array(const char* attribute) const {
    return std::get<std::vector<int64_t>>(op_.attributes.at(attribute).v);
}
std::string View::keyword(const char* attribute) const {
    return std::get<EnumAttribute>(op_.attributes.at(attribute).v).value;
}

size_t View::axis(size_t rank) const {
    int64_t axis = number("axis");
    if (axis < 0 || axis >= static_cast<int64_t>(rank))
        fail("axis " + std::to_string(axis) + " is beyond the rank");
    return static_cast<size_t>(axis);
}

void View::block(size_t i, const std::vector<Type>& arguments) const {
    const std::vector<Block>& blocks = op_.regions.at(i).blocks;
    require(blocks.size() == 1, "a region has one block");
    require(blocks[0].arguments.size() == arguments.size(), "wrong number of block arguments");
    for (size_t k = 0; k < arguments.size(); ++k)
        require(type(blocks[0].arguments[k]) == arguments[k], "wrong type of a block argument");
}

std::vector<Type> View::ends(size_t region, const char* terminator) const {
    const std::vector<Block>& blocks = op_.regions.at(region).blocks;
    require(blocks.size() == 1 && !blocks[0].operations.empty(), "a region has one block with a terminator");
    const Operation& last = blocks[0].operations.back();
    if (last.name != terminator) fail(std::string("the region must end in ") + terminator);
    std::vector<Type> types;
    for (ValueId id : last.operands) types.push_back(type(id));
    return types;
}

std::vector<Type> View::inputs(size_t from) const {
    std::vector<Type> types;
    for (size_t i = from; i < op_.operands.size(); ++i) types.push_back(type(op_.operands[i]));
    return types;
}

std::vector<Type> View::outputs() const {
    std::vector<Type> types;
    for (ValueId id : op_.results) types.push_back(type(id));
    return types;
}

}  // namespace tritonsmith::ttir
