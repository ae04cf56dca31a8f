#include "text/jinja/lexer.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "text/unicode.h"

namespace tritonsmith::text::jinja {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool begins_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F);
}

std::string one_kind_of_newline(std::string_view source) {
    std::string out;
    out.reserve(source.size());
    for (size_t i = 0; i < source.size(); ++i) {
        if (source[i] == '\r') {
            out += '\n';
            if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
        } else {
            out += source[i];
        }
    }
    if (out.ends_with('\n')) out.pop_back();  // keep_trailing_newline is off
    return out;
}

class Lexer {
  public:
    explicit Lexer(std::string source) : source_(std::move(source)) {}

    std::vector<Token> run() {
        while (at_ < source_.size()) root();
        add(Token::Kind::end, "end of template");
        return std::move(tokens_);
    }

  private:
    bool starts(std::string_view what) const {
        return std::string_view(source_).substr(at_).starts_with(what);
    }
    void add(Token::Kind kind, std::string text) { tokens_.push_back({kind, std::move(text), line_}); }
    void advance(size_t to) {
        line_ += static_cast<int>(std::count(source_.begin() + static_cast<long>(at_),
                                             source_.begin() + static_cast<long>(to), '\n'));
        at_ = to;
    }
    void skip_blanks() {
        size_t to = at_;
        while (to < source_.size() && is_blank(source_[to])) ++to;
        advance(to);
    }

    /// Text up to the next tag, and the tag.
    void root() {
        size_t open = at_;
        for (;; ++open) {
            open = source_.find('{', open);
            if (open == std::string::npos || open + 1 >= source_.size())
                return text(source_.size(), 0, false);
            const char kind = source_[open + 1];
            if (kind == '{' || kind == '%' || kind == '#') break;
        }
        const char kind = source_[open + 1];
        const char sign = open + 2 < source_.size() && (source_[open + 2] == '-' || source_[open + 2] == '+')
                              ? source_[open + 2]
                              : 0;
        text(open, sign, kind != '{');
        advance(open + 2 + (sign ? 1 : 0));
        if (kind == '#') return comment();
        if (kind == '%' && raw()) return;
        add(kind == '{' ? Token::Kind::variable_begin : Token::Kind::block_begin, kind == '{' ? "{{" : "{%");
        inside(kind == '%');
    }

    /// The text before a tag; `sign` is the tag's '-' or '+'.
    void text(size_t end, char sign, bool lstrip) {
        std::string_view data = std::string_view(source_).substr(at_, end - at_);
        if (sign == '-') {
            while (!data.empty() && is_blank(data.back())) data.remove_suffix(1);
        } else if (lstrip && sign != '+') {
            const size_t newline = data.rfind('\n');
            const size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
            const std::string_view last = data.substr(begin);
            if ((begin > 0 || line_starting_) && std::all_of(last.begin(), last.end(), is_blank))
                data = data.substr(0, begin);
        }
        if (!data.empty()) add(Token::Kind::text, std::string(data));
        advance(end);
    }

    /// The end of a tag here, and the text behind it that it strips; false if there is none.
    bool close(std::string_view end, bool trim) {
        const bool minus = starts("-" + std::string(end)), plus = trim && starts("+" + std::string(end));
        if (!minus && !plus && !starts(end)) return false;
        advance(at_ + end.size() + (minus || plus ? 1 : 0));
        if (minus) {
            skip_blanks();
        } else if (trim && !plus && starts("\n")) {
            advance(at_ + 1);
        }
        line_starting_ = source_[at_ - 1] == '\n';
        return true;
    }

    void comment() {
        const size_t end = source_.find("#}", at_);
        if (end == std::string::npos) fail_at(line_, "the comment that begins here has no '#}'");
        const bool signed_end = end > at_ && (source_[end - 1] == '-' || source_[end - 1] == '+');
        advance(signed_end ? end - 1 : end);
        close("#}", true);
    }

    /// {% raw %} … {% endraw %}; false if there is another word.
    bool raw() {
        const size_t before = at_;
        const int line = line_;
        skip_blanks();
        if (starts("raw")) {
            advance(at_ + 3);
            skip_blanks();
            if (close("%}", false)) {
                raw_text();
                return true;
            }
        }
        at_ = before;
        line_ = line;
        return false;
    }

    void raw_text() {
        const int line = line_;
        for (size_t open = at_; (open = source_.find("{%", open)) != std::string::npos; ++open) {
            size_t word = open + 2;
            const char sign =
                word < source_.size() && (source_[word] == '-' || source_[word] == '+') ? source_[word] : 0;
            if (sign) ++word;
            while (word < source_.size() && is_blank(source_[word])) ++word;
            if (source_.compare(word, 6, "endraw") != 0) continue;
            text(open, sign, true);
            advance(word + 6);
            skip_blanks();
            if (!close("%}", true)) fail_at(line_, "'%}' is missing after endraw");
            return;
        }
        fail_at(line, "the raw block that begins here has no endraw");
    }

