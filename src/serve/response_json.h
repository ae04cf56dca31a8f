#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "serve/answers.h"

namespace tritonsmith::serve {

/// The fields that all objects of one answer share.
struct ResponseHead {
    std::string id;  ///< "chatcmpl-..." or "cmpl-..."
    std::string model;
    int64_t created = 0;  ///< seconds since 1970
};

/// JSON of OpenAI's API for one request.
class ResponseJson {
  public:
    ResponseJson(const CompletionRequest& request, ResponseHead head, const text::Tokenizer& tokenizer);

    /// The complete answer. @param pieces one for each choice, each complete
    Json whole(const std::vector<Piece>& pieces, int64_t completion_tokens) const;
    /// Chunks of a stream: one for each piece; before a choice's first piece in a chat, one with its role.
    std::vector<Json> chunks(const Piece& piece);
    /// The last chunk, if the counts were requested.
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
