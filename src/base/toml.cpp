#include "base/toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "base/text.h"

namespace tritonsmith {
namespace {

constexpr int deepest_toml = 64;

bool is_bare(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/// Reads one document, or one value.
class TomlReader {
  public:
    TomlReader(std::string_view text, std::string where) : text_(text), where_(std::move(where)) {}

    Json document() {
        if (!is_utf8(text_)) fail("the file is not UTF-8");
        Json root = Json::object();
        Json* table = &root;
        for (;;) {
            skip_lines();
            if (done()) return root;
            if (peek() == '[')
                table = header(root);
            else
                assignment(*table);
            end_of_line();
        }
    }

    Json only_value() {
        skip_spaces();
        Json value = this->value(0);
        skip_spaces();
        if (!done()) fail("text behind the value");
        return value;
    }

    std::vector<std::string> key() {
        std::vector<std::string> parts;
        do {
            skip_spaces();
            parts.push_back(simple_key());
            skip_spaces();
        } while (take('.'));
        return parts;
    }

    bool done() const { return at_ >= text_.size(); }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("{}:{}: {}", where_, line_, what));
    }
    char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    char next() {
        if (done()) fail("the text ends within a value");
        if (text_[at_] == '\n') ++line_;
        return text_[at_++];
    }
    bool take(char c) {
        if (peek() != c || done()) return false;
        next();
        return true;
    }
    bool take(std::string_view word) {
        if (!text_.substr(at_).starts_with(word)) return false;
        for (size_t i = 0; i < word.size(); ++i) next();
        return true;
    }
    void skip_spaces() {
        while (peek() == ' ' || peek() == '\t') ++at_;
    }
    void skip_comment() {
        if (peek() == '#')
            while (!done() && peek() != '\n') ++at_;
    }
    /// Spaces, comments and line ends.
    void skip_lines() {
        for (;;) {
            skip_spaces();
            skip_comment();
            if (!take('\n') && !take("\r\n")) return;
        }
    }
    void end_of_line() {
        skip_spaces();
        skip_comment();
        if (!done() && !take('\n') && !take("\r\n")) fail("one assignment a line");
    }

    std::string simple_key() {
        if (peek() == '"') return basic_string();
        if (peek() == '\'') return literal_string();
        const size_t begin = at_;
        while (is_bare(peek())) ++at_;
        if (at_ == begin) fail("a key was expected: letters, digits, _ or -, or a string");
        return std::string(text_.substr(begin, at_ - begin));
    }

    /// The table that a path leads to; of an array of tables its last.
    Json* descend(Json& from, const std::string& part) {
        if (!from.contains(part)) from[part] = Json::object();
        Json* next = &from[part];
        if (next->is_array() && !next->empty() && next->back().is_object()) next = &next->back();
        if (!next->is_object()) fail(fmt::format("{} is no table", part));
        return next;
    }

    Json* header(Json& root) {
        next();
        const bool array = take('[');
        const std::vector<std::string> path = key();
        if (!take(']') || (array && !take(']'))) fail("a table's name ends with ]");
        Json* table = &root;
        for (size_t i = 0; i + 1 < path.size(); ++i) table = descend(*table, path[i]);
        if (array) {
            Json& list = (*table)[path.back()];
            if (list.is_null()) list = Json::array();
            if (!list.is_array()) fail(fmt::format("{} is no array of tables", path.back()));
            list.push_back(Json::object());
            return &list.back();
        }
        std::string name;
        for (const std::string& part : path) name += part + '\0';
        if (!defined_.insert(name).second) fail(fmt::format("the table {} is there twice", path.back()));
        return descend(*table, path.back());
    }

    void assignment(Json& table) {
        const std::vector<std::string> path = key();
        if (!take('=')) fail("KEY = VALUE was expected");
        Json* target = &table;
        for (size_t i = 0; i + 1 < path.size(); ++i) target = descend(*target, path[i]);
        if (target->contains(path.back())) fail(fmt::format("{} is there twice", path.back()));
        skip_spaces();
        (*target)[path.back()] = value(0);
    }

    Json value(int depth) {
        if (depth > deepest_toml) fail("nested too deeply");
        if (text_.substr(at_).starts_with("\"\"\"")) return multi_line("\"\"\"");
        if (text_.substr(at_).starts_with("'''")) return multi_line("'''");
        if (peek() == '"') return basic_string();
        if (peek() == '\'') return literal_string();
        if (peek() == '[') return array(depth);
        if (peek() == '{') return inline_table(depth);
        return scalar();
    }

    Json array(int depth) {
        next();
        Json list = Json::array();
        for (;;) {
            skip_lines();
            if (take(']')) return list;
            list.push_back(value(depth + 1));
            skip_lines();
            if (take(']')) return list;
            if (!take(',')) fail("elements of an array are separated by commas");
        }
    }

    Json inline_table(int depth) {
        next();
        Json table = Json::object();
        skip_spaces();
        if (take('}')) return table;
        for (;;) {
            const std::vector<std::string> path = key();
            if (!take('=')) fail("KEY = VALUE was expected");
            skip_spaces();
            Json* target = &table;
            for (size_t i = 0; i + 1 < path.size(); ++i) target = descend(*target, path[i]);
            if (target->contains(path.back())) fail(fmt::format("{} is there twice", path.back()));
            (*target)[path.back()] = value(depth + 1);
            skip_spaces();
            if (take('}')) return table;
            if (!take(',')) fail("entries of a table are separated by commas");
        }
    }

    std::string literal_string() {
        next();
        std::string result;
        while (!take('\'')) {
            if (peek() == '\n') fail("the string does not end on its line");
            result += next();
        }
        return result;
    }

