#pragma once

#include <string>
#include <vector>

#include "engine/api/generator.h"
#include "text/prompt/chat_template.h"
#include "text/tokenizer/tokenizer.h"

namespace tritonsmith::serve {

/// Limits of a request.
struct RequestLimits {
    int samples = 128;       ///< n
    int prompts = 256;       ///< of one /v1/completions
    int all_samples = 1024;  ///< prompts times n
    int prompt_tokens = 0;   ///< 0: one less than the context
    int stop_strings = 4;
    int stop_bytes = 512;  ///< of one
};

/// A request to /v1/completions or /v1/chat/completions, checked, in the generator's terms.
struct CompletionRequest {
    bool chat = false;
    std::vector<engine::Request> prompts;  ///< choice p * n + i is sample i of prompt p
    int n = 1;
    std::vector<std::string> stop;
    bool stream = false;
    bool include_usage = false;  ///< a last chunk with the counts
    bool logprobs = false;
    int top_logprobs = 0;
    bool skip_special = true;  ///< special tokens are omitted from the text

    int choices() const { return static_cast<int>(prompts.size()) * n; }
    int64_t prompt_tokens() const;
};

/// What parsing a request needs. All outlive it.
struct RequestContext {
    const text::Tokenizer& tokenizer;
    const text::ChatTemplate* chat_template;  ///< null: the model has none, so no chat
    const std::string& model_name;
    int context_length;
    RequestLimits limits;
};

/// @throws ApiError (400, or 404 for another model's name) with the field
CompletionRequest parse_completion(const std::string& body, const RequestContext& context);
CompletionRequest parse_chat(const std::string& body, const RequestContext& context);

}  // namespace tritonsmith::serve
