#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "serve/answers.h"

namespace tritonsmith::serve {

/// What all objects of one answer share.
struct ResponseHead {
    std::string id;  ///< "chatcmpl-..." or "cmpl-..."
    std::string model;
    int64_t created = 0;  ///< seconds since 1970
};

/// JSON of OpenAI's API for one request.
class ResponseJson {
  public:
    ResponseJson(const CompletionRequest& request, ResponseHead head, const text::Tokenizer& tokenizer);

    /// The whole answer. @param pieces one for each choice, each whole
    Json whole(const std::vector<Piece>& pieces, int64_t completion_tokens) const;
    /// Chunks of a stream: one for each piece, and before a choice's first one of a chat that names its role.
    std::vector<Json> chunks(const Piece& piece);
    /// The last chunk, where the counts were asked for.
    Json usage_chunk(int64_t completion_tokens) const;

  private:
    Json object(const char* chat, const char* plain) const;
    Json usage(int64_t completion_tokens) const;
    Json logprobs(const Piece& piece) const;
    Json token_entry(const engine::TokenLogprob& token) const;

    const CompletionRequest& request_;
    ResponseHead head_;
    const text::Tokenizer& tokenizer_;
    std::vector<bool> begun_;
};

}  // namespace tritonsmith::serve
