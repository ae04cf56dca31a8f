#pragma once

#include <filesystem>

#include "model/model.h"

namespace tritonsmith::train {

/// Writes the model of one folder, a checkpoint for instance, to another, in other files: int8 or another
/// dtype, shards. The tokenizer goes with it, an optimizer's states do not. @param dtype of what is not int8
/// @throws InputError (`to` exists, `from` is no model), MachineError; `to` is there whole or not at all
void export_model(const std::filesystem::path& from, const std::filesystem::path& to, at::ScalarType dtype,
                  const model::SaveOptions& options);

}  // namespace tritonsmith::train
