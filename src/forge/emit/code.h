#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tritonsmith::forge {

/// How tightly Python binds an expression's outermost operator.
enum class Binding : int {
    compare = 3,
    either = 4,
    both = 5,
    shift = 6,
    sum = 7,
    product = 8,
    unary = 9,
    atom = 10
};

/// An expression of Python with what is needed to put it into another one.
struct Code {
    std::string text;
    Binding binding = Binding::atom;
    /// In parentheses where something inside binds less tightly than `least`.
    std::string in(Binding least) const { return binding < least ? "(" + text + ")" : text; }
};

Code call(const std::string& function, const std::vector<std::string>& arguments);
/// a + b, a - b, a * b, a / b, a // b, a % b, a & b …
Code binary(const Code& a, const std::string& op, const Code& b);

/// Of a Python identifier.
inline bool word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Lines of Python at one indentation.
class Lines {
  public:
    void add(const std::string& line) {
        lines_.push_back(line.empty() ? "" : std::string(indent_, ' ') + line);
    }
    void indent() { indent_ += 4; }
    void dedent() { indent_ -= 4; }
    void append(const Lines& other);
    /// Each line by what `with` makes of it.
    void change(const std::function<void(std::string&)>& with) {
        for (std::string& line : lines_) with(line);
    }
    bool empty() const { return lines_.empty(); }
    bool operator==(const Lines&) const = default;
    std::string text() const;

  private:
    size_t indent_ = 0;
    std::vector<std::string> lines_;
};

/// The text with identifiers replaced, but not attributes (`x.rows`).
std::string renamed(const std::string& text, const std::map<std::string, std::string>& names);

/// Breaks lines longer than `width` behind commas and before operators within brackets.
std::string wrap_lines(const std::string& text, size_t width = 110);

}  // namespace tritonsmith::forge
