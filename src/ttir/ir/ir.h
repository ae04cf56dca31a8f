#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

/// Triton's target-independent IR (TTIR) as a plain data structure: SSA values are numbered per function,
/// operations hold regions of blocks. The text is Triton's; parser.h reads it, printer.h writes it back (MLIR
/// generic form). docs/ttir.md says, operation by operation, how operands, segments and attributes are laid
/// out.
namespace tritonsmith::ttir {

enum class Scalar : uint8_t {
    i1,
    i8,
    i16,
    i32,
    i64,
    index,
    f8e4m3fn,
    f8e4m3b11fnuz,
    f8e5m2,
    f8e4m3fnuz,
    f8e5m2fnuz,
    f8e8m0fnu,
    bf16,
    f16,
    f32,
    f64,
    none
};

struct Type {
    /// scalar: `elem`. pointer: !tt.ptr<pointee>. descriptor: !tt.tensordesc<pointee>. A tensor of scalars or
    /// of pointers has a non-empty `shape` (tensor<f32> of rank 0 does not occur in TTIR).
    enum class Kind : uint8_t { scalar, pointer, descriptor, token };
    Kind kind = Kind::scalar;
    Scalar elem = Scalar::none;  ///< scalar: itself
    std::vector<int64_t> shape;  ///< empty: not a tensor
    std::shared_ptr<const Type>
        pointee;  ///< pointer and descriptor: what they point to (a tensor type for block pointers)
    int address_space = 1;
    bool signed_int = false, unsigned_int = false;  ///< si32 / ui32 inside descriptors

    bool is_tensor() const { return !shape.empty(); }
    int64_t count() const {
        int64_t n = 1;
        for (int64_t d : shape) n *= d;
        return n;
    }
    bool operator==(const Type&) const;
};

/// Source position, innermost inlined frame first: `callers` are the call sites outward, so the candidate's
/// own line is found by walking out of Triton's library files.
struct Location {
    std::string file;
    int line = 0, column = 0;
    std::vector<Location> callers;
    std::string name;  ///< Triton's name of the value ("acc"), where it has one
    bool operator==(const Location&) const;
};

/// dense<...>: one value where it is a splat, else all of them, row major. Floats are kept as bit patterns of
/// the type.
struct Dense {
    Type type;
    std::vector<uint64_t> bits;
};
struct Attribute;
using AttributeList = std::vector<Attribute>;
struct EnumAttribute {
    std::string dialect, name, value;
};  ///< #tt.xxx<...> and bare keywords in the pretty form
struct TypedInt {
    Type type;
    int64_t value = 0;
};
struct TypedFloat {
    Type type;
    uint64_t bits = 0;
};  ///< bit pattern in `type`
struct Unit {};
struct Attribute {
    std::variant<Unit, bool, TypedInt, TypedFloat, std::string, Type, Dense, EnumAttribute,
                 std::vector<int64_t>, AttributeList>
        v;
};

using ValueId = int;  ///< index into Function::values
struct Operation;
struct Block {
    std::vector<ValueId> arguments;
    std::vector<Operation> operations;
};
struct Region {
    std::vector<Block> blocks;
};
struct Successor {
    int block = 0;
    std::vector<ValueId> arguments;
};

struct Operation {
    std::string name;  ///< "tt.load"
    std::vector<ValueId> operands;
    std::vector<int>
        segments;  ///< sizes of operand groups where the operation has optional or variadic groups
    std::vector<ValueId> results;
    std::map<std::string, Attribute> attributes;
    std::vector<Region> regions;
    std::vector<Successor> successors;  ///< blocks of the enclosing region
    int location = -1;                  ///< index into Module::locations
};

struct Function {
    std::string name;
    bool is_public = true;
    std::vector<ValueId> parameters;
    std::vector<std::map<std::string, Attribute>> parameter_attributes;  ///< tt.divisibility ...
    std::vector<Type> results;
    std::map<std::string, Attribute> attributes;
    std::vector<Type> values;              ///< type of each ValueId
    std::vector<std::string> value_names;  ///< for messages: "x_7"
    Region body;                           ///< empty for declarations
    int location = -1;                     ///< index into Module::locations
};

struct Module {
    std::vector<Function> functions;
    std::vector<Location> locations;
    const Function* find(const std::string& name) const;
    /// The one public function, or null.
    const Function* entry() const;
};

/// All operations in the order of the text, nested ones after the one that holds them.
void visit(const Region& region, const std::function<void(const Operation&)>& f);

}  // namespace tritonsmith::ttir
