#pragma once

#include <vector>

#include "text/fields.h"
#include "text/tokenizer/tokenizer.h"

namespace tritonsmith::text {

/// The special tokens that `post_processor` of tokenizer.json puts around a single text.
struct PostProcessor {
    std::vector<Token> before, after;
};
/// @param json may be null. @throws InputError
PostProcessor read_post_processor(const Field& json);

}  // namespace tritonsmith::text
