#pragma once

#include <functional>

#include "train/tokenizer/tokenizer_settings.h"

namespace tritonsmith::train {

/// Calls `emit` for the texts that a tokenizer is trained on: of rows (.jsonl, .zst) each message of their
/// conversations, of other files the whole text, of each source its share of the bytes.
/// @return the bytes @throws InputError for a damaged row, or a file above 64 MiB that holds no rows
int64_t for_each_text(const TokenizerSettings& settings,
                      const std::function<void(const std::string& text)>& emit);

/// What makes a folder with tokenizer.json one that models are trained from: names of the special tokens, the
/// end of an answer, a chat template in the form of ChatML.
void write_tokenizer_files(const TokenizerSettings& settings);
/// <|endoftext|>, <|im_start|>, <|im_end|>: the first tokens of the vocabulary.
const std::vector<std::string>& special_tokens();

}  // namespace tritonsmith::train
