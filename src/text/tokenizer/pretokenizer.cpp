#include "text/tokenizer/pretokenizer.h"

#include <array>
#include <utility>

namespace tritonsmith::text {
namespace {

constexpr std::string_view gpt2_pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

/// \w+|[^\w\s]+ in the regex crate's meaning, which is not Oniguruma's.
constexpr const char* rust_words =
    R"([\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200c}\x{200d}]+|[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200c}\x{200d}\s]+)";

SplitBehavior behavior(const Field& json) {
    constexpr std::array<std::pair<std::string_view, SplitBehavior>, 5> names{{
        {"Removed", SplitBehavior::removed},
        {"Isolated", SplitBehavior::isolated},
        {"MergedWithPrevious", SplitBehavior::merged_with_previous},
        {"MergedWithNext", SplitBehavior::merged_with_next},
        {"Contiguous", SplitBehavior::contiguous},
    }};
    for (const auto& [name, value] : names)
        if (json.string() == name) return value;
    json.fail("\"" + json.string() +
              "\" must be Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous");
}

}  // namespace

PreTokenizer::PreTokenizer(const Field& json) {
    constexpr const char* unsupported =
        "only byte-level vocabularies are supported: the last pre-tokenizer must be ByteLevel";
    if (json.json().is_null()) json.fail(unsupported);
    if (json.type() != "Sequence") {
        if (json.type() != "ByteLevel") json.fail(unsupported);
        add(json, true);
        return;
    }
    const Field list = json.at("pretokenizers").array();
    if (list.size() == 0 || list.size() > 100) list.fail("must have 1 to 100 elements");
    for (size_t i = 0; i < list.size(); ++i) {
        const bool last = i + 1 == list.size();
        if ((list.element(i).type() == "ByteLevel") != last) list.element(i).fail(unsupported);
        add(list.element(i), last);
    }
}

void PreTokenizer::add(const Field& json, bool last) {
    const std::string& type = json.type();
    const auto cut = [&](const char* pattern, SplitBehavior behavior, bool invert = false) {
        splits_.push_back({Regex(pattern, json.name()), behavior, invert});
    };
    if (last) {
        add_prefix_space_ = json.at("add_prefix_space").boolean();
        if (json.boolean_or("use_regex", true)) byte_level_ = Split{Regex(gpt2_pattern, json.name())};
    } else if (type == "Split") {
        add_split(json);
    } else if (type == "Digits") {
        cut("\\p{N}",
            json.at("individual_digits").boolean() ? SplitBehavior::isolated : SplitBehavior::contiguous);
    } else if (type == "Whitespace") {
        cut(rust_words, SplitBehavior::removed, true);
    } else if (type == "WhitespaceSplit") {
        cut("\\s", SplitBehavior::removed);
    } else if (type == "Punctuation") {
        splits_.push_back({Regex("[\\p{P}!-/:-@\\[-`{-~]", json.name()),
                           json.has("behavior") ? behavior(json.at("behavior")) : SplitBehavior::isolated});
    } else {
        json.fail("the pre-tokenizer \"" + type +
                  "\" is not supported (Sequence, Split, ByteLevel, Digits, Punctuation, Whitespace and "
                  "WhitespaceSplit are)");
    }
}

void PreTokenizer::add_split(const Field& json) {
    const Field pattern = json.at("pattern");
    const bool literal = pattern.has("String");
    splits_.push_back({literal ? Regex::literal(pattern.at("String").string(), pattern.name())
                               : Regex(pattern.at("Regex").string(), pattern.name()),
                       behavior(json.at("behavior")), json.boolean_or("invert", false)});
}

}  // namespace tritonsmith::text
