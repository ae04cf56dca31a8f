#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "train/network/layer.h"
#include "train/optimizer/optimizer.h"
#include "train/optimizer/parameter_exchange.h"
#include "train/optimizer/schedule.h"
#include "train/settings/setting_fields.h"

namespace tritonsmith::train {

/// The part of a configuration that all kinds of training have: docs/training.md lists the fields.
struct TrainerSettings {
    // [run]
    std::filesystem::path folder;
    int64_t steps = 0;
    uint64_t seed = 0;
    std::string device = "cpu";
    int64_t checkpoint_every = 0;  ///< steps; 0: only at the end
    int keep = 0;                  ///< checkpoints
    /// What several processes divide: the optimizer's states (ZeRO-1), or the layers' weights and gradients
    /// as well (ZeRO-3).
    enum class Zero { states, layers };
    Zero zero = Zero::states;
    bool overlap = true;        ///< what they exchange is sent during passes; else behind them
    ExchangeSettings exchange;  ///< not in a configuration
    // [model]
    std::filesystem::path model;  ///< a Hugging Face folder
    bool scratch = false;         ///< of it only config.json and the tokenizer
    at::ScalarType dtype = at::kFloat, gradients = at::kFloat;
    bool exact = false;  ///< Network: on the CPU, where a kind of training samples from the model
    Recompute recompute = Recompute::elementwise;
    // [lora]
    int64_t lora_rank = 0;  ///< 0: all weights are trained
    double lora_alpha = 0;
    // [optimizer], [schedule]
    OptimizerSettings optimizer;
    double clip = 1;  ///< greatest norm of gradients; 0: any
    Schedule schedule;
};

/// What kinds of training differ in.
struct TrainerDefaults {
    int64_t checkpoint_every = 500;
    const char* schedule = "cosine";
    double learning_rate = 1e-5, weight_decay = 0.1;
};

/// Reads the fields of [run] that all have; finish() is the caller's. @throws InputError
void read_run(SettingFields& fields, TrainerSettings& settings, const TrainerDefaults& defaults);
/// Read one table each, and put it into the whole. In this order: later ones depend on earlier ones.
void read_model(SettingFields fields, TrainerSettings& settings, SettingFields& whole);
void read_lora(SettingFields fields, TrainerSettings& settings, SettingFields& whole);
void read_optimizer(SettingFields fields, TrainerSettings& settings, SettingFields& whole,
                    const TrainerDefaults& defaults);
void read_schedule(SettingFields fields, TrainerSettings& settings, SettingFields& whole,
                   const TrainerDefaults& defaults);

}  // namespace tritonsmith::train
