#pragma once

#include <span>
#include <string>
#include <string_view>

#include "text/tokenizer/tokenizer.h"

namespace tritonsmith::text {

/// A range of tokens or bytes: [begin, end).
struct Span {
    int begin = 0, end = 0;
    bool empty() const { return begin >= end; }
};

/// The parts of a model's answer. The plan is everything before the code, reasoning included. The code is the
/// last fenced block that holds a program (after </think> if there is one), without its fences. Text after it
/// belongs to neither.
struct Response {
    std::string code;  ///< empty if there is none
    Span plan_bytes, code_bytes;
    bool truncated = false;  ///< a fence or <think> that was opened and never closed
};
Response parse_response(std::string_view text);

/// The same by tokens: a token belongs to the span of its first byte, so each token has at most one class.
/// @param skip_special as it was when the parsed text was decoded from these tokens
struct ResponseTokens {
    Span plan, code;
};
ResponseTokens token_spans(const Response& response, const Tokenizer& tokenizer,
                           std::span<const Token> tokens, bool skip_special = true);

}  // namespace tritonsmith::text
