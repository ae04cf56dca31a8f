#include "text/jinja/filters.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "text/jinja/text.h"

namespace tritonsmith::text::jinja {
namespace {

std::string text_of(Machine& m, const Value& v) {
    m.charge(static_cast<size_t>(v.weight()));
    return str(v);
}

Value trim(Machine& m, const Value& v, Parameters& p) {
    const Value unwanted = p.take("chars");
    return m.text(std::string(strip(text_of(m, v), unwanted.string(), true, true)));
}

template <std::string (*Map)(std::string_view)>
Value mapped(Machine& m, const Value& v, Parameters&) {
    return m.text(Map(text_of(m, v)));
}

/// Not str.title(): a word ends only at white space and opening brackets.
std::string title_filter(std::string_view text) {
    std::string out;
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find_first_of("- \t\n\r\f\v({[<", begin), text.size());
        if (end > begin) out += capitalize(text.substr(begin, end - begin));
        begin = std::min(text.find_first_not_of("- \t\n\r\f\v({[<", end), text.size());
        out.append(text, end, begin - end);
    }
    return out;
}

Value length(Machine& m, const Value& v, Parameters&) {
    return length_of(m, v);
}

Value tojson(Machine& m, const Value& v, Parameters& p) {
    JsonStyle style;
    style.ensure_ascii = p.truth_or("ensure_ascii", false);
    const Value indent = p.take("indent"), separators = p.take("separators");
    if (indent.is_integer() || indent.string()) {
        style.lines = true;
        style.indent =
            indent.string()
                ? *indent.string()
                : std::string(static_cast<size_t>(std::clamp<int64_t>(indent.integer(), 0, 100)), ' ');
        style.item_separator = ",";
        if (style.indent.size() > 100) m.fail("tojson: the indent is longer than 100");
    }
    if (const List* two = separators.list()) {
        if (two->items.size() != 2 || !two->items[0].string() || !two->items[1].string())
            m.fail("tojson: separators must be two strings");
        style.item_separator = *two->items[0].string();
        style.key_separator = *two->items[1].string();
        if (style.item_separator.size() + style.key_separator.size() > 100)
            m.fail("tojson: separators are longer than 100");
    }
    style.sort_keys = p.truth_or("sort_keys", false);
    m.charge(static_cast<size_t>(v.weight()) * (style.lines ? 8 : 1));
    return m.text(to_json(v, style));
}

Value otherwise(Machine&, const Value& v, Parameters& p) {
    const bool given = p.more();
    Value value = p.take("default_value");
    if (!given && value.is_undefined()) value = Value("");
    return v.is_undefined() || (p.truth_or("boolean", false) && !v.truth()) ? value : v;
}

Value replaced(Machine& m, const Value& v, Parameters& p) {
    const std::string from = str(p.take("old")), to = str(p.take("new"));
    return m.text(replace(m, text_of(m, v), from, to, p.integer_or("count", -1)));
}

Value as_text(Machine& m, const Value& v, Parameters&) {
    return v.string() ? v : m.text(text_of(m, v));
}

Value as_integer(Machine& m, const Value& v, Parameters& p) {
    const int64_t fallback = p.integer_or("default", 0);
    if (v.is_integer()) return v.integer();
    if (v.is<double>()) return std::fabs(v.number()) < 9e18 ? static_cast<int64_t>(v.number()) : fallback;
    if (!v.string()) return fallback;
    const std::string_view text = strip(*v.string(), nullptr, true, true);
    const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
    int64_t whole = 0;
    if (const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), whole);
        error == std::errc() && end == digits.data() + digits.size())
        return whole;
    double real = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), real);
    return error == std::errc() && end == digits.data() + digits.size() && std::fabs(real) < 9e18
               ? static_cast<int64_t>(real)
               : fallback;
}

Value as_float(Machine& m, const Value& v, Parameters& p) {
    const Value fallback = p.take("default");
    if (v.is_number()) return v.number();
    double real = 0;
    if (v.string()) {
        const std::string_view text = strip(*v.string(), nullptr, true, true);
        const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
        if (const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), real);
            error == std::errc() && end == digits.data() + digits.size())
            return real;
    }
    return fallback.is_undefined() ? Value(0.0) : fallback;
}

