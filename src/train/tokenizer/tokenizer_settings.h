#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "train/data/conversation.h"

namespace tritonsmith::train {

/// `train tokenizer`'s configuration: docs/training.md lists the fields.
struct TokenizerSettings {
    std::filesystem::path folder;
    int64_t vocabulary = 0;
    int64_t context = 0;  ///< tokens that a model of it will see: model_max_length
    int64_t bytes = 0;    ///< of text, at most
    struct Source {
        std::vector<std::filesystem::path> files;
        double weight = 1;  ///< share of the bytes
    };
    std::vector<Source> sources;
    /// What all prompts have in common would outweigh the tasks.
    PairSettings pairs{.form = text::PromptForm::brief};
};

/// @throws InputError that names the table, the field and the fix
TokenizerSettings read_tokenizer_settings(const Json& configuration, const std::string& where);

}  // namespace tritonsmith::train
