#include "train/trainer/trainer.h"

#include <ATen/Functions.h>
#include <fmt/format.h>

#include <cmath>

#include "train/checkpoint/adapter_files.h"
#include "train/optimizer/gradients.h"

namespace tritonsmith::train {
namespace {

namespace fs = std::filesystem;

/// Updates without a finite gradient before the run gives up.
constexpr int most_skipped_updates = 10;

/// @param layers that divide its layers, or null
model::Model make_model(const TrainerSettings& settings, const std::optional<fs::path>& checkpoint,
                        ShardedLayers* layers) {
    model::Model::Options options{.device = at::Device(settings.device),
                                  .dtype = settings.dtype,
                                  .exact = settings.exact,
                                  .plain = true,
                                  .copied = true};
    const fs::path folder = checkpoint && settings.lora_rank == 0 ? *checkpoint : settings.model;
    if (layers != nullptr)
        options.loaded = [layers, config = model::load_config(folder)](const model::Weights& weights,
                                                                       int layer) {
            layers->divide(config, weights, layer);
        };
    if (checkpoint && settings.lora_rank == 0) return model::Model::load(*checkpoint, options);
    if (settings.scratch)
        return model::Model::random(model::load_config(settings.model), options, settings.seed);
    return model::Model::load(settings.model, options);
}

/// Adapters, where the settings ask for them: new ones, or a checkpoint's.
std::optional<Adapters> make_adapters(const model::Model& model, const TrainerSettings& settings,
                                      const std::optional<fs::path>& checkpoint) {
    if (settings.lora_rank == 0) return std::nullopt;
    Adapters adapters = new_adapters(model, settings.lora_rank, settings.lora_alpha, settings.seed);
    if (checkpoint) read_adapters(*checkpoint / "adapter", adapters);
    return adapters;
}

/// Zero; none of weights that stay. @param layers that have gradients of their own, or null
model::Weights gradients_for(const model::Model& model, const TrainerSettings& settings,
                             const ShardedLayers* layers) {
    if (settings.lora_rank == 0)
        return make_gradients(model, [&](const at::Tensor& weight) {
            const at::Tensor divided = layers != nullptr ? layers->gradient_of(weight) : at::Tensor();
            return divided.defined() ? divided
                                     : at::zeros(weight.sizes(), weight.options().dtype(settings.gradients));
        });
    model::Weights none;
    none.layers.resize(model.weights().layers.size());
    return none;
}

/// The parameters that every process has whole.
std::vector<Parameter> whole_parameters(std::vector<Parameter> parameters, const ShardedLayers* layers) {
    if (layers != nullptr)
        std::erase_if(parameters, [](const Parameter& parameter) { return parameter.layer >= 0; });
    return parameters;
}

}  // namespace

Trainer::Trainer(const TrainerSettings& settings, const std::optional<fs::path>& checkpoint,
                 Communicator& communicator)
    : settings_(settings),
      checkpoint_(checkpoint),
      communicator_(communicator),
      layers_(settings.zero == TrainerSettings::Zero::layers && communicator.count() > 1
                  ? std::make_optional<ShardedLayers>(settings.gradients, communicator)
                  : std::nullopt),
      model_(make_model(settings, checkpoint, layers_ ? &*layers_ : nullptr)),
      adapters_(make_adapters(model_, settings, checkpoint)),
      gradients_(gradients_for(model_, settings, layers_ ? &*layers_ : nullptr)),
      adapter_gradients_(adapters_ ? std::optional(zero_gradients(*adapters_, settings.gradients))
                                   : std::nullopt),
      optimizer_(whole_parameters(adapters_ ? parameters_of(*adapters_, *adapter_gradients_)
                                            : parameters_of(model_, gradients_),
                                  layers_ ? &*layers_ : nullptr),
                 settings.optimizer, communicator, layers_ ? layers_->shares() : std::vector<Parameter>(),
                 settings.exchange),
      pass_memory_(layers_ ? &*layers_ : nullptr, optimizer_),
      network_(model_, settings.recompute, adapters_ ? &*adapters_ : nullptr, &pass_memory_) {}

double Trainer::reduce_gradients(const at::Tensor& more) {
    pass_memory_.set_last_pass(false);
    if (layers_) layers_->finish_gradients();
    return optimizer_.reduce_gradients(more);
}

void Trainer::update(int64_t number, double norm, double rate) {
    if (std::isfinite(norm)) {
        skipped_ = 0;
        optimizer_.step(number, rate, clip_scale(norm, settings_.clip));
        if (!settings_.overlap) finish_update();
        return;
    }
    if (++skipped_ == most_skipped_updates)
        throw InputError(
            fmt::format("step {}: the gradients of {} steps in a row were not finite; lower "
                        "schedule.learning_rate, or resume an earlier checkpoint",
                        number, skipped_));
}

TrainerState Trainer::restored() const {
    return checkpoint_ ? restore(*checkpoint_, optimizer_.share()) : TrainerState{};
}

void Trainer::save(const Checkpoints& checkpoints, const TrainerState& state, bool best,
                   const model::Model* sampler) {
    finish_update();
    checkpoints.save({model_, adapters_ ? &*adapters_ : nullptr, pass_memory_, sampler}, optimizer_.share(),
                     state, settings_.model, best);
}

double Trainer::sum_of_all(double value) const {
    if (communicator_.count() == 1) return value;
    at::Tensor sum =
        at::full({1}, value, at::TensorOptions().dtype(at::kFloat).device(model_.options().device));
    communicator_.all_reduce(sum);
    return sum.item<double>();
}

int Trainer::agreed_signal(int own) const {
    const double sum = sum_of_all(own), got = sum_of_all(own != 0 ? 1 : 0);
    return got > 0 ? static_cast<int>(sum / got) : 0;
}

}  // namespace tritonsmith::train