Value absolute(Machine& m, const Value& v, Parameters&) {
    if (v.is<double>()) return std::fabs(v.number());
    if (!v.is_integer()) m.fail(std::string("abs: a value of type ") + v.type_name() + " is not a number");
    return v.integer() < 0 ? arithmetic(m, "-", 0, v.integer()) : Value(v.integer());
}

Value rounded(Machine& m, const Value& v, Parameters& p) {
    const int64_t digits = std::clamp<int64_t>(p.integer_or("precision", 0), -300, 300);
    const std::string method = p.text_or("method", "common");
    if (!v.is_number()) m.fail(std::string("round: a value of type ") + v.type_name() + " is not a number");
    const double scale = std::pow(10.0, static_cast<double>(digits)), scaled = v.number() * scale;
    if (method == "ceil") return std::ceil(scaled) / scale;
    if (method == "floor") return std::floor(scaled) / scale;
    if (method != "common") m.fail("round: the method must be common, ceil or floor");
    if (!std::isfinite(scaled)) return v.number();
    char text[700];  // to_chars rounds the exact value, and halves to even, as Python does
    if (digits < 0) return std::nearbyint(scaled) / scale;
    const auto end = std::to_chars(text, text + sizeof text, v.number(), std::chars_format::fixed,
                                   static_cast<int>(digits))
                         .ptr;
    double result = 0;
    std::from_chars(text, end, result);
    return result;
}

Value indented(Machine& m, const Value& v, Parameters& p) {
    const Value width = p.take("width");
    const bool first = p.truth_or("first", false), blank = p.truth_or("blank", false);
    if (!width.is_undefined() && !width.is_integer() && !width.string())
        m.fail("indent: the width must be a number or a string");
    const std::string by =
        width.string()
            ? *width.string()
            : std::string(
                  static_cast<size_t>(std::clamp<int64_t>(width.is_integer() ? width.integer() : 4, 0, 1000)),
                  ' ');
    const std::string text = text_of(m, v) + "\n";  // as Jinja: so that an empty last line counts
    std::string out;
    const std::vector<Value> lines = split_lines(text, false);
    for (size_t i = 0; i < lines.size(); ++i) {
        const std::string& line = *lines[i].string();
        m.charge(by.size() + line.size());
        if (i > 0) out += '\n';
        if ((i > 0 || first) && (blank || !line.empty() || (i == 0 && first))) out += by;
        out += line;
    }
    return m.text(std::move(out));
}

Value escaped(Machine& m, const Value& v, Parameters&) {
    std::string out;
    for (const char c : text_of(m, v)) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&#34;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                out += c;
        }
    }
    return m.text(std::move(out));
}

const std::unordered_map<std::string_view, Filter>& scalar_filters() {
    static const std::unordered_map<std::string_view, Filter> table{
        {"trim", trim},
        {"upper", mapped<upper>},
        {"lower", mapped<lower>},
        {"title", mapped<title_filter>},
        {"capitalize", mapped<capitalize>},
        {"length", length},
        {"count", length},
        {"tojson", tojson},
        {"default", otherwise},
        {"d", otherwise},
        {"replace", replaced},
        {"string", as_text},
        {"safe", as_text},
        {"int", as_integer},
        {"float", as_float},
        {"abs", absolute},
        {"round", rounded},
        {"indent", indented},
        {"escape", escaped},
        {"e", escaped},
    };
    return table;
}

}  // namespace

Value apply_filter(Machine& machine, const std::string& name, const Value& value, Arguments arguments) {
    if (name == "map" || name == "select" || name == "reject" || name == "selectattr" || name == "rejectattr")
        return choosing_filter(machine, name, value, std::move(arguments));
    const auto found = scalar_filters().find(name);
    const Filter filter = found == scalar_filters().end() ? list_filter(name) : found->second;
    if (!filter) machine.fail("the filter '" + name + "' is not supported");
    Parameters parameters(machine, name, std::move(arguments));
    Value result = filter(machine, value, parameters);
    parameters.done();
    return result;
}

}  // namespace tritonsmith::text::jinja
