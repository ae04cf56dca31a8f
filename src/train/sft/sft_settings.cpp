#include "train/sft/sft_settings.h"

#include <algorithm>
#include <thread>

#include "train/settings/setting_fields.h"

namespace tritonsmith::train {
namespace {

constexpr TrainerDefaults defaults;
constexpr int64_t many = int64_t{1} << 40;

void read_run_of_sft(SettingFields fields, SftSettings& settings, SettingFields& whole) {
    read_run(fields, settings, defaults);
    settings.evaluate_every = fields.integer("evaluate_every", 100, 0, many);
    settings.peak_tflops = fields.number("peak_tflops", 0, 0, 1e9);
    whole.put("run", fields.finish());
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

}  // namespace

SftSettings read_sft_settings(const Json& configuration, const std::string& where) {
    SftSettings settings;
    SettingFields whole(configuration, where);
    read_run_of_sft(whole.table("run"), settings, whole);
    read_model(whole.table("model"), settings, whole);
    read_lora(whole.table("lora"), settings, whole);
    read_data(whole.table("data"), settings, whole);
    read_optimizer(whole.table("optimizer"), settings, whole, defaults);
    read_schedule(whole.table("schedule"), settings, whole, defaults);
    SettingFields loss = whole.table("loss");
    settings.z_loss = loss.number("z", 0, 0, 1);
    whole.put("loss", loss.finish());
    settings.resolved = whole.finish();
    return settings;
}

}  // namespace tritonsmith::train
