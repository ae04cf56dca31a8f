#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "train/data/batch_stream.h"
#include "train/network/layer.h"
#include "train/optimizer/optimizer.h"
#include "train/optimizer/schedule.h"

namespace tritonsmith::train {

/// `train sft`'s configuration: docs/training.md lists the fields.
struct SftSettings {
    // [run]
    std::filesystem::path folder;
    int64_t steps = 0;
    uint64_t seed = 0;
    std::string device = "cpu";
    int64_t evaluate_every = 0, checkpoint_every = 0;  ///< steps; 0: never
    int keep = 0;                                      ///< checkpoints
    double peak_tflops = 0;                            ///< of the device's products, for MFU; 0: unknown
    // [model]
    std::filesystem::path model;  ///< a Hugging Face folder
    bool scratch = false;         ///< of it only config.json and the tokenizer
    at::ScalarType dtype = at::kFloat, gradients = at::kFloat;
    Recompute recompute = Recompute::elementwise;
    // [lora]
    int64_t lora_rank = 0;  ///< 0: all weights are trained
    double lora_alpha = 0;
    // [data]
    StreamSettings data;
    int64_t micro_batches = 1;  ///< batches of a step
    std::vector<std::filesystem::path> evaluation;
    int64_t evaluation_batches = 0;
    // [optimizer], [schedule], [loss]
    OptimizerSettings optimizer;
    double clip = 1;  ///< greatest norm of gradients; 0: any
    Schedule schedule;
    double z_loss = 0;

    Json resolved;  ///< all fields with their values
};

/// @param configuration as read from TOML  @param where its name in errors
/// @throws InputError that names the table, the field and the fix
SftSettings read_sft_settings(const Json& configuration, const std::string& where);

}  // namespace tritonsmith::train
