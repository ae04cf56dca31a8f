#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ttir/ir/parse_error.h"

namespace tritonsmith::ttir {

/// Reads MLIR's tokens straight from the text (MLIR's grammar is not context free: `64x1xi32` is a dimension
/// list inside `tensor<>`). Every read skips white space and comments first. Errors are ParseError at the
/// position of the last token.
class Lexer {
  public:
    explicit Lexer(std::string_view text) : text_(text) {}

    /// Position of the next token, for fail_at().
    size_t position();
    [[noreturn]] void fail(const std::string& what) { fail_at(position(), what); }
    [[noreturn]] void fail_at(size_t position, const std::string& what) const;

    bool at_end() { return position() == text_.size(); }
    /// The next character without taking it; 0 at the end.
    char peek();
    bool accept(std::string_view punctuation);
    void expect(std::string_view punctuation);
    /// Takes `word` if it is the whole next identifier.
    bool accept_word(std::string_view word);
    void expect_word(std::string_view word);
    /// Next identifier (`tt.load`, `f32`, `array`), empty if none follows.
    std::string_view word();
    /// What follows a sigil (%, ^, #, @): digits, or letters, digits and `$._-`.
    std::string_view suffix();
    /// "…" with its escapes undone.
    std::string string();
    /// Plain decimal number of a dimension, index or count. @throws ParseError beyond `limit`
    int64_t count(int64_t limit);
    bool at_digit();

    /// A number as written: sign, and decimal, hexadecimal or floating text.
    struct Number {
        bool negative = false, hex = false, floating = false;
        std::string_view digits;  ///< without sign; with 0x
        size_t position = 0;
    };
    bool at_number();
    Number number();
    /// Value of an integer that fits in 64 bits, signed or unsigned.
    int64_t integer(const Number& number) const;

  private:
    void skip();
    std::string_view text_;
    size_t at_ = 0;
};

}  // namespace tritonsmith::ttir
