#pragma once

#include <cstdint>

#include "text/prompt/response.h"

namespace tritonsmith::reward {

/// Which of an answer's tokens a reward is for (TritonRL, arXiv 2510.17891: an answer is its plan's tokens,
/// then its code's).
enum class Tokens : uint8_t { all, plan, code };
const char* name(Tokens which);

/// Of an answer's `length` tokens those of a class. Each is the plan's or the code's: the code begins with
/// the fence of its block and reaches to the answer's end. Without a program all are the plan's.
text::Span tokens_of(Tokens which, const text::ResponseTokens& spans, int length);

}  // namespace tritonsmith::reward