    void inside(bool block) {
        const std::string_view end = block ? "%}" : "}}";
        std::string open;  // open brackets
        for (;;) {
            skip_blanks();
            if (at_ >= source_.size()) fail_at(line_, "a tag has no '" + std::string(end) + "'");
            const int line = line_;
            if (open.empty() && close(end, block)) {
                tokens_.push_back(
                    {block ? Token::Kind::block_end : Token::Kind::variable_end, std::string(end), line});
                return;
            }
            if (begins_name(source_[at_])) {
                name();
            } else if (is_digit(source_[at_])) {
                number();
            } else if (source_[at_] == '"' || source_[at_] == '\'') {
                string();
            } else {
                symbol(open);
            }
        }
    }

    void name() {
        size_t end = at_;
        while (end < source_.size() && (begins_name(source_[end]) || is_digit(source_[end]))) ++end;
        add(Token::Kind::name, source_.substr(at_, end - at_));
        at_ = end;
    }

    void number() {
        const auto digits = [&](size_t from) {
            while (from < source_.size() && (is_digit(source_[from]) || source_[from] == '_')) ++from;
            return from;
        };
        size_t end = digits(at_);
        bool whole = true;
        if (end + 1 < source_.size() && source_[end] == '.' && is_digit(source_[end + 1])) {
            end = digits(end + 1);
            whole = false;
        }
        if (end < source_.size() && (source_[end] == 'e' || source_[end] == 'E')) {
            const size_t sign =
                end + 1 < source_.size() && (source_[end + 1] == '-' || source_[end + 1] == '+') ? 1 : 0;
            if (const size_t exponent = digits(end + 1 + sign); exponent > end + 1 + sign) {
                end = exponent;
                whole = false;
            }
        }
        std::string text = source_.substr(at_, end - at_);
        std::erase(text, '_');
        add(whole ? Token::Kind::integer : Token::Kind::number, std::move(text));
        at_ = end;
    }

    void string();
    void escape(size_t& i, std::string& out) const;

    void symbol(std::string& open) {
        constexpr std::array<std::string_view, 6> two{"//", "**", "==", "!=", "<=", ">="};
        constexpr std::string_view one = "+-/*%~[](){}<>=.:|,;";
        std::string text(1, source_[at_]);
        for (const std::string_view candidate : two)
            if (starts(candidate)) text = candidate;
        if (text.size() == 1 && one.find(text[0]) == std::string_view::npos)
            fail_at(line_,
                    "unexpected character '" +
                        source_.substr(at_, static_cast<size_t>(
                                                utf8_step(std::string_view(source_).substr(at_)).length)) +
                        "'");
        if (text == "(") open += ')';
        if (text == "[") open += ']';
        if (text == "{") open += '}';
        if (text == ")" || text == "]" || text == "}") {
            if (open.empty() || open.back() != text[0]) fail_at(line_, "unexpected '" + text + "'");
            open.pop_back();
        }
        at_ += text.size();
        add(Token::Kind::symbol, std::move(text));
    }

    const std::string source_;
    size_t at_ = 0;
    int line_ = 1;
    bool line_starting_ = true;
    std::vector<Token> tokens_;
};

void Lexer::string() {
    const char quote = source_[at_];
    const int line = line_;
    std::string out;
    for (size_t i = at_ + 1; i < source_.size(); ++i) {
        if (source_[i] == quote) {
            tokens_.push_back({Token::Kind::string, std::move(out), line});
            advance(i + 1);
            return;
        }
        if (source_[i] == '\\' && i + 1 < source_.size()) {
            escape(++i, out);
        } else {
            out += source_[i];
        }
    }
    fail_at(line, "the string that begins here has no end");
}

/// Python's escapes. `i` is at the character behind the '\', and is left at the last one used.
void Lexer::escape(size_t& i, std::string& out) const {
    const char c = source_[i];
    constexpr std::string_view simple = "\\'\"abfnrtv", meaning = "\\'\"\a\b\f\n\r\t\v";
    if (const size_t found = simple.find(c); found != std::string_view::npos) {
        out += meaning[found];
    } else if (c == '\n') {
        // a line continuation
    } else if (c == 'x' || c == 'u' || c == 'U') {
        const size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : 8;
        char32_t value = 0;
        for (size_t k = 1; k <= digits; ++k) {
            const char d = i + k < source_.size() ? source_[i + k] : 'z';
            const int digit = is_digit(d)            ? d - '0'
                              : d >= 'a' && d <= 'f' ? d - 'a' + 10
                              : d >= 'A' && d <= 'F' ? d - 'A' + 10
                                                     : -1;
            if (digit < 0)
                fail_at(line_,
                        std::string("'\\") + c + "' needs " + std::to_string(digits) + " hexadecimal digits");
            value = value << 4 | static_cast<char32_t>(digit);
        }
        if (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
            fail_at(line_, "an escape sequence that is not a character");
        append_utf8(value, out);
        i += digits;
    } else if (c >= '0' && c <= '7') {
        char32_t value = 0;
        size_t k = 0;
        for (; k < 3 && i + k < source_.size() && source_[i + k] >= '0' && source_[i + k] <= '7'; ++k)
            value = value * 8 + static_cast<char32_t>(source_[i + k] - '0');
        append_utf8(value, out);
        i += k - 1;
    } else {
        out += {'\\', c};
    }
}

}  // namespace

std::vector<Token> tokenize(std::string_view source) {
    return Lexer(one_kind_of_newline(source)).run();
}

void fail_at(int line, const std::string& what) {
    throw InputError("line " + std::to_string(line) + ": " + what);
}

}  // namespace tritonsmith::text::jinja
