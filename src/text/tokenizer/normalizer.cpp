#include "text/tokenizer/normalizer.h"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>

#include "text/unicode.h"

namespace tritonsmith::text {
namespace {

void append_normal_form(std::string_view text, int options, std::string& out) {
    utf8proc_uint8_t* mapped = nullptr;
    const utf8proc_ssize_t length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                                 static_cast<utf8proc_ssize_t>(text.size()), &mapped,
                                                 static_cast<utf8proc_option_t>(options));
    const std::unique_ptr<utf8proc_uint8_t, void (*)(void*)> owned(mapped, std::free);
    if (length < 0)
        throw MachineError(std::string("Unicode normalisation failed: ") + utf8proc_errmsg(length));
    out.append(reinterpret_cast<const char*>(mapped), static_cast<size_t>(length));
}

/// Only what is not ASCII can change, and the ASCII character before it, which a mark may join.
std::string normal_form(std::string_view text, int options) {
    std::string out;
    out.reserve(text.size());
    const auto ascii = [&](size_t i) { return static_cast<unsigned char>(text[i]) < 0x80; };
    for (size_t begin = 0; begin < text.size();) {
        size_t end = begin;
        while (end < text.size() && ascii(end)) ++end;
        if (end == text.size()) {
            out.append(text, begin);
            break;
        }
        const size_t from = end > begin ? end - 1 : end;
        out.append(text, begin, from - begin);
        while (end < text.size() && !ascii(end)) ++end;
        append_normal_form(text.substr(from, end - from), options, out);
        begin = end;
    }
    return out;
}

std::string lowercase(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (size_t i = 0; i < text.size();) {
        const Utf8Step step = utf8_step(text.substr(i));
        if (step.value == 0x130) {  // the one character whose small form is two
            out += "i\xCC\x87";
        } else {
            append_utf8(static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(step.value))),
                        out);
        }
        i += step.length;
    }
    return out;
}

std::string_view strip(std::string_view text, bool left, bool right) {
    while (left && !text.empty()) {
        const Utf8Step step = utf8_step(text);
        if (!is_space(step.value)) break;
        text.remove_prefix(step.length);
    }
    while (right && !text.empty()) {
        size_t begin = text.size() - 1;
        while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
        if (!is_space(utf8_step(text.substr(begin)).value)) break;
        text = text.substr(0, begin);
    }
    return text;
}

std::string replace(std::string_view text, const Regex& pattern, const std::string& content,
                    RegexScratch& scratch) {
    std::string out;
    size_t kept = 0;
    for_each_match(pattern, text, scratch, [&](size_t begin, size_t end) {
        out.append(text, kept, begin - kept).append(content);
        kept = end;
    });
    return out.append(text, kept);
}

}  // namespace

Normalizer::Normalizer(const Field& json) {
    if (!json.json().is_null()) add(json);
}

void Normalizer::add(const Field& json) {
    const std::string& type = json.type();
    const auto form = [&](int options) {
        steps_.emplace_back([options](std::string_view text, RegexScratch&) {
            return normal_form(text, options | UTF8PROC_STABLE);
        });
    };
    if (type == "Sequence") {
        const Field list = json.at("normalizers").array();
        if (list.size() > 100) list.fail("more than 100 normalizers");
        for (size_t i = 0; i < list.size(); ++i) {
            if (list.element(i).type() == "Sequence")
                list.element(i).fail("a Sequence in a Sequence is not supported");
            add(list.element(i));
        }
    } else if (type == "NFC") {
        form(UTF8PROC_COMPOSE);
    } else if (type == "NFD") {
        form(UTF8PROC_DECOMPOSE);
    } else if (type == "NFKC") {
        form(UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
    } else if (type == "NFKD") {
        form(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);
    } else if (type == "Lowercase") {
        steps_.emplace_back([](std::string_view text, RegexScratch&) { return lowercase(text); });
    } else if (type == "Strip") {
        const bool left = json.at("strip_left").boolean(), right = json.at("strip_right").boolean();
        steps_.emplace_back(
            [=](std::string_view text, RegexScratch&) { return std::string(strip(text, left, right)); });
    } else if (type == "Prepend") {
        const std::string prefix = json.at("prepend").string();
        steps_.emplace_back([prefix](std::string_view text, RegexScratch&) {
            return text.empty() ? std::string() : prefix + std::string(text);
        });
    } else if (type == "Replace") {
        const Field pattern = json.at("pattern");
        const bool literal = pattern.has("String");
        const auto regex = std::make_shared<const Regex>(
            literal ? Regex::literal(pattern.at("String").string(), pattern.name())
                    : Regex(pattern.at("Regex").string(), pattern.name()));
        steps_.emplace_back(
            [regex, content = json.at("content").string()](std::string_view text, RegexScratch& scratch) {
                return replace(text, *regex, content, scratch);
            });
    } else {
        json.fail("the normalizer \"" + type +
                  "\" is not supported (NFC, NFD, NFKC, NFKD, Lowercase, Strip, Prepend, Replace and "
                  "Sequence are)");
    }
}

std::string_view Normalizer::apply(std::string_view text, std::string& buffer, RegexScratch& scratch) const {
    for (const Step& step : steps_) {
        buffer = step(text, scratch);
        text = buffer;
    }
    return text;
}

}  // namespace tritonsmith::text
