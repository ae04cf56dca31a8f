#include "train/trainer/trainer.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "base/process/files.h"
#include "train/parallel/testing.h"
#include "train/sft/supervised.h"

namespace tritonsmith::train {
namespace {

namespace fs = std::filesystem;
using Zero = TrainerSettings::Zero;

constexpr int64_t steps = 4;

/// A folder with the config.json of a small model.
void write_model(const fs::path& folder, bool tied) {
    model::Config config;
    config.family = "qwen2";  // with biases
    config.vocabulary = 50;
    config.hidden = 24;
    config.intermediate = 40;
    config.layers = 3;
    config.heads = 2;
    config.kv_heads = 1;
    config.head_dim = 12;
    config.positions = 64;
    config.qkv_bias = true;
    config.tied_embeddings = tied;
    model::Model::random(config, {.dtype = at::kFloat, .plain = true}, 1).save(folder);
}

TrainerSettings settings_of(const fs::path& model) {
    TrainerSettings settings;
    settings.model = model;
    settings.scratch = true;
    return settings;
}

struct Course {
    std::vector<double> losses, norms;
    model::Model model;  ///< the last checkpoint
};

/// Some steps of `batches` micro-batches, with a checkpoint at the end.
Course train_some(const TrainerSettings& settings, int64_t batches, const fs::path& folder,
                  Communicator& communicator) {
    Trainer trainer(settings, std::nullopt, communicator);
    std::vector<double> losses, norms;
    for (int64_t step = 1; step <= steps; ++step) {
        trainer.clear_gradients();
        double loss = 0;
        for (int64_t i = communicator.rank(); i < batches; i += communicator.count()) {
            DeviceBatch batch{.documents = {at::arange(20) * (step + i + 2) % 50, {8, 12}}, .targets = {}};
            batch.targets = targets_of(batch.documents, std::vector<uint8_t>(20, 1));
            if (i + communicator.count() >= batches) trainer.begin_last_pass();
            loss += train_batch(trainer.network(), batch, {.targets = 18.0 * static_cast<double>(batches)},
                                trainer.gradients(), trainer.adapter_gradients())
                        .item<double>();
        }
        losses.push_back(trainer.sum_of_all(loss));
        norms.push_back(trainer.reduce_gradients());
        trainer.update(step, norms.back(), 0.01);
    }
    const Checkpoints checkpoints(folder, 0, communicator);
    trainer.save(checkpoints, {.step = steps, .data = {}, .more = {}}, false);
    return {losses, norms, model::Model::load(*checkpoints.last(), {.dtype = settings.dtype, .plain = true})};
}

/// The same course in several processes. @return what rank 0 saw
Course train_in_processes(int processes, const TrainerSettings& settings, int64_t batches,
                          const fs::path& folder) {
    std::optional<Course> course;
    run_ranks(processes, [&](Communicator& communicator) {
        Course own = train_some(settings, batches, folder, communicator);
        if (communicator.rank() == 0) course.emplace(std::move(own));
    });
    return std::move(*course);
}

/// The greatest difference of two models' weights.
double difference(const model::Model& one, const model::Model& other) {
    double most = 0;
    const auto theirs = parameters_of(other, other.weights());
    for (const Parameter& parameter : parameters_of(one, one.weights()))
        most = std::max(most, (parameter.value - theirs[static_cast<size_t>(parameter.number)].value)
                                  .abs()
                                  .max()
                                  .item<double>());
    return most;
}

TEST(Trainer, SeveralProcessesWithDividedLayersDoWhatOneDoes) {
    const TemporaryFolder folder;
    int run = 0;
    const auto place = [&] { return folder.path() / std::to_string(run++); };
    for (const bool tied : {false, true}) {
        const fs::path model = folder.path() / (tied ? "tied" : "untied");
        write_model(model, tied);
        for (const Recompute recompute : {Recompute::nothing, Recompute::layer}) {
            TrainerSettings settings = settings_of(model);
            settings.recompute = recompute;
            settings.clip = 0.5;
            for (const int processes : {2, 3}) {
                const int64_t batches = 2 * processes;
                settings.zero = Zero::states;
                const Course one = train_in_processes(1, settings, batches, place());
                settings.zero = Zero::layers;
                const Course divided = train_in_processes(processes, settings, batches, place());
                for (size_t i = 0; i < steps; ++i) {
                    EXPECT_NEAR(divided.losses[i], one.losses[i], 1e-5) << processes;
                    EXPECT_NEAR(divided.norms[i], one.norms[i], 1e-4 * one.norms[i]) << processes;
                }
                EXPECT_LT(difference(divided.model, one.model), 1e-4) << processes;
            }
        }
    }
}

TEST(Trainer, WhatIsSentDuringPassesIsWhatIsSentBehindThem) {
    const TemporaryFolder folder;
    int run = 0;
    const auto place = [&] { return folder.path() / std::to_string(run++); };
    const auto expect_same = [&](TrainerSettings settings) {
        settings.overlap = false;
        const Course behind = train_in_processes(2, settings, 4, place());
        settings.overlap = true;
        // All in one transfer; several at a time, of a layer or a part of it; one at a time.
        for (const ExchangeSettings exchange :
             {ExchangeSettings{}, ExchangeSettings{.bucket = 4000, .in_flight = 1 << 20},
              ExchangeSettings{.bucket = 1, .in_flight = 1}}) {
            settings.exchange = exchange;
            const Course during = train_in_processes(2, settings, 4, place());
            EXPECT_EQ(during.losses, behind.losses) << exchange.bucket;
            EXPECT_EQ(during.norms, behind.norms) << exchange.bucket;
            EXPECT_EQ(difference(during.model, behind.model), 0) << exchange.bucket;
        }
    };
    for (const bool tied : {false, true}) {
        const fs::path model = folder.path() / (tied ? "tied" : "untied");
        write_model(model, tied);
        TrainerSettings settings = settings_of(model);
        settings.clip = 0.5;
        for (const auto method : {OptimizerSettings::Method::adamw, OptimizerSettings::Method::muon}) {
            settings.optimizer.method = method;
            expect_same(settings);
        }
        settings.optimizer.method = OptimizerSettings::Method::adamw;
        settings.zero = Zero::layers;
        expect_same(settings);
        settings.zero = Zero::states;
        settings.lora_rank = 2;
        settings.lora_alpha = 4;
        expect_same(settings);
    }
}

TEST(Trainer, WithDividedLayersIsTheSameToTheBitWhereSumsHaveOneOrder) {
    const TemporaryFolder folder;
    write_model(folder.path() / "model", false);
    for (const auto dtype : {at::kFloat, at::kBFloat16}) {
        // One micro-batch for each process; without clipping, since norms are summed by shares.
        TrainerSettings settings = settings_of(folder.path() / "model");
        settings.dtype = settings.optimizer.states = dtype;
        settings.clip = 0;
        const fs::path name = folder.path() / c10::toString(dtype);
        const Course whole = train_in_processes(2, settings, 2, name / "whole");
        settings.zero = Zero::layers;
        const Course divided = train_in_processes(2, settings, 2, name / "divided");
        EXPECT_EQ(divided.losses, whole.losses);
        EXPECT_EQ(difference(divided.model, whole.model), 0);
        EXPECT_LT(divided.losses.back(), divided.losses.front());
    }
}

}  // namespace
}  // namespace tritonsmith::train
