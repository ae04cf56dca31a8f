#include "ttir/ir/lexer.h"

#include <charconv>
#include <limits>

namespace tritonsmith::ttir {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_hex(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
int hex_value(char c) {
    return is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10;
}

}  // namespace

void Lexer::skip() {
    while (at_ < text_.size()) {
        char c = text_[at_];
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            ++at_;
        } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
            at_ = text_.find('\n', at_);
            if (at_ == std::string_view::npos) at_ = text_.size();
        } else {
            return;
        }
    }
}

size_t Lexer::position() {
    skip();
    return at_;
}

void Lexer::fail_at(size_t position, const std::string& what) const {
    int line = 1, column = 1;
    for (size_t i = 0; i < position && i < text_.size(); ++i) {
        ++column;
        if (text_[i] == '\n') ++line, column = 1;
    }
    throw ParseError(line, column, what);
}

char Lexer::peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
}

bool Lexer::accept(std::string_view punctuation) {
    skip();
    if (text_.substr(at_, punctuation.size()) != punctuation) return false;
    at_ += punctuation.size();
    return true;
}

void Lexer::expect(std::string_view punctuation) {
    if (!accept(punctuation)) fail("expected '" + std::string(punctuation) + "'");
}

std::string_view Lexer::word() {
    skip();
    size_t end = at_;
    if (end < text_.size() && is_letter(text_[end])) {
        while (end < text_.size() &&
               (is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '.' || text_[end] == '$'))
            ++end;
    }
    std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    return word;
}

bool Lexer::accept_word(std::string_view expected) {
    skip();
    size_t before = at_;
    if (word() == expected) return true;
    at_ = before;
    return false;
}

void Lexer::expect_word(std::string_view expected) {
    if (!accept_word(expected)) fail("expected '" + std::string(expected) + "'");
}

std::string_view Lexer::suffix() {
    size_t end = at_;
    if (end < text_.size() && is_digit(text_[end])) {
        while (end < text_.size() && is_digit(text_[end])) ++end;
    } else {
        while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '.' ||
                                      text_[end] == '$' || text_[end] == '-')) {
            ++end;
        }
    }
    if (end == at_) fail_at(at_, "expected a name");
    std::string_view name = text_.substr(at_, end - at_);
    at_ = end;
    return name;
}

std::string Lexer::string() {
    size_t start = position();
    expect("\"");
    std::string out;
    while (true) {
        if (at_ >= text_.size() || text_[at_] == '\n') fail_at(start, "string without an end");
        char c = text_[at_++];
        if (c == '"') return out;
        if (c != '\\') {
            out += c;
            continue;
        }
        char next = at_ < text_.size() ? text_[at_] : '\0';
        if (next == 'n') {
            out += '\n', ++at_;
        } else if (next == 't') {
            out += '\t', ++at_;
        } else if (next == '"' || next == '\\') {
            out += next, ++at_;
        } else if (is_hex(next) && at_ + 1 < text_.size() && is_hex(text_[at_ + 1])) {
            out += static_cast<char>(hex_value(next) * 16 + hex_value(text_[at_ + 1])), at_ += 2;
        } else {
            fail_at(at_, "unknown escape in a string");
        }
    }
}

bool Lexer::at_digit() {
    return is_digit(peek());
}

int64_t Lexer::count(int64_t limit) {
    size_t start = position();
    size_t end = start;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    int64_t value = 0;
    auto [ptr, error] = std::from_chars(text_.data() + start, text_.data() + end, value);
    if (end == start) fail("expected a number");
    if (error != std::errc() || value > limit)
        fail("number too large (the limit is " + std::to_string(limit) + ")");
    at_ = end;
    return value;
}

bool Lexer::at_number() {
    char c = peek();
    return is_digit(c) || (c == '-' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]));
}

Lexer::Number Lexer::number() {
    Number out;
    out.position = position();
    out.negative = accept("-");
    size_t start = at_;
    auto at = [&](size_t i) { return i < text_.size() ? text_[i] : '\0'; };
    if (!is_digit(at(start))) fail("expected a number");
    if (at(at_) == '0' && at(at_ + 1) == 'x' && is_hex(at(at_ + 2))) {
        out.hex = true;
        at_ += 2;
        while (is_hex(at(at_))) ++at_;
    } else {
        while (is_digit(at(at_))) ++at_;
        if (at(at_) == '.') {
            out.floating = true;
            ++at_;
            while (is_digit(at(at_))) ++at_;
            size_t exponent = at_ + ((at(at_ + 1) == '+' || at(at_ + 1) == '-') ? 2 : 1);
            if ((at(at_) == 'e' || at(at_) == 'E') && is_digit(at(exponent))) {
                at_ = exponent;
                while (is_digit(at(at_))) ++at_;
            }
        }
    }
    out.digits = text_.substr(start, at_ - start);
    return out;
}

int64_t Lexer::integer(const Number& number) const {
    if (number.floating) fail_at(number.position, "expected an integer");
    std::string_view digits = number.hex ? number.digits.substr(2) : number.digits;
    uint64_t value = 0;
    auto [ptr, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, number.hex ? 16 : 10);
    constexpr uint64_t limit = uint64_t{1} << 63;
    if (error != std::errc() || (number.negative && value > limit))
        fail_at(number.position, "integer does not fit in 64 bits");
    return static_cast<int64_t>(number.negative ? 0 - value : value);
}

}  // namespace tritonsmith::ttir
