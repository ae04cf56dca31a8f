#include <utf8proc.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "text/jinja/value.h"
#include "text/unicode.h"

namespace tritonsmith::text::jinja {
namespace {

void append_hex(std::string& out, const char* format, unsigned value) {
    char text[16];
    out.append(text, static_cast<size_t>(std::snprintf(text, sizeof text, format, value)));
}

bool is_printable(char32_t c) {
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
        case UTF8PROC_CATEGORY_CC:
        case UTF8PROC_CATEGORY_CF:
        case UTF8PROC_CATEGORY_CS:
        case UTF8PROC_CATEGORY_CO:
        case UTF8PROC_CATEGORY_CN:
        case UTF8PROC_CATEGORY_ZL:
        case UTF8PROC_CATEGORY_ZP:
            return false;
        case UTF8PROC_CATEGORY_ZS:
            return c == ' ';
        default:
            return true;
    }
}

std::string python_quoted(std::string_view text) {
    const char quote =
        text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"' : '\'';
    std::string out(1, quote);
    for (size_t i = 0; i < text.size();) {
        const Utf8Step step = utf8_step(text.substr(i));
        const char32_t c = step.value;
        if (c == static_cast<unsigned char>(quote) || c == '\\') {
            out += {'\\', static_cast<char>(c)};
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\r') {
            out += "\\r";
        } else if (c == '\t') {
            out += "\\t";
        } else if (is_printable(c)) {
            out.append(text, i, step.length);
        } else {
            append_hex(out, c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
        }
        i += step.length;
    }
    return out += quote;
}

void append_json_string(std::string_view text, bool ensure_ascii, std::string& out) {
    out += '"';
    for (size_t i = 0; i < text.size();) {
        const Utf8Step step = utf8_step(text.substr(i));
        const char32_t c = step.value;
        if (c == '"' || c == '\\') {
            out += {'\\', static_cast<char>(c)};
        } else if (c >= 0x20 && (c < 0x7F || !ensure_ascii)) {
            out.append(text, i, step.length);
        } else if (const size_t known = std::string_view("\b\t\n\f\r").find(static_cast<char>(c));
                   c < 0x20 && known != std::string_view::npos) {
            out += {'\\', "btnfr"[known]};
        } else if (c < 0x10000) {
            append_hex(out, "\\u%04x", c);
        } else {
            append_hex(out, "\\u%04x", 0xD800 + ((c - 0x10000) >> 10));
            append_hex(out, "\\u%04x", 0xDC00 + ((c - 0x10000) & 0x3FF));
        }
        i += step.length;
    }
    out += '"';
}

class JsonWriter {
  public:
    JsonWriter(const JsonStyle& style, std::string& out) : style_(style), out_(out) {}

    void write(const Value& value) {
        if (const std::string* text = value.string())
            return append_json_string(*text, style_.ensure_ascii, out_);
        if (const List* list = value.list()) return write_list(*list);
        if (const Dict* dict = value.dict()) return write_dict(*dict);
        if (value.is<bool>()) {
            out_ += value.integer() ? "true" : "false";
        } else if (value.is_none()) {
            out_ += "null";
        } else if (value.is<int64_t>()) {
            out_ += std::to_string(value.integer());
        } else if (value.is<double>()) {
            const double number = value.number();
            out_ += std::isnan(number)   ? "NaN"
                    : std::isinf(number) ? (number > 0 ? "Infinity" : "-Infinity")
                                         : float_text(number);
        } else {
            throw InputError(std::string("tojson: a value of type ") + value.type_name() + " is not JSON");
        }
    }

  private:
    void line() {
        if (!style_.lines) return;
        out_ += '\n';
        for (int i = 0; i < depth_; ++i) out_ += style_.indent;
    }
    template <class Range, class Each>
    void write_items(const Range& items, char open, char close, const Each& each) {
        out_ += open;
        ++depth_;
        bool first = true;
        for (const auto& item : items) {
            if (!first) out_ += style_.item_separator;
            first = false;
            line();
            each(item);
        }
        --depth_;
        if (!first) line();
        out_ += close;
    }
    void write_list(const List& list) {
        write_items(list.items, '[', ']', [&](const Value& item) { write(item); });
    }
    void write_dict(const Dict& dict) {
        auto entries = dict.entries();
        if (style_.sort_keys)
            std::sort(entries.begin(), entries.end(),
                      [](const auto& a, const auto& b) { return a.first < b.first; });
        write_items(entries, '{', '}', [&](const auto& entry) {
            append_json_string(entry.first, style_.ensure_ascii, out_);
            out_ += style_.key_separator;
            write(entry.second);
        });
    }

    const JsonStyle& style_;
    std::string& out_;
    int depth_ = 0;
};

}  // namespace

std::string float_text(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    char text[64];
    const double size = std::fabs(value);
    // Python writes an exponent from 1e16 on and below 1e-4.
    const bool plain = value == 0 || (size >= 1e-4 && size < 1e16);
    const auto end = std::to_chars(text, text + sizeof text, value,
                                   plain ? std::chars_format::fixed : std::chars_format::scientific)
                         .ptr;
    std::string result(text, end);
    return plain && result.find('.') == std::string::npos ? result + ".0" : result;
}

std::string str(const Value& value) {
    if (value.is_undefined()) return "";
    return value.string() ? *value.string() : repr(value);
}

std::string repr(const Value& value) {
    if (value.is_undefined()) return "Undefined";
    if (value.is_none()) return "None";
    if (value.is<bool>()) return value.integer() ? "True" : "False";
    if (value.is<int64_t>()) return std::to_string(value.integer());
    if (value.is<double>()) return float_text(value.number());
    if (const std::string* text = value.string()) return python_quoted(*text);
    std::string out;
    if (const List* list = value.list()) {
        for (const Value& item : list->items) out += (out.empty() ? "" : ", ") + repr(item);
        if (list->tuple) return "(" + out + (list->items.size() == 1 ? ",)" : ")");
        return "[" + out + "]";
    }
    if (const Dict* dict = value.dict()) {
        for (const auto& [key, item] : dict->entries())
            out += (out.empty() ? "" : ", ") + python_quoted(key) + ": " + repr(item);
        return "{" + out + "}";
    }
    throw InputError(std::string("a value of type ") + value.type_name() + " cannot be printed");
}

std::string to_json(const Value& value, const JsonStyle& style) {
    std::string out;
    JsonWriter(style, out).write(value);
    return out;
}

}  // namespace tritonsmith::text::jinja
