#include "text/tokenizer/added_tokens.h"

#include "text/tokenizer/bpe.h"
#include "text/unicode.h"

namespace tritonsmith::text {
namespace {

constexpr size_t tokens_most = 1 << 18, content_most = 4096, contents_most = size_t{4} << 20;

std::string_view last_character(std::string_view text) {
    size_t begin = text.size() - 1;
    while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
    return text.substr(begin);
}

bool is_alone(std::string_view text, size_t begin, size_t end) {
    if (begin > 0 && is_word(utf8_step(last_character(text.substr(0, begin))).value)) return false;
    return end == text.size() || !is_word(utf8_step(text.substr(end)).value);
}

size_t before_space(std::string_view text, size_t begin, size_t least) {
    while (begin > least) {
        const std::string_view last = last_character(text.substr(0, begin));
        if (!is_space(utf8_step(last).value)) break;
        begin -= last.size();
    }
    return begin;
}

size_t behind_space(std::string_view text, size_t end) {
    while (end < text.size()) {
        const Utf8Step step = utf8_step(text.substr(end));
        if (!is_space(step.value)) break;
        end += step.length;
    }
    return end;
}

}  // namespace

std::vector<AddedToken> read_added_tokens(const Field& json) {
    std::vector<AddedToken> result;
    size_t contents = 0;
    if (json.array().size() > tokens_most)
        json.fail("more than " + std::to_string(tokens_most) + " added tokens");
    for (size_t i = 0; i < json.size(); ++i) {
        const Field one = json.element(i);
        AddedToken token;
        token.content = one.at("content").string();
        if (token.content.empty()) continue;  // as tokenizers does
        if (token.content.size() > content_most)
            one.fail("longer than " + std::to_string(content_most) + " bytes");
        if ((contents += token.content.size()) > contents_most) json.fail("longer than 4 MiB in all");
        token.token = static_cast<Token>(one.at("id").integer(0, Bpe::token_most));
        token.special = one.boolean_or("special", false);
        token.normalized = one.boolean_or("normalized", !token.special);
        token.single_word = one.boolean_or("single_word", false);
        token.lstrip = one.boolean_or("lstrip", false);
        token.rstrip = one.boolean_or("rstrip", false);
        result.push_back(std::move(token));
    }
    return result;
}

void AddedTokenFinder::add(std::string_view pattern, const AddedToken& token) {
    if (pattern.empty()) return;
    begins_[static_cast<unsigned char>(pattern.front())] = true;
    int node = 0;
    for (const char c : pattern) {
        const auto byte = static_cast<unsigned char>(c);
        int child = -1;
        for (const auto& [label, target] : nodes_[node].children)
            if (label == byte) child = target;
        if (child < 0) {
            child = static_cast<int>(nodes_.size());
            nodes_[node].children.emplace_back(byte, child);
            nodes_.emplace_back();
        }
        node = child;
    }
    if (nodes_[node].token >= 0) return;  // the same text twice: the first one is it
    nodes_[node].token = static_cast<int>(tokens_.size());
    tokens_.push_back(token);
}

std::pair<size_t, int> AddedTokenFinder::longest(std::string_view text) const {
    std::pair<size_t, int> best{0, -1};
    int node = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        int child = -1;
        for (const auto& [label, target] : nodes_[node].children)
            if (label == static_cast<unsigned char>(text[i])) {
                child = target;
                break;
            }
        if (child < 0) break;
        node = child;
        if (nodes_[node].token >= 0) best = {i + 1, nodes_[node].token};
    }
    return best;
}

std::optional<AddedTokenFinder::Found> AddedTokenFinder::next(std::string_view text, size_t& at,
                                                              size_t done) const {
    for (; at < text.size(); ++at) {
        if (!begins_[static_cast<unsigned char>(text[at])]) continue;
        const auto [length, index] = longest(text.substr(at));
        if (length == 0) continue;
        const AddedToken& token = tokens_[index];
        Found found{at, at + length, token.token};
        at += length;
        if (token.single_word && !is_alone(text, found.begin, found.end)) {
            --at;  // the loop's step
            continue;
        }
        if (token.lstrip) found.begin = before_space(text, found.begin, std::min(done, found.begin));
        if (token.rstrip) found.end = behind_space(text, found.end);
        return found;
    }
    return std::nullopt;
}

}  // namespace tritonsmith::text
