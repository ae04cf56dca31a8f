#include "train/trainer/trainer_settings.h"

#include <string_view>

namespace tritonsmith::train {
namespace {

constexpr int64_t most_steps = int64_t{1} << 40;

at::ScalarType dtype_of(SettingFields& fields, const char* name, const char* otherwise) {
    return fields.choice<at::ScalarType>(name, otherwise,
                                         {{"float32", at::kFloat}, {"bfloat16", at::kBFloat16}});
}

bool is_device(std::string_view name) {
    if (name == "cpu" || name == "cuda") return true;
    return name.starts_with("cuda:") && name.size() > 5 && name.size() < 9 &&
           name.find_first_not_of("0123456789", 5) == std::string_view::npos;
}

}  // namespace

void read_run(SettingFields& fields, TrainerSettings& settings, const TrainerDefaults& defaults) {
    settings.folder = fields.text("folder", std::nullopt);
    settings.steps = fields.integer("steps", std::nullopt, 1, most_steps);
    settings.seed = static_cast<uint64_t>(fields.integer("seed", 0, 0, most_steps));
    settings.device = fields.text("device", "cpu");
    if (!is_device(settings.device)) fields.wrong("device", "must be \"cpu\", \"cuda\" or \"cuda:N\"");
    settings.checkpoint_every = fields.integer("checkpoint_every", defaults.checkpoint_every, 0, most_steps);
    settings.keep = static_cast<int>(fields.integer("keep", 2, 0, 1'000'000));
    using Zero = TrainerSettings::Zero;
    settings.zero =
        fields.choice<Zero>("zero", "states", {{"states", Zero::states}, {"layers", Zero::layers}});
    settings.overlap = fields.boolean("overlap", true);
}

void read_model(SettingFields fields, TrainerSettings& settings, SettingFields& whole) {
    settings.model = fields.text("folder", std::nullopt);
    settings.scratch = fields.boolean("scratch", false);
    settings.dtype = dtype_of(fields, "dtype", "bfloat16");
    settings.gradients = dtype_of(fields, "gradients", "float32");
    settings.recompute = fields.choice<Recompute>("recompute", "elementwise",
                                                  {{"nothing", Recompute::nothing},
                                                   {"elementwise", Recompute::elementwise},
                                                   {"layer", Recompute::layer}});
    whole.put("model", fields.finish());
}

void read_lora(SettingFields fields, TrainerSettings& settings, SettingFields& whole) {
    settings.lora_rank = fields.integer("rank", 0, 0, 4096);
    if (settings.lora_rank > 0 && settings.zero == TrainerSettings::Zero::layers)
        fields.wrong("rank", "must be 0 where run.zero is \"layers\": adapters are small, use \"states\"");
    settings.lora_alpha = fields.number("alpha", 2.0 * static_cast<double>(settings.lora_rank), 0, 1e6);
    whole.put("lora", fields.finish());
}

void read_optimizer(SettingFields fields, TrainerSettings& settings, SettingFields& whole,
                    const TrainerDefaults& defaults) {
    OptimizerSettings& optimizer = settings.optimizer;
    optimizer.method = fields.choice<OptimizerSettings::Method>(
        "method", "adamw",
        {{"adamw", OptimizerSettings::Method::adamw}, {"muon", OptimizerSettings::Method::muon}});
    if (optimizer.method == OptimizerSettings::Method::muon && settings.zero == TrainerSettings::Zero::layers)
        fields.wrong("method", "must be \"adamw\" where run.zero is \"layers\": Muon needs whole matrices");
    optimizer.beta1 = fields.number("beta1", 0.9, 0, 0.999999);
    optimizer.beta2 = fields.number("beta2", 0.95, 0, 0.999999);
    optimizer.epsilon = fields.number("epsilon", 1e-8, 0, 1);
    optimizer.weight_decay = fields.number("weight_decay", defaults.weight_decay, 0, 10);
    optimizer.momentum = fields.number("momentum", 0.95, 0, 0.999999);
    optimizer.states = dtype_of(fields, "states", "float32");
    optimizer.master =
        fields.boolean("master", settings.dtype != at::kFloat && optimizer.states == at::kFloat);
    optimizer.seed = settings.seed;
    settings.clip = fields.number("clip", 1, 0, 1e9);
    whole.put("optimizer", fields.finish());
}

void read_schedule(SettingFields fields, TrainerSettings& settings, SettingFields& whole,
                   const TrainerDefaults& defaults) {
    Schedule& schedule = settings.schedule;
    schedule.kind = fields.choice<Schedule::Kind>("kind", defaults.schedule,
                                                  {{"constant", Schedule::Kind::constant},
                                                   {"linear", Schedule::Kind::linear},
                                                   {"cosine", Schedule::Kind::cosine},
                                                   {"wsd", Schedule::Kind::wsd}});
    schedule.peak = fields.number("learning_rate", defaults.learning_rate, 1e-12, 10);
    schedule.floor = fields.number("floor", 0, 0, 1);
    schedule.steps = settings.steps;
    schedule.warmup = fields.integer("warmup", settings.steps / 50, 0, settings.steps);
    schedule.decay = fields.integer("decay", settings.steps / 5, 0, settings.steps);
    schedule.check();
    whole.put("schedule", fields.finish());
}

}  // namespace tritonsmith::train
