#include "grpo/settings.h"

#include <algorithm>
#include <string_view>
#include <thread>

#include "grpo/presets.h"
#include "train/data/row_stream.h"
#include "train/settings/setting_fields.h"

namespace tritonsmith::grpo {
namespace {

using train::SettingFields;

constexpr train::TrainerDefaults defaults{
    .checkpoint_every = 20, .schedule = "constant", .learning_rate = 1e-6, .weight_decay = 0};
constexpr int64_t many = int64_t{1} << 40;

const Preset& preset_of(SettingFields& whole) {
    return *whole.choice<const Preset*>(
        "preset", "tritonsmith",
        {{"tritonsmith", &tritonsmith}, {"autotriton", &autotriton}, {"tritonrl", &tritonrl}});
}

void read_tasks(SettingFields fields, Settings& settings, SettingFields& whole, const Preset& preset) {
    settings.prompts = fields.integer("prompts", preset.prompts, 1, 1 << 20);
    settings.prompt = fields.choice<Settings::Prompt>("prompt", "code",
                                                      {{"code", Settings::Prompt::code},
                                                       {"card", Settings::Prompt::card},
                                                       {"both", Settings::Prompt::both}});
    settings.target = fields.text("target", "sm_90");
    settings.form = text::prompt_form_of(settings.model);
    settings.longest_prompt = static_cast<int>(fields.integer("longest", 4096, 1, 1 << 20));
    Json sources = Json::array();
    for (SettingFields& source : fields.tables("sources")) {
        const std::string files = source.text("files", std::nullopt);
        TaskFiles& one = settings.sources.emplace_back();
        one.files = train::matching_files(files);
        one.name = source.text("name", files);
        one.weight = source.number("weight", 1, 1e-9, 1e9);
        one.difficulty = source.texts("difficulty", {});
        one.opens_at = source.number("opens_at", 0, 0, 1);
        if (one.opens_at > 0 && settings.sources.size() == 1)
            source.wrong("opens_at", "is a pass rate of the source before it, and this is the first");
        sources.push_back(source.finish());
    }
    if (sources.empty()) fields.wrong("sources", "is missing: [[tasks.sources]] with files = \"...\"");
    fields.put("sources", sources);
    whole.put("tasks", fields.finish());
}

void read_rollout(SettingFields fields, Settings& settings, SettingFields& whole, const Preset& preset) {
    const bool cpu = settings.device == "cpu";
    settings.group = static_cast<int>(fields.integer("group", preset.group, 2, 4096));
    settings.temperature = fields.number("temperature", 1, 0, 100);
    settings.top_p = fields.number("top_p", 1, 1e-6, 1);
    settings.max_tokens = static_cast<int>(fields.integer("max_tokens", preset.max_tokens, 1, 1 << 20));
    settings.max_batch = static_cast<int>(fields.integer("max_batch", cpu ? 64 : 256, 1, 4096));
    settings.cache_mib = fields.integer("cache_mib", cpu ? 256 : 8192, 1, 1 << 30);
    settings.deadline = fields.number("deadline", 600, 0.01, 1e6);
    settings.dynamic = fields.boolean("dynamic", preset.dynamic);
    settings.refills = static_cast<int>(fields.integer("refills", settings.dynamic ? 2 : 0, 0, 1000));
    settings.turns = static_cast<int>(fields.integer("turns", 1, 1, 64));
    settings.discount = fields.number("discount", 0.4, 0, 1);
    settings.staleness = static_cast<int>(fields.integer("staleness", 0, 0, 1));
    settings.exact = fields.boolean("exact", false);
    if (settings.exact && !cpu)
        fields.wrong("exact",
                     "must be false on a GPU, whose kernels for decoding add up in another order than those "
                     "for training");
    if (settings.exact && settings.staleness > 0)
        fields.wrong(
            "exact",
            "must be false where staleness is 1: another policy samples than the one that is trained");
    whole.put("rollout", fields.finish());
}

void read_curriculum(SettingFields fields, Settings& settings, SettingFields& whole) {
    Settings::Curriculum& curriculum = settings.curriculum;
    curriculum.low = fields.number("low", curriculum.low, 0, 1);
    curriculum.high = fields.number("high", curriculum.high, curriculum.low, 1);
    curriculum.outside = fields.number("outside", curriculum.outside, 0, 1);
    curriculum.memory = fields.number("memory", curriculum.memory, 1e-6, 1);
    whole.put("curriculum", fields.finish());
}

void read_evaluation(SettingFields fields, Settings& settings, SettingFields& whole) {
    const std::string files = fields.text("files", "");
    if (!files.empty()) settings.evaluation = train::matching_files(files);
    settings.evaluate_every = fields.integer("every", 20, 0, many);
    settings.evaluation_samples = static_cast<int>(fields.integer("samples", 4, 1, 4096));
    settings.evaluation_temperature = fields.number("temperature", settings.temperature, 0, 100);
    const Json& resolved = fields.finish();
    if (!files.empty()) whole.put("evaluation", resolved);
}

void read_judge(SettingFields fields, Settings& settings, SettingFields& whole) {
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    settings.jobs = static_cast<int>(fields.integer("jobs", cores + (cores + 3) / 4, 1, 1024));
    settings.judge_device = fields.text("device", "cpu");
    if (settings.judge_device != "cpu" && !std::string_view(settings.judge_device).starts_with("cuda:"))
        fields.wrong("device", "must be \"cpu\" or \"cuda:N\"");
    const bool timed = settings.judge_device != "cpu";
    settings.relaxed = fields.boolean("relaxed", false);
    settings.compile_baseline = fields.boolean("compile_baseline", timed);
    settings.estimate_speed = fields.boolean("estimate_speed", !timed);
    settings.judge_deadline = fields.number("deadline", 600, 0.01, 1e6);
    settings.retries = static_cast<int>(fields.integer("retries", 2, 0, 100));
    settings.judge_seed =
        static_cast<uint64_t>(fields.integer("seed", static_cast<int64_t>(settings.seed), 0, many));
    whole.put("judge", fields.finish());
}

void read_reward(SettingFields fields, Settings& settings, SettingFields& whole, const Preset& preset) {
    settings.check = fields.choice<Settings::Check>(
        "check", "judge", {{"judge", Settings::Check::judge}, {"kernelbench", Settings::Check::kernelbench}});
    reward::Settings& reward = settings.reward;
    reward.kind = fields.choice<reward::Kind>("kind", preset.reward,
                                              {{"autotriton", reward::Kind::autotriton},
                                               {"hrd", reward::Kind::hrd},
                                               {"uniform", reward::Kind::uniform},
                                               {"milestones", reward::Kind::milestones}});
    reward.rule = fields.boolean("rule", true);
    reward.alpha = fields.number("alpha", reward.alpha, 0, 100);
    reward.beta = fields.number("beta", reward.beta, 0, 1);
    reward.cap = fields.number("cap", reward.cap, 0, 1e6);
    reward.valid = fields.number("valid", reward.valid, 0, 1);
    reward.compiled = fields.number("compiled", reward.compiled, 0, 1);
    reward.speeds = fields.numbers("speeds", reward.speeds, 0, 1e6);
    reward.speed_step = fields.number("speed_step", reward.speed_step, 0, 100);
    reward.format = fields.number("format", 0, 0, 100);
    reward.overlong.longest = settings.max_tokens;
    reward.overlong.buffer = static_cast<int>(fields.integer(
        "overlong_buffer", preset.overlong ? settings.max_tokens / 5 : 0, 0, settings.max_tokens));
    whole.put("reward", fields.finish());
}

void read_loss(SettingFields fields, Settings& settings, SettingFields& whole, const Preset& preset) {
    using Loss = train::PolicyLossSettings;
    using Form = train::Aggregation::Form;
    using Baseline = train::AdvantageSettings::Baseline;
    settings.advantages.baseline = fields.choice<Baseline>(
        "baseline", "mean", {{"mean", Baseline::mean}, {"leave_one_out", Baseline::leave_one_out}});
    settings.advantages.deviation = fields.boolean("deviation", preset.deviation);
    settings.aggregation.form = fields.choice<Form>(
        "aggregation", preset.aggregation,
        {{"token_mean", Form::token_mean}, {"sequence_mean", Form::sequence_mean}, {"fixed", Form::fixed}});
    settings.aggregation.horizon = fields.number("horizon", settings.max_tokens, 1, 1e9);
    Loss& loss = settings.loss;
    loss.ratio = fields.choice<Loss::Ratio>(
        "ratio", "token", {{"token", Loss::Ratio::token}, {"sequence", Loss::Ratio::sequence}});
    loss.objective = fields.choice<Loss::Objective>(
        "objective", "clip", {{"clip", Loss::Objective::clip}, {"cispo", Loss::Objective::cispo}});
    loss.clip_low = fields.number("clip_low", 0.2, 0, 1);
    loss.clip_high = fields.number("clip_high", preset.clip_high, 0, 1e6);
    loss.dual_clip = fields.number("dual_clip", 0, 0, 1e6);
    if (loss.dual_clip != 0 && loss.dual_clip <= 1) fields.wrong("dual_clip", "must be 0 or above 1");
    loss.kl = fields.number("kl", preset.kl, 0, 1e3);
    loss.kl_form = fields.choice<Loss::Kl>(
        "kl_form", "k3", {{"k1", Loss::Kl::k1}, {"k2", Loss::Kl::k2}, {"k3", Loss::Kl::k3}});
    loss.importance_cap = fields.number("importance_cap", preset.importance_cap, 0, 1e6);
    settings.old_is_rollout = fields.choice<bool>("old", "trainer", {{"trainer", false}, {"rollout", true}});
    if (settings.staleness > 0 && loss.importance_cap == 0 && !settings.old_is_rollout)
        fields.wrong(
            "importance_cap",
            "must be above 0, or old \"rollout\", where rollout.staleness is 1: an earlier policy sampled");
    settings.updates = static_cast<int>(fields.integer("updates", 1, 1, settings.prompts));
    settings.tokens = fields.integer("tokens", 16384, 2, int64_t{1} << 24);
    whole.put("loss", fields.finish());
}

}  // namespace

const std::vector<std::string_view>& free_settings() {
    static const std::vector<std::string_view> free = {
        "/run/folder",           "/run/steps",  "/run/device",     "/run/zero",      "/run/keep",
        "/run/checkpoint_every", "/judge/jobs", "/judge/deadline", "/judge/retries", "/rollout/deadline",
        "/evaluation/every",     "/run/overlap"};
    return free;
}

Settings read_settings(const Json& configuration, const std::string& where) {
    Settings settings;
    SettingFields whole(configuration, where);
    const Preset& preset = preset_of(whole);
    settings.preset = preset.name;
    SettingFields run = whole.table("run");
    train::read_run(run, settings, defaults);
    if (settings.zero == train::TrainerSettings::Zero::layers)
        run.wrong("zero", "must be \"states\": answers are sampled from whole weights");
    whole.put("run", run.finish());
    train::read_model(whole.table("model"), settings, whole);
    if (settings.device == "cpu" && settings.dtype != at::kFloat)
        throw InputError(where +
                         ": [model]: dtype must be \"float32\" on the CPU, where answers are sampled "
                         "from the weights that are trained");
    read_tasks(whole.table("tasks"), settings, whole, preset);
    read_rollout(whole.table("rollout"), settings, whole, preset);
    read_curriculum(whole.table("curriculum"), settings, whole);
    read_evaluation(whole.table("evaluation"), settings, whole);
    read_judge(whole.table("judge"), settings, whole);
    read_reward(whole.table("reward"), settings, whole, preset);
    read_loss(whole.table("loss"), settings, whole, preset);
    train::read_optimizer(whole.table("optimizer"), settings, whole, defaults);
    train::read_schedule(whole.table("schedule"), settings, whole, defaults);
    settings.resolved = whole.finish();
    return settings;
}

}  // namespace tritonsmith::grpo
