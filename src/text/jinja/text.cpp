#include "text/jinja/text.h"

#include <utf8proc.h>

#include <algorithm>

#include "text/unicode.h"

namespace tritonsmith::text::jinja {
namespace {

size_t last_begin(std::string_view text) {
    size_t begin = text.size() - 1;
    while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
    return begin;
}

template <class Map>  // char32_t(char32_t, bool first of a word)
std::string with_letters(std::string_view text, const Map& map) {
    std::string out;
    out.reserve(text.size());
    bool within = false;
    for (size_t i = 0; i < text.size();) {
        const Utf8Step step = utf8_step(text.substr(i));
        append_utf8(static_cast<char32_t>(map(static_cast<utf8proc_int32_t>(step.value), !within)), out);
        const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(step.value));
        within = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LT;
        i += step.length;
    }
    return out;
}

std::vector<Value> split_words(std::string_view text, int64_t most, bool from_right) {
    std::vector<Value> result;
    const auto word_end = [](std::string_view rest) {
        size_t end = 0;
        while (end < rest.size()) {
            const Utf8Step step = utf8_step(rest.substr(end));
            if (is_python_space(step.value)) break;
            end += step.length;
        }
        return end;
    };
    const auto word_begin = [](std::string_view rest) {
        size_t begin = rest.size();
        while (begin > 0) {
            const size_t last = last_begin(rest.substr(0, begin));
            if (is_python_space(utf8_step(rest.substr(last)).value)) break;
            begin = last;
        }
        return begin;
    };
    text = strip(text, nullptr, !from_right, from_right);
    while (!text.empty()) {
        if (most >= 0 && static_cast<int64_t>(result.size()) == most) {
            result.emplace_back(text);
            break;
        }
        const size_t cut = from_right ? word_begin(text) : word_end(text);
        result.emplace_back(from_right ? text.substr(cut) : text.substr(0, cut));
        text = strip(from_right ? text.substr(0, cut) : text.substr(cut), nullptr, !from_right, from_right);
    }
    if (from_right) std::reverse(result.begin(), result.end());
    return result;
}

}  // namespace

std::string_view strip(std::string_view text, const std::string* unwanted, bool left, bool right) {
    const auto goes = [&](std::string_view character) {
        if (!unwanted) return is_python_space(utf8_step(character).value);
        return unwanted->find(character.substr(0, static_cast<size_t>(utf8_step(character).length))) !=
               std::string::npos;
    };
    while (left && !text.empty() && goes(text))
        text.remove_prefix(static_cast<size_t>(utf8_step(text).length));
    while (right && !text.empty() && goes(text.substr(last_begin(text))))
        text = text.substr(0, last_begin(text));
    return text;
}

std::string replace(Machine& machine, std::string_view text, std::string_view from, std::string_view to,
                    int64_t most) {
    std::string out;
    size_t at = 0;
    for (int64_t count = 0; most < 0 || count < most; ++count) {
        size_t found = text.find(from, at);
        if (found == std::string_view::npos) break;
        if (from.empty()) {  // before every character, and at the end
            if (count > 0 && at == text.size()) break;
            const size_t length = count == 0 ? 0 : static_cast<size_t>(utf8_step(text.substr(at)).length);
            found = at + length;
        }
        machine.charge(to.size());
        out.append(text, at, found - at).append(to);
        at = found + from.size();
    }
    return out.append(text, at);
}

std::string upper(std::string_view text) {
    std::string out;
    for (size_t begin = 0; begin <= text.size();) {  // the one small letter of old whose large form is two
        const size_t sharp = std::min(text.find("\xC3\x9F", begin), text.size());
        out += with_letters(text.substr(begin, sharp - begin),
                            [](utf8proc_int32_t c, bool) { return utf8proc_toupper(c); });
        if (sharp == text.size()) break;
        out += "SS";
        begin = sharp + 2;
    }
    return out;
}

std::string lower(std::string_view text) {
    return with_letters(text, [](utf8proc_int32_t c, bool) { return utf8proc_tolower(c); });
}

std::string title(std::string_view text) {
    return with_letters(text, [](utf8proc_int32_t c, bool first) {
        return first ? utf8proc_totitle(c) : utf8proc_tolower(c);
    });
}

std::string capitalize(std::string_view text) {
    if (text.empty()) return {};
    const auto first = static_cast<size_t>(utf8_step(text).length);
    return title(text.substr(0, first)) + lower(text.substr(first));
}

std::vector<Value> split(std::string_view text, const std::string* separator, int64_t most, bool from_right) {
    if (!separator) return split_words(text, most, from_right);
    std::vector<Value> result;
    while (most < 0 || static_cast<int64_t>(result.size()) < most) {
        const size_t at = from_right ? text.rfind(*separator) : text.find(*separator);
        if (at == std::string_view::npos) break;
        result.emplace_back(from_right ? text.substr(at + separator->size()) : text.substr(0, at));
        text = from_right ? text.substr(0, at) : text.substr(at + separator->size());
    }
    result.emplace_back(text);
    if (from_right) std::reverse(result.begin(), result.end());
    return result;
}

std::vector<Value> split_lines(std::string_view text, bool keep_ends) {
    std::vector<Value> result;
    for (size_t begin = 0, at = 0; at < text.size();) {
        const Utf8Step step = utf8_step(text.substr(at));
        const char32_t c = step.value;
        const size_t end = at;
        at += step.length;
        const bool ends =
            (c >= '\n' && c <= '\r') || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 || c == 0x2029;
        if (ends && c == '\r' && at < text.size() && text[at] == '\n') ++at;
        if (!ends && at < text.size()) continue;
        result.emplace_back(text.substr(begin, (keep_ends || !ends ? at : end) - begin));
        begin = at;
    }
    return result;
}

}  // namespace tritonsmith::text::jinja
