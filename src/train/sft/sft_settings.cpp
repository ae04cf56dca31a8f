#include "train/sft/sft_settings.h"

#include <algorithm>
#include <string_view>
#include <thread>

#include "train/settings/setting_fields.h"

namespace tritonsmith::train {
namespace {

constexpr int64_t many = int64_t{1} << 40;

at::ScalarType dtype_of(SettingFields& fields, const char* name, const char* otherwise) {
    return fields.choice<at::ScalarType>(name, otherwise,
                                         {{"float32", at::kFloat}, {"bfloat16", at::kBFloat16}});
}

bool is_device(std::string_view name) {
    if (name == "cpu" || name == "cuda") return true;
    return name.starts_with("cuda:") && name.size() > 5 && name.size() < 9 &&
           name.find_first_not_of("0123456789", 5) == std::string_view::npos;
}

void read_run(SettingFields fields, SftSettings& settings, SettingFields& whole) {
    settings.folder = fields.text("folder", std::nullopt);
    settings.steps = fields.integer("steps", std::nullopt, 1, many);
    settings.seed = static_cast<uint64_t>(fields.integer("seed", 0, 0, many));
    settings.device = fields.text("device", "cpu");
    if (!is_device(settings.device)) fields.wrong("device", "must be \"cpu\", \"cuda\" or \"cuda:N\"");
    settings.evaluate_every = fields.integer("evaluate_every", 100, 0, many);
    settings.checkpoint_every = fields.integer("checkpoint_every", 500, 0, many);
    settings.keep = static_cast<int>(fields.integer("keep", 2, 0, 1'000'000));
    settings.peak_tflops = fields.number("peak_tflops", 0, 0, 1e9);
    whole.put("run", fields.finish());
}

void read_model(SettingFields fields, SftSettings& settings, SettingFields& whole) {
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

void read_lora(SettingFields fields, SftSettings& settings, SettingFields& whole) {
    settings.lora_rank = fields.integer("rank", 0, 0, 4096);
    settings.lora_alpha = fields.number("alpha", 2.0 * static_cast<double>(settings.lora_rank), 0, 1e6);
    whole.put("lora", fields.finish());
}

void read_data(SettingFields fields, SftSettings& settings, SettingFields& whole) {
    StreamSettings& data = settings.data;
    data.seed = settings.seed;
    data.budget = fields.integer("tokens", 4096, 2, int64_t{1} << 24);
    data.longest = fields.integer("longest", std::min<int64_t>(data.budget, 4096), 2, data.budget);
    settings.micro_batches = fields.integer("micro_batches", 1, 1, 1 << 20);
    data.shuffle_window = fields.integer("shuffle_window", 10'000, 1, 1 << 24);
    data.pack_window = fields.integer("pack_window", 1'000, 1, 1 << 20);
    data.threads = static_cast<int>(
        fields.integer("threads", std::max(1U, std::thread::hardware_concurrency() / 4), 1, 1024));
    data.pairs.prompt = fields.choice<PairSettings::Prompt>("prompt", "mixed",
                                                            {{"code", PairSettings::Prompt::code},
                                                             {"card", PairSettings::Prompt::card},
                                                             {"both", PairSettings::Prompt::both},
                                                             {"mixed", PairSettings::Prompt::mixed}});
    data.pairs.target = fields.text("target", "sm_90");
    data.pairs.form = text::prompt_form_of(settings.model);
    data.pairs.repairs = fields.boolean("repairs", true);
    const std::string evaluation = fields.text("evaluation", "");
    if (!evaluation.empty()) settings.evaluation = matching_files(evaluation);
    settings.evaluation_batches = fields.integer("evaluation_batches", 8, 1, 1 << 20);
    Json sources = Json::array();
    for (SettingFields& source : fields.tables("sources")) {
        const std::string files = source.text("files", std::nullopt);
        data.sources.push_back(
            {source.text("name", files), matching_files(files), source.number("weight", 1, 1e-9, 1e9)});
        sources.push_back(source.finish());
    }
    if (sources.empty()) fields.wrong("sources", "is missing: [[data.sources]] with files = \"...\"");
    fields.put("sources", sources);
    whole.put("data", fields.finish());
}

void read_optimizer(SettingFields fields, SftSettings& settings, SettingFields& whole) {
    OptimizerSettings& optimizer = settings.optimizer;
    optimizer.method = fields.choice<OptimizerSettings::Method>(
        "method", "adamw",
        {{"adamw", OptimizerSettings::Method::adamw}, {"muon", OptimizerSettings::Method::muon}});
    optimizer.beta1 = fields.number("beta1", 0.9, 0, 0.999999);
    optimizer.beta2 = fields.number("beta2", 0.95, 0, 0.999999);
    optimizer.epsilon = fields.number("epsilon", 1e-8, 0, 1);
    optimizer.weight_decay = fields.number("weight_decay", 0.1, 0, 10);
    optimizer.momentum = fields.number("momentum", 0.95, 0, 0.999999);
    optimizer.states = dtype_of(fields, "states", "float32");
    optimizer.master =
        fields.boolean("master", settings.dtype != at::kFloat && optimizer.states == at::kFloat);
    optimizer.seed = settings.seed;
    settings.clip = fields.number("clip", 1, 0, 1e9);
    whole.put("optimizer", fields.finish());
}

void read_schedule(SettingFields fields, SftSettings& settings, SettingFields& whole) {
    Schedule& schedule = settings.schedule;
    schedule.kind = fields.choice<Schedule::Kind>("kind", "cosine",
                                                  {{"constant", Schedule::Kind::constant},
                                                   {"linear", Schedule::Kind::linear},
                                                   {"cosine", Schedule::Kind::cosine},
                                                   {"wsd", Schedule::Kind::wsd}});
    schedule.peak = fields.number("learning_rate", 1e-5, 1e-12, 10);
    schedule.floor = fields.number("floor", 0, 0, 1);
    schedule.steps = settings.steps;
    schedule.warmup = fields.integer("warmup", settings.steps / 50, 0, settings.steps);
    schedule.decay = fields.integer("decay", settings.steps / 5, 0, settings.steps);
    schedule.check();
    whole.put("schedule", fields.finish());
}

}  // namespace

SftSettings read_sft_settings(const Json& configuration, const std::string& where) {
    SftSettings settings;
    SettingFields whole(configuration, where);
    read_run(whole.table("run"), settings, whole);
    read_model(whole.table("model"), settings, whole);
    read_lora(whole.table("lora"), settings, whole);
    read_data(whole.table("data"), settings, whole);
    read_optimizer(whole.table("optimizer"), settings, whole);
    read_schedule(whole.table("schedule"), settings, whole);
    SettingFields loss = whole.table("loss");
    settings.z_loss = loss.number("z", 0, 0, 1);
    whole.put("loss", loss.finish());
    settings.resolved = whole.finish();
    return settings;
}

}  // namespace tritonsmith::train
