#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "text/fields.h"
#include "text/tokenizer/regex.h"

namespace tritonsmith::text {
namespace {

/// White_Space, to stand in a class. PCRE2's \s also takes U+180E.
constexpr std::string_view space_ranges =
    "\\x{9}-\\x{d}\\x{20}\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{"
    "3000}";
/// Oniguruma's table counts Latin-1's other numbers as parts of words, and none beyond.
constexpr std::string_view word_ranges =
    "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{b2}\\x{b3}\\x{b9}\\x{bc}-\\x{be}";

/// Long names of general categories, as Oniguruma takes them (case, spaces, '-' and '_' do not count).
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> long_names{{{"letter", "L"},
                                                                                   {"mark", "M"},
                                                                                   {"number", "N"},
                                                                                   {"punctuation", "P"},
                                                                                   {"symbol", "S"},
                                                                                   {"separator", "Z"},
                                                                                   {"uppercaseletter", "Lu"},
                                                                                   {"lowercaseletter", "Ll"},
                                                                                   {"decimalnumber", "Nd"}}};

class Translator {
  public:
    Translator(std::string_view pattern, const std::string& where) : in_(pattern), where_(where) {}

    std::string run() {
        while (at_ < in_.size()) {
            if (in_[at_] == '\\') {
                escape();
            } else if (in_class_) {
                within_class();
            } else {
                outside();
            }
        }
        return std::move(out_);
    }

  private:
    [[noreturn]] void refuse(const std::string& what) const {
        throw InputError(one_line(where_ + ": " + what + " in an expression is not supported (at byte " +
                                  std::to_string(at_) + " of " + std::string(in_.substr(0, 200)) + ")"));
    }

    void outside() {
        const char c = in_[at_];
        if (c == '[') {
            in_class_ = true;
            class_begin_ = at_ + (in_.substr(at_ + 1, 1) == "^" ? 2 : 1);
            out_.append(in_, at_, class_begin_ - at_);
            at_ = class_begin_;
        } else if (c == '(' && in_.substr(at_ + 1, 1) == "?") {
            group();
        } else if (c == '}' && in_.substr(at_ + 1, 1) == "+" && counted()) {
            refuse("'+' after {n,m} (possessive in PCRE2, a repetition in Oniguruma)");
        } else {
            out_ += c;
            ++at_;
        }
    }

    /// Whether the '}' here ends {n}, {n,} or {n,m}.
    bool counted() const {
        const size_t open = in_.rfind('{', at_);
        return open != std::string_view::npos && at_ > open + 1 &&
               in_.substr(open + 1, at_ - open - 1).find_first_not_of("0123456789,") ==
                   std::string_view::npos;
    }

    /// "(?i:" and the like: Ruby's m is s in other syntaxes.
    void group() {
        out_ += "(?";
        for (at_ += 2;
             at_ < in_.size() && (in_[at_] == '-' || in_[at_] == 'i' || in_[at_] == 'm' || in_[at_] == 'x');
             ++at_)
            out_ += in_[at_] == 'm' ? 's' : in_[at_];
    }

    void within_class() {
        const char c = in_[at_];
        if (c == ']' && at_ > class_begin_) {
            in_class_ = false;
        } else if (c == '&' && in_.substr(at_ + 1, 1) == "&") {
            refuse("'&&'");
        } else if (c == '[') {
            if (in_.substr(at_ + 1, 1) != ":") refuse("a class within a class");
            const size_t end = in_.find(":]", at_);
            if (end == std::string_view::npos) refuse("'[:' without ':]'");
            out_.append(in_, at_, end + 2 - at_);
            at_ = end + 2;
            return;
        }
        out_ += c;
        ++at_;
    }

    void escape() {
        if (at_ + 1 == in_.size()) refuse("a '\\' at the end");
        const char c = in_[at_ + 1];
        if (c == 'p' || c == 'P') return property();
        at_ += 2;
        const auto put = [&](std::string_view ranges, bool negated) {
            if (in_class_ && negated) {
                at_ -= 2;
                refuse("a negated shorthand within a class");
            }
            if (in_class_) {
                out_ += ranges;
            } else {
                out_.append(negated ? "[^" : "[").append(ranges).append("]");
            }
        };
        switch (c) {
            case 's':
                return put(space_ranges, false);
            case 'S':
                if (!in_class_) return put(space_ranges, true);
                out_ += "\\S";  // as in [\s\S]; differs on U+180E alone
                return;
            case 'w':
                return put(word_ranges, false);
            case 'W':
                return put(word_ranges, true);
            case 'b':
            case 'B':
                return boundary(c);
            case 'h':
                return put("0-9a-fA-F", false);
            case 'H':
                return put("0-9a-fA-F", true);
            default:
                out_.append({'\\', c});
        }
    }

    /// PCRE2's own boundaries are those of its own \w.
    void boundary(char c) {
        if (in_class_) {
            out_.append({'\\', c});  // a backspace
            return;
        }
        const std::string word = "[" + std::string(word_ranges) + "]";
        const char *behind = c == 'b' ? "(?!" : "(?=", *before = c == 'b' ? "(?=" : "(?!";
        out_.append("(?:(?<=").append(word).append(")").append(behind).append(word).append(")|(?<!");
        out_.append(word).append(")").append(before).append(word).append("))");
    }

    void property() {
        const size_t open = at_ + 2;
        if (in_.substr(open, 1) != "{") {  // \pL
            out_.append(in_, at_, 3);
            at_ += std::min<size_t>(3, in_.size() - at_);
            return;
        }
        const size_t close = in_.find('}', open);
        if (close == std::string_view::npos) refuse("'\\p{' without '}'");
        std::string_view name = in_.substr(open + 1, close - open - 1);
        out_.append(in_, at_, 3);
        if (name.substr(0, 1) == "^") {
            out_ += '^';
            name.remove_prefix(1);
        }
        out_ += translated(name);
        out_ += '}';
        at_ = close + 1;
    }

    std::string translated(std::string_view name) const {
        if (name.size() <= 2) return std::string(name);
        std::string plain;
        for (const char c : name)
            if (c != '_' && c != '-' && c != ' ')
                plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        for (const auto& [full, brief] : long_names)
            if (plain == full) return std::string(brief);
        if (plain == "alphabetic" || plain == "any" || plain == "ideographic" || plain == "emoji")
            return std::string(name);
        return "sc:" + std::string(name);  // a script alone; PCRE2 would take its extensions too
    }

    const std::string_view in_;
    const std::string& where_;
    std::string out_;
    size_t at_ = 0, class_begin_ = 0;
    bool in_class_ = false;
};

}  // namespace

std::string oniguruma_to_pcre2(std::string_view pattern, const std::string& where) {
    return Translator(pattern, where).run();
}

}  // namespace tritonsmith::text
