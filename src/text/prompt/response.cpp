#include "text/prompt/response.h"

#include <algorithm>
#include <vector>

#include "text/unicode.h"

namespace tritonsmith::text {
namespace {

constexpr std::string_view think_begin = "<think>", think_end = "</think>";

/// A fenced block: three or more backticks or tildes at a line's beginning, up to the same at another line's.
struct Block {
    std::string_view language;
    size_t fence = 0;           ///< where the opening fence's line begins
    size_t begin = 0, end = 0;  ///< the content, without the newline before the closing fence
    bool closed = false;
};

size_t line_end(std::string_view text, size_t at) {
    return std::min(text.find('\n', at), text.size());
}

std::string_view trimmed(std::string_view text) {
    const size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// How long a fence the line begins with; 0: none.
size_t fence_length(std::string_view line) {
    if (line.empty() || (line[0] != '`' && line[0] != '~')) return 0;
    const size_t length = std::min(line.find_first_not_of(line[0]), line.size());
    return length >= 3 ? length : 0;
}

std::vector<Block> blocks(std::string_view text, size_t from) {
    std::vector<Block> result;
    for (size_t at = from; at < text.size();) {
        const size_t end = line_end(text, at);
        const std::string_view line = trimmed(text.substr(at, end - at));
        const size_t length = fence_length(line);
        const std::string_view info = trimmed(line.substr(length));
        if (length == 0 || (line[0] == '`' && info.find('`') != std::string_view::npos)) {
            at = end + 1;
            continue;
        }
        Block block{info.substr(0, info.find_first_of(" \t{,")), at, std::min(end + 1, text.size()),
                    text.size(), false};
        for (at = end + 1; at < text.size();) {
            const size_t stop = line_end(text, at);
            const std::string_view closing = trimmed(text.substr(at, stop - at));
            const size_t closing_length = fence_length(closing);
            const size_t begin = at;
            at = stop + 1;
            if (closing_length < length || closing[0] != line[0] || closing_length != closing.size())
                continue;
            block.end = std::max(block.begin, begin - 1);
            block.closed = true;
            break;
        }
        result.push_back(block);
    }
    return result;
}

bool is_python(std::string_view language) {
    std::string lower(language);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower == "python" || lower == "py" || lower == "python3" || lower == "triton";
}

/// Whether it defines or imports anything: a command line or a fragment does not.
bool is_program(std::string_view code) {
    for (size_t at = 0; at < code.size(); at = line_end(code, at) + 1) {
        const std::string_view line = code.substr(at, line_end(code, at) - at);
        for (const std::string_view word : {"import ", "from ", "def ", "class ", "@", "async def "})
            if (line.starts_with(word)) return true;
    }
    return false;
}

/// The last block marked as Python that is a program; else the last program without a mark.
const Block* choose(std::string_view text, const std::vector<Block>& all) {
    const Block* chosen = nullptr;
    for (const Block& block : all) {
        if (!is_program(text.substr(block.begin, block.end - block.begin))) continue;
        const bool python = is_python(block.language);
        if (!python && !block.language.empty()) continue;
        if (!chosen || python || !is_python(chosen->language)) chosen = &block;
    }
    return chosen;
}

}  // namespace

Response parse_response(std::string_view text) {
    Response response;
    const size_t thought = text.find(think_end);
    const bool thinking =
        thought == std::string_view::npos && text.find(think_begin) != std::string_view::npos;
    const size_t from = thought == std::string_view::npos ? 0 : thought + think_end.size();
    response.plan_bytes = {0, static_cast<int>(text.size())};
    // Code within unfinished reasoning is not an answer.
    if (thinking) {
        response.truncated = true;
        return response;
    }
    const std::vector<Block> all = blocks(text, from);
    response.truncated = !all.empty() && !all.back().closed;
    const Block* code = choose(text, all);
    if (!code) return response;
    response.code = std::string(text.substr(code->begin, code->end - code->begin));
    response.plan_bytes.end = static_cast<int>(code->fence);
    response.code_bytes = {static_cast<int>(code->begin), static_cast<int>(code->end)};
    return response;
}

ResponseTokens token_spans(const Response& response, const Tokenizer& tokenizer,
                           std::span<const Token> tokens, bool skip_special) {
    std::string raw;
    std::vector<size_t> begins;  // of each token, in the raw bytes
    for (const Token token : tokens) {
        begins.push_back(raw.size());
        if (!skip_special || !tokenizer.is_special(token)) raw += tokenizer.bytes(token);
    }
    // In the text every ill-formed sequence is one U+FFFD, of three bytes.
    size_t shown = 0, token = 0;
    for (size_t at = 0; at <= raw.size();) {
        const Utf8Step step = at < raw.size() ? utf8_step(std::string_view(raw).substr(at))
                                              : Utf8Step{Utf8Step::character, 1, 0};
        const bool whole = step.kind == Utf8Step::character;
        const auto length = static_cast<size_t>(step.length);
        for (; token < begins.size() && begins[token] < at + length; ++token)
            begins[token] = shown + (whole ? begins[token] - at : 0);
        at += length;
        shown += whole ? length : 3;
    }
    const auto first = [&](int byte) {
        return static_cast<int>(std::lower_bound(begins.begin(), begins.end(), static_cast<size_t>(byte)) -
                                begins.begin());
    };
    const auto span = [&](Span bytes) {
        return bytes.empty() ? Span{} : Span{first(bytes.begin), first(bytes.end)};
    };
    return {span(response.plan_bytes), span(response.code_bytes)};
}

}  // namespace tritonsmith::text
