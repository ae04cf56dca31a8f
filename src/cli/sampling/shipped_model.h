#pragma once

#include <string>

namespace tritonsmith::cli {

/// Folder of the model that comes with tritonsmith (models/smith), or the one that TRITONSMITH_MODEL names.
/// @throws InputError where it is not there
std::string shipped_model();

/// Whether it can be asked without further ado: its files and the engine are there.
bool shipped_model_is_ready();

}  // namespace tritonsmith::cli