    std::string basic_string() {
        next();
        std::string result;
        while (!take('"')) {
            if (peek() == '\n') fail("the string does not end on its line");
            if (take('\\'))
                escape(result);
            else
                result += next();
        }
        return result;
    }

    std::string multi_line(std::string_view quotes) {
        take(quotes);
        if (!take('\n')) take("\r\n");
        std::string result;
        for (;;) {
            if (take(quotes)) {  // up to two more quotes belong to the string
                for (int i = 0; i < 2 && peek() == quotes[0]; ++i) result += next();
                return result;
            }
            if (quotes[0] == '"' && take('\\')) {
                if (peek() == '\n' || peek() == ' ' || peek() == '\t' || peek() == '\r')
                    while (!done() && (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n'))
                        next();
                else
                    escape(result);
            } else {
                result += next();
            }
        }
    }

    void escape(std::string& result) {
        static constexpr std::string_view names = "btnfr\"\\", characters = "\b\t\n\f\r\"\\";
        const char c = next();
        if (const size_t known = names.find(c); known != std::string_view::npos) {
            result += characters[known];
            return;
        }
        if (c != 'u' && c != 'U') fail(fmt::format("the escape \\{} is unknown", c));
        uint32_t code = 0;
        const size_t digits = c == 'u' ? 4 : 8;
        const std::string_view hex = text_.substr(std::min(at_, text_.size()), digits);
        const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), code, 16);
        if (error != std::errc() || end != hex.data() + digits || code > 0x10ffff ||
            (code >= 0xd800 && code < 0xe000))
            fail(fmt::format("\\{} needs {} hexadecimal digits of a character", c, digits));
        at_ += digits;
        append_utf8(result, code);
    }

    static void append_utf8(std::string& to, uint32_t code) {
        const auto tail = [&](int shift) { to += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
        if (code < 0x80) {
            to += static_cast<char>(code);
        } else if (code < 0x800) {
            to += static_cast<char>(0xc0 | (code >> 6));
            tail(0);
        } else if (code < 0x10000) {
            to += static_cast<char>(0xe0 | (code >> 12));
            tail(6);
            tail(0);
        } else {
            to += static_cast<char>(0xf0 | (code >> 18));
            tail(12);
            tail(6);
            tail(0);
        }
    }

    /// true, a number.
    Json scalar() {
        const size_t begin = at_;
        while (is_bare(peek()) || peek() == '+' || peek() == '.' || peek() == ':') ++at_;
        const std::string_view word = text_.substr(begin, at_ - begin);
        if (word == "true" || word == "false") return word == "true";
        std::string digits;
        for (size_t i = 0; i < word.size(); ++i) {
            if (word[i] != '_')
                digits += word[i];
            else if (i == 0 || i + 1 == word.size() || word[i - 1] == '_')
                digits += '?';  // stands between digits only
        }
        if (auto number = whole(digits)) return *number;
        if (auto number = real(digits)) return *number;
        if (word.find(':') != std::string_view::npos ||
            (word.size() == 10 && word[4] == '-' && word[7] == '-'))
            fail("dates and times are not supported");
        fail(fmt::format("\"{}\" is no value: put strings into quotes", shortened(word, 60)));
    }

    static std::optional<Json> whole(std::string_view digits) {
        const bool negative = digits.starts_with('-');
        if (negative || digits.starts_with('+')) digits.remove_prefix(1);
        int base = 10;
        if (digits.starts_with("0x")) base = 16;
        if (digits.starts_with("0o")) base = 8;
        if (digits.starts_with("0b")) base = 2;
        if (base != 10) digits.remove_prefix(2);
        if (digits.empty() || (base == 10 && digits.size() > 1 && digits[0] == '0')) return std::nullopt;
        uint64_t value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
        if (error != std::errc() || end != digits.data() + digits.size() ||
            value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
            return std::nullopt;
        const auto number = static_cast<int64_t>(value);
        return Json(negative ? -number : number);
    }

    static std::optional<Json> real(std::string_view digits) {
        const bool negative = digits.starts_with('-');
        if (negative || digits.starts_with('+')) digits.remove_prefix(1);
        if (digits.empty() || digits[0] < '0' || digits[0] > '9' || digits.back() == '.') return std::nullopt;
        if (digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9')
            return std::nullopt;
        double value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
            return std::nullopt;
        return Json(negative ? -value : value);
    }

    std::string_view text_;
    std::string where_;
    size_t at_ = 0;
    int line_ = 1;
    std::set<std::string> defined_;
};

}  // namespace

Json parse_toml(std::string_view text, const std::string& where) {
    return TomlReader(text, where).document();
}

void set_toml(Json& document, std::string_view assignment) {
    const std::string where = "--set " + shortened(assignment, 80);
    const size_t equals = assignment.find('=');
    if (equals == std::string_view::npos) throw InputError(where + ": PATH=VALUE was expected");
    TomlReader name(assignment.substr(0, equals), where);
    const std::vector<std::string> path = name.key();
    if (!name.done()) throw InputError(where + ": PATH=VALUE was expected");
    Json* target = &document;
    for (size_t i = 0; i + 1 < path.size(); ++i) {
        Json& next = (*target)[path[i]];
        if (next.is_null()) next = Json::object();
        if (!next.is_object()) throw InputError(fmt::format("{}: {} is no table", where, path[i]));
        target = &next;
    }
    const std::string_view text = assignment.substr(equals + 1);
    try {
        (*target)[path.back()] = TomlReader(text, where).only_value();
    } catch (const InputError&) {
        (*target)[path.back()] = std::string(text);
    }
}

}  // namespace tritonsmith
