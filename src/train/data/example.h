#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/prompt/chat_template.h"
#include "text/tokenizer/tokenizer.h"
#include "train/data/conversation.h"

namespace tritonsmith::train {

/// A document of a batch.
struct Example {
    std::vector<text::Token> tokens;
    std::vector<uint8_t> learned;  ///< 1: this token is predicted and learned
};

/// Turns conversations into tokens through a model's chat template. A prompt and its answer are encoded
/// apart, as they are when the model answers. Learned are the answers' tokens up to the one that ends them.
/// Immutable: any number of threads may use one.
class ExampleMaker {
  public:
    /// @param folder of a model: tokenizer.json and its chat template @throws InputError
    explicit ExampleMaker(const std::filesystem::path& folder);

    /// Where the template shows an earlier answer differently than it was given (some drop reasoning), only
    /// the last answer is learned. @param where names the row in errors
    /// @throws InputError for a template that does not end an answer with an end token
    Example make(const Conversation& conversation, const std::string& where) const;
    const text::Tokenizer& tokenizer() const { return tokenizer_; }

  private:
    text::Tokenizer tokenizer_;
    text::ChatTemplate template_;
};

}  // namespace tritonsmith::train
