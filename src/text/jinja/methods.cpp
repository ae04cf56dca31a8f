#include <algorithm>
#include <unordered_map>

#include "text/jinja/text.h"
#include "text/unicode.h"

namespace tritonsmith::text::jinja {
namespace {

using Method = Value (*)(Machine&, const std::string& text, Parameters&);

template <bool Left, bool Right>
Value strip_method(Machine& m, const std::string& text, Parameters& given) {
    const Value unwanted = given.take("chars");
    return m.text(std::string(strip(text, unwanted.string(), Left, Right)));
}

template <bool FromRight>
Value split_method(Machine& m, const std::string& text, Parameters& given) {
    const Value separator = given.take("sep");
    if (separator.string() && separator.string()->empty()) m.fail("split: the separator is empty");
    m.charge(text.size() * 4);
    return m.list(split(text, separator.string(), given.integer_or("maxsplit", -1), FromRight));
}

template <bool Start>
Value affix_method(Machine& m, const std::string& text, Parameters& given) {
    const Value wanted = given.require("prefix");
    const auto has = [&](const Value& part) {
        if (!part.string())
            m.fail(std::string("startswith and endswith take a string or a tuple of strings, not ") +
                   part.type_name());
        return Start ? text.starts_with(*part.string()) : text.ends_with(*part.string());
    };
    if (!wanted.list()) return has(wanted);
    return std::any_of(wanted.list()->items.begin(), wanted.list()->items.end(), has);
}

template <bool Start>
Value remove_method(Machine& m, const std::string& text, Parameters& given) {
    const std::string part = given.text("prefix");
    if (!(Start ? text.starts_with(part) : text.ends_with(part))) return m.text(text);
    return m.text(Start ? text.substr(part.size()) : text.substr(0, text.size() - part.size()));
}

template <bool FromRight>
Value partition_method(Machine& m, const std::string& text, Parameters& given) {
    const std::string separator = given.text("sep");
    if (separator.empty()) m.fail("partition: the separator is empty");
    const size_t at = FromRight ? text.rfind(separator) : text.find(separator);
    m.charge(text.size());
    if (at == std::string::npos)
        return FromRight ? m.list({"", "", text}, true) : m.list({text, "", ""}, true);
    return m.list({text.substr(0, at), separator, text.substr(at + separator.size())}, true);
}

template <bool FromRight>
Value find_method(Machine& m, const std::string& text, Parameters& given) {
    const std::string part = given.text("sub");
    const size_t at = FromRight ? text.rfind(part) : text.find(part);
    return at == std::string::npos ? Value(-1) : Value(length_of(m, std::string_view(text).substr(0, at)));
}

template <std::string (*Map)(std::string_view)>
Value map_method(Machine& m, const std::string& text, Parameters&) {
    return m.text(Map(text));
}

template <bool (*Holds)(char32_t)>
Value all_method(Machine&, const std::string& text, Parameters&) {
    for (size_t i = 0; i < text.size();) {
        const Utf8Step step = utf8_step(std::string_view(text).substr(i));
        if (!Holds(step.value)) return false;
        i += step.length;
    }
    return !text.empty();
}

Value replace_method(Machine& m, const std::string& text, Parameters& given) {
    const std::string from = given.text("old"), to = given.text("new");
    return m.text(replace(m, text, from, to, given.integer_or("count", -1)));
}

Value join_method(Machine& m, const std::string& text, Parameters& given) {
    std::string out;
    bool first = true;
    for (const Value& part : items_of(m, given.take("iterable"))) {
        if (!part.string())
            m.fail(std::string("join: a value of type ") + part.type_name() + " is not a string");
        m.charge(text.size() + part.string()->size());
        out += first ? *part.string() : text + *part.string();
        first = false;
    }
    return m.text(std::move(out));
}

Value count_method(Machine& m, const std::string& text, Parameters& given) {
    const std::string part = given.text("sub");
    if (part.empty()) return length_of(m, text) + 1;
    int64_t count = 0;
    for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
    return count;
}

Value lines_method(Machine& m, const std::string& text, Parameters& given) {
    m.charge(text.size() * 4);
    return m.list(split_lines(text, given.truth_or("keepends", false)));
}

bool is_ascii_digit(char32_t c) {
    return c >= '0' && c <= '9';
}
bool is_unicode_letter(char32_t c) {
    return is_word(c) && c != '_' && !is_ascii_digit(c);
}
bool is_letter_or_digit(char32_t c) {
    return is_word(c) && c != '_';
}

const std::unordered_map<std::string, Method>& methods() {
    static const std::unordered_map<std::string, Method> table{
        {"strip", strip_method<true, true>},
        {"lstrip", strip_method<true, false>},
        {"rstrip", strip_method<false, true>},
        {"split", split_method<false>},
        {"rsplit", split_method<true>},
        {"splitlines", lines_method},
        {"startswith", affix_method<true>},
        {"endswith", affix_method<false>},
        {"removeprefix", remove_method<true>},
        {"removesuffix", remove_method<false>},
        {"partition", partition_method<false>},
        {"rpartition", partition_method<true>},
        {"find", find_method<false>},
        {"rfind", find_method<true>},
        {"count", count_method},
        {"replace", replace_method},
        {"join", join_method},
        {"upper", map_method<upper>},
        {"lower", map_method<lower>},
        {"title", map_method<title>},
        {"capitalize", map_method<capitalize>},
        {"isdigit", all_method<is_ascii_digit>},
        {"isalpha", all_method<is_unicode_letter>},
        {"isalnum", all_method<is_letter_or_digit>},
        {"isspace", all_method<is_python_space>},
    };
    return table;
}

}  // namespace

Value string_method(const std::string& text, const std::string& name) {
    const auto found = methods().find(name);
    if (found == methods().end()) return {};
    return std::make_shared<const Callable>(
        Callable{name, [text, name, method = found->second](Machine& m, Arguments arguments) {
                     m.charge(text.size() / 8);
                     Parameters parameters(m, name, std::move(arguments));
                     Value result = method(m, text, parameters);
                     parameters.done();
                     return result;
                 }});
}

}  // namespace tritonsmith::text::jinja
