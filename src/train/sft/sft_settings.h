#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "train/data/batch_stream.h"
#include "train/trainer/trainer_settings.h"

namespace tritonsmith::train {

/// `train sft`'s configuration: docs/training.md lists the fields.
struct SftSettings : TrainerSettings {
    // [run]
    int64_t evaluate_every = 0;  ///< steps; 0: only at the end
    double peak_tflops = 0;      ///< of the device's products, for MFU; 0: unknown
    // [data]
    StreamSettings data;
    int64_t micro_batches = 1;  ///< batches of a step
    std::vector<std::filesystem::path> evaluation;
    int64_t evaluation_batches = 0;
    // [loss]
    double z_loss = 0;

    Json resolved;  ///< all fields with their values
};

/// @param configuration as read from TOML  @param where its name in errors
/// @throws InputError that names the table, the field and the fix
SftSettings read_sft_settings(const Json& configuration, const std::string& where);

}  // namespace tritonsmith::train
