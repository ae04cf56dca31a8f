#include <charconv>
#include <cmath>

#include "ttir/ir/float_bits.h"
#include "ttir/parse/parser_impl.h"

namespace tritonsmith::ttir {
namespace {

constexpr int kMaxAttributeNesting = 16;

uint64_t mask(int bits) {
    return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
}

int64_t sign_extend(uint64_t value, int bits) {
    if (bits == 1) return static_cast<int64_t>(value & 1);
    int shift = 64 - bits;
    return static_cast<int64_t>(value << shift) >> shift;
}

double to_double(const Lexer::Number& number) {
    double value = 0;
    auto [ptr, error] =
        std::from_chars(number.digits.data(), number.digits.data() + number.digits.size(), value);
    if (error == std::errc::result_out_of_range) {
        value = number.digits.find_first_of("eE-") != std::string_view::npos &&
                        number.digits.find('-') != std::string_view::npos
                    ? 0.0
                    : HUGE_VAL;
    }
    return number.negative ? -value : value;
}

}  // namespace

Types Parser::type_list() {
    Types types;
    do {
        if (types.size() >= kMaxList) lexer.fail("too many types");
        types.push_back(type());
    } while (lexer.accept(","));
    return types;
}

Types Parser::types_in_parentheses() {
    lexer.expect("(");
    Types types;
    if (lexer.peek() != ')') types = type_list();
    lexer.expect(")");
    return types;
}

Types Parser::result_types() {
    if (lexer.peek() == '(') return types_in_parentheses();
    return {type()};
}

std::pair<Types, Types> Parser::function_type() {
    Types inputs = types_in_parentheses();
    lexer.expect("->");
    return {std::move(inputs), result_types()};
}

/// The pattern of one literal in `type`: integers must fit (as signed or unsigned), hexadecimal floats are
/// patterns.
uint64_t Parser::element_bits(const Lexer::Number& number, const Type& type) {
    int bits = bit_width(type.elem);
    if (bits == 0 || type.kind != Type::Kind::scalar)
        lexer.fail_at(number.position, "a number cannot be of " + to_string(type));
    if (is_floating(type.elem) && !number.hex) return float_bits(type.elem, to_double(number));
    int64_t value = lexer.integer(number);
    uint64_t pattern = static_cast<uint64_t>(value);
    bool fits =
        number.negative ? bits == 64 || value >= -(int64_t{1} << (bits - 1)) : (pattern & ~mask(bits)) == 0;
    if (is_floating(type.elem) && number.negative) fits = false;
    if (!fits) lexer.fail_at(number.position, "the number does not fit " + to_string(type));
    return pattern & mask(bits);
}

Attribute Parser::number_attribute() {
    Lexer::Number number = lexer.number();
    Type type = scalar_type(number.floating ? Scalar::f64 : Scalar::i64);
    if (lexer.accept(":")) {
        size_t position = lexer.position();
        type = this->type();
        if (type.kind != Type::Kind::scalar || type.is_tensor())
            lexer.fail_at(position, "a number's type is an integer or float");
    }
    uint64_t bits = element_bits(number, type);
    if (is_floating(type.elem)) return {TypedFloat{type, bits}};
    return {TypedInt{type, sign_extend(bits, bit_width(type.elem))}};
}

Attribute Parser::array_attribute() {
    lexer.expect("<");
    Type element = type();
    if (!is_integer(element.elem) || element.kind != Type::Kind::scalar)
        lexer.fail("only arrays of integers are known");
    std::vector<int64_t> values;
    if (lexer.accept(":")) {
        do {
            if (lexer.accept_word("true")) {
                values.push_back(1);
            } else if (lexer.accept_word("false")) {
                values.push_back(0);
            } else {
                values.push_back(sign_extend(element_bits(lexer.number(), element), bit_width(element.elem)));
            }
        } while (lexer.accept(","));
    }
    lexer.expect(">");
    return {std::move(values)};
}

uint64_t Parser::dense_element(const Type& element) {
    if (lexer.accept_word("true")) return 1;
    if (lexer.accept_word("false")) return 0;
    return element_bits(lexer.number(), element);
}

void Parser::dense_list(std::vector<uint64_t>& bits, const Type& type, int depth) {
    if (depth > kMaxRank) lexer.fail("lists are nested too deeply");
    lexer.expect("[");
    while (!lexer.accept("]")) {
        if (lexer.peek() == '[') {
            dense_list(bits, type, depth + 1);
        } else {
            bits.push_back(dense_element(type));
        }
        if (lexer.peek() != ']') lexer.expect(",");
    }
}

namespace {

/// dense<"0x…">: the bytes of all elements, little endian (i1: one bit each).
std::vector<uint64_t> dense_blob(const std::string& text, const Type& type) {
    std::vector<uint8_t> bytes;
    auto hex = [](char c) {
        return c >= '0' && c <= '9'   ? c - '0'
               : c >= 'a' && c <= 'f' ? c - 'a' + 10
               : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                      : -1;
    };
    if (!text.starts_with("0x") || text.size() % 2 != 0) return {};
    for (size_t i = 2; i + 1 < text.size(); i += 2) {
        int high = hex(text[i]), low = hex(text[i + 1]);
        if (high < 0 || low < 0) return {};
        bytes.push_back(static_cast<uint8_t>(high * 16 + low));
    }
    std::vector<uint64_t> out;
    int width = bit_width(type.elem);
    if (width == 1) {
        if (bytes.size() * 8 < static_cast<size_t>(type.count())) return {};
        for (int64_t i = 0; i < type.count(); ++i) out.push_back(bytes[i / 8] >> (i % 8) & 1);
        return out;
    }
    size_t size = static_cast<size_t>(width / 8);
    if (bytes.size() % size != 0) return {};
    for (size_t i = 0; i < bytes.size(); i += size) {
        uint64_t value = 0;
        for (size_t b = 0; b < size; ++b) value |= uint64_t{bytes[i + b]} << (8 * b);
        out.push_back(value);
    }
    return out;
}

}  // namespace

/// The type follows the elements, so the elements are read twice: once to find it.
Attribute Parser::dense_attribute() {
    size_t position = lexer.position();
    Lexer ahead = lexer;
    lexer.expect("<");
    bool quoted = false;
    for (int depth = 0; lexer.peek() != '>' || depth > 0;) {
        if (lexer.at_end()) lexer.fail_at(position, "dense<> without an end");
        if (lexer.peek() == '"') {
            quoted = true;
            lexer.string();
        } else if (lexer.at_number()) {
            lexer.number();
        } else if (!lexer.accept("[") && !lexer.accept("]") && !lexer.accept(",")) {
            if (lexer.word().empty()) lexer.fail("expected an element");
        }
    }
    lexer.expect(">");
    lexer.expect(":");
    Dense dense;
    dense.type = type();
    if (dense.type.kind != Type::Kind::scalar || !dense.type.is_tensor())
        lexer.fail_at(position, "dense<> is a tensor of numbers");
    std::swap(lexer, ahead);
    Type element = element_type(dense.type);
    lexer.expect("<");
    if (quoted) {
        dense.bits = dense_blob(lexer.string(), dense.type);
        if (dense.bits.empty()) lexer.fail_at(position, "dense<> with a malformed hexadecimal string");
    } else if (lexer.peek() == '[') {
        dense_list(dense.bits, element, 0);
    } else {
        dense.bits.push_back(dense_element(element));
    }
    lexer.expect(">");
    std::swap(lexer, ahead);
    int64_t found = static_cast<int64_t>(dense.bits.size());
    if (found != 1 && found != dense.type.count())
        lexer.fail_at(position, "dense<> has " + std::to_string(found) + " elements");
    // One form for one value: equal elements are a splat, as MLIR has it.
    bool splat = true;
    for (uint64_t bits : dense.bits) splat &= bits == dense.bits[0];
    if (splat) dense.bits.resize(1);
    return {std::move(dense)};
}

Attribute Parser::attribute(int depth) {
    count_item();
    if (depth > kMaxAttributeNesting) lexer.fail("attributes are nested too deeply");
    size_t position = lexer.position();
    char next = lexer.peek();
    if (lexer.at_number()) return number_attribute();
    if (next == '"') {
        std::string text = lexer.string();
        if (lexer.accept(":")) type();
        return {std::move(text)};
    }
    if (lexer.accept("@")) return {lexer.peek() == '"' ? lexer.string() : std::string(lexer.suffix())};
    if (lexer.accept("[")) {
        AttributeList list;
        while (!lexer.accept("]")) {
            list.push_back(attribute(depth + 1));
            if (lexer.peek() != ']') lexer.expect(",");
        }
        return {std::move(list)};
    }
    if (lexer.accept("#")) {
        EnumAttribute out;
        std::string_view name = lexer.suffix();
        size_t dot = name.find('.');
        if (dot == std::string_view::npos)
            lexer.fail_at(position, "unknown attribute alias #" + std::string(name));
        out.dialect = name.substr(0, dot);
        out.name = name.substr(dot + 1);
        if (lexer.accept("<")) {
            do {
                std::string_view word = lexer.word();
                if (word.empty()) lexer.fail("expected a keyword");
                out.value += (out.value.empty() ? "" : ",") + std::string(word);
            } while (lexer.accept(","));
            lexer.expect(">");
        }
        return {std::move(out)};
    }
    if (next == '!') return {type()};
    if (lexer.accept_word("true")) return {true};
    if (lexer.accept_word("false")) return {false};
    if (lexer.accept_word("unit")) return {Unit{}};
    if (lexer.accept_word("array")) return array_attribute();
    if (lexer.accept_word("dense")) return dense_attribute();
    return {type()};
}

void Parser::attribute_entry(AttributeMap& into) {
    size_t position = lexer.position();
    std::string key = lexer.peek() == '"' ? lexer.string() : std::string(lexer.word());
    if (key.empty()) lexer.fail("expected an attribute's name");
    Attribute value{Unit{}};
    if (lexer.accept("=")) value = attribute();
    if (!into.emplace(std::move(key), std::move(value)).second)
        lexer.fail_at(position, "attribute given twice");
}

void Parser::attribute_dictionary(AttributeMap& into) {
    lexer.expect("{");
    while (!lexer.accept("}")) {
        attribute_entry(into);
        if (lexer.peek() != '}') lexer.expect(",");
    }
}

void Parser::optional_attributes(AttributeMap& into) {
    if (lexer.peek() == '{') attribute_dictionary(into);
}

}  // namespace tritonsmith::ttir
