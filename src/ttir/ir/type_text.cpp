#include "ttir/ir/type_text.h"

#include <array>

namespace tritonsmith::ttir {
namespace {

struct ScalarInfo {
    Scalar scalar;
    std::string_view name;
    int bits;
};
constexpr std::array<ScalarInfo, 16> kScalars{{
    {Scalar::i1, "i1", 1},
    {Scalar::i8, "i8", 8},
    {Scalar::i16, "i16", 16},
    {Scalar::i32, "i32", 32},
    {Scalar::i64, "i64", 64},
    {Scalar::index, "index", 64},
    {Scalar::f8e4m3fn, "f8E4M3FN", 8},
    {Scalar::f8e4m3b11fnuz, "f8E4M3B11FNUZ", 8},
    {Scalar::f8e5m2, "f8E5M2", 8},
    {Scalar::f8e4m3fnuz, "f8E4M3FNUZ", 8},
    {Scalar::f8e5m2fnuz, "f8E5M2FNUZ", 8},
    {Scalar::f8e8m0fnu, "f8E8M0FNU", 8},
    {Scalar::bf16, "bf16", 16},
    {Scalar::f16, "f16", 16},
    {Scalar::f32, "f32", 32},
    {Scalar::f64, "f64", 64},
}};

constexpr int kMaxDepth = 8;

const ScalarInfo* find(Scalar scalar) {
    size_t index = static_cast<size_t>(scalar);
    return index < kScalars.size() ? &kScalars[index] : nullptr;
}

Type parse(Lexer& lexer, int depth);

Type scalar_or_fail(Lexer& lexer, std::string_view word, size_t position) {
    Type type;
    std::string_view bare = word;
    if (word.starts_with("si") || word.starts_with("ui")) {
        type.signed_int = word[0] == 's';
        type.unsigned_int = word[0] == 'u';
        bare = word.substr(1);
    }
    for (const ScalarInfo& info : kScalars) {
        if (info.name != bare) continue;
        type.elem = info.scalar;
        return type;
    }
    lexer.fail_at(position, word.empty() ? "expected a type" : "unknown type '" + std::string(word) + "'");
}

Type parse_tensor(Lexer& lexer, int depth) {
    lexer.expect("<");
    std::vector<int64_t> shape;
    int64_t count = 1;
    while (lexer.at_digit()) {
        size_t position = lexer.position();
        int64_t dimension = lexer.count(kMaxTensorElements);
        if (dimension == 0) lexer.fail_at(position, "a tensor's dimensions are at least 1");
        count *= dimension;
        shape.push_back(dimension);
        if (count > kMaxTensorElements) lexer.fail_at(position, "a tensor has at most 1048576 elements");
        if (shape.size() > kMaxRank) lexer.fail_at(position, "a tensor has at most 32 dimensions");
        lexer.expect("x");
    }
    if (shape.empty()) lexer.fail("expected a tensor's dimensions");
    size_t position = lexer.position();
    Type type = parse(lexer, depth + 1);
    if (type.is_tensor() || type.kind == Type::Kind::descriptor)
        lexer.fail_at(position, "not an element type");
    lexer.expect(">");
    type.shape = std::move(shape);
    return type;
}

Type parse_pointer(Lexer& lexer, int depth) {
    Type type;
    type.kind = Type::Kind::pointer;
    lexer.expect("<");
    type.pointee = std::make_shared<const Type>(parse(lexer, depth + 1));
    if (lexer.accept(",")) type.address_space = static_cast<int>(lexer.count(1000));
    lexer.expect(">");
    return type;
}

Type parse_descriptor(Lexer& lexer, int depth) {
    Type type;
    type.kind = Type::Kind::descriptor;
    lexer.expect("<");
    size_t position = lexer.position();
    Type block = parse(lexer, depth + 1);
    if (!block.is_tensor() || block.kind != Type::Kind::scalar)
        lexer.fail_at(position, "a descriptor describes a tensor");
    type.pointee = std::make_shared<const Type>(std::move(block));
    lexer.expect(">");
    return type;
}

Type parse(Lexer& lexer, int depth) {
    if (depth > kMaxDepth) lexer.fail("types are nested too deeply");
    size_t position = lexer.position();
    if (lexer.accept("!")) {
        std::string_view name = lexer.word();
        if (name == "tt.ptr") return parse_pointer(lexer, depth);
        if (name == "tt.tensordesc") return parse_descriptor(lexer, depth);
        lexer.fail_at(position, "unknown type '!" + std::string(name) + "'");
    }
    std::string_view word = lexer.word();
    if (word == "tensor") return parse_tensor(lexer, depth);
    return scalar_or_fail(lexer, word, position);
}

}  // namespace

bool is_floating(Scalar scalar) {
    return scalar >= Scalar::f8e4m3fn && scalar <= Scalar::f64;
}
bool is_integer(Scalar scalar) {
    return scalar <= Scalar::index;
}
bool points(const Type& type) {
    return type.kind == Type::Kind::pointer || type.kind == Type::Kind::descriptor;
}
int bit_width(Scalar scalar) {
    const ScalarInfo* info = find(scalar);
    return info ? info->bits : 0;
}
std::string_view scalar_name(Scalar scalar) {
    const ScalarInfo* info = find(scalar);
    return info ? info->name : "none";
}

std::string to_string(const Type& type) {
    std::string element;
    if (type.kind == Type::Kind::scalar) {
        element = type.signed_int ? "s" : type.unsigned_int ? "u" : "";
        element += scalar_name(type.elem);
    } else if (type.kind == Type::Kind::token) {
        element = "token";
    } else {
        element = type.kind == Type::Kind::pointer ? "!tt.ptr<" : "!tt.tensordesc<";
        element += type.pointee ? to_string(*type.pointee) : "none";
        if (type.kind == Type::Kind::pointer && type.address_space != 1) {
            element += ", " + std::to_string(type.address_space);
        }
        element += ">";
    }
    if (!type.is_tensor()) return element;
    std::string out = "tensor<";
    for (int64_t dimension : type.shape) out += std::to_string(dimension) + "x";
    return out + element + ">";
}

Type parse_type(Lexer& lexer) {
    return parse(lexer, 0);
}

Type parse_short_type(Lexer& lexer, std::string_view prefix) {
    if (lexer.peek() != '<') return parse(lexer, 0);
    return prefix == "tt.ptr" ? parse_pointer(lexer, 0) : parse_descriptor(lexer, 0);
}

Type element_type(const Type& type) {
    return with_shape(type, {});
}

Type with_shape(Type type, std::vector<int64_t> shape) {
    type.shape = std::move(shape);
    return type;
}

Type scalar_type(Scalar scalar) {
    Type type;
    type.elem = scalar;
    return type;
}

}  // namespace tritonsmith::ttir
