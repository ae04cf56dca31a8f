#pragma once

#include <filesystem>

namespace tritonsmith::train {

/// Copies what a model's folder holds beside config.json and the weights: its tokenizer, and how it is asked.
/// @throws MachineError
void copy_tokenizer(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace tritonsmith::train
