#pragma once

#include <filesystem>

#include "train/network/adapters.h"

namespace tritonsmith::train {

/// FOLDER/adapter_model.safetensors and adapter_config.json, as PEFT has them. @param base the folder of the
/// model that they belong to @throws MachineError
void write_adapters(const std::filesystem::path& folder, const Adapters& adapters,
                    const std::filesystem::path& base);
/// Copies FOLDER/adapter_model.safetensors into adapters of the same shapes. @throws InputError for others
void read_adapters(const std::filesystem::path& folder, Adapters& adapters);

}  // namespace tritonsmith::train
