#include "reward/token_classes.h"

#include <algorithm>

namespace tritonsmith::reward {

const char* name(Tokens which) {
    switch (which) {
        case Tokens::plan:
            return "plan";
        case Tokens::code:
            return "code";
        case Tokens::all:
            break;
    }
    return "all";
}

text::Span tokens_of(Tokens which, const text::ResponseTokens& spans, int length) {
    const int code = spans.code.empty() ? length : std::clamp(spans.plan.end, 0, length);
    switch (which) {
        case Tokens::plan:
            return {0, code};
        case Tokens::code:
            return {code, length};
        case Tokens::all:
            break;
    }
    return {0, length};
}

}  // namespace tritonsmith::reward
