#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "reward/reward.h"
#include "text/prompt/prompt_form.h"
#include "train/policy/advantages.h"
#include "train/policy/aggregation.h"
#include "train/policy/policy_loss.h"
#include "train/trainer/trainer_settings.h"

namespace tritonsmith::grpo {

struct TaskFiles {
    std::string name;
    std::vector<std::filesystem::path> files;
    double weight = 1;
    std::vector<std::string> difficulty = {};  ///< labels of the tasks that it has; none: all
    double opens_at = 0;  ///< pass rate of the source before it from which on it is asked
};

/// `train grpo`'s configuration: docs/training.md lists the fields.
struct Settings : train::TrainerSettings {
    std::string preset;
    // [tasks]
    int64_t prompts = 0;  ///< groups of a step
    enum class Prompt : uint8_t { code, card, both };
    Prompt prompt = Prompt::code;
    std::string target;
    text::PromptForm form = text::PromptForm::full;
    int longest_prompt = 0;  ///< tokens; tasks with a longer one are left out
    std::vector<TaskFiles> sources;
    // [rollout]
    int group = 0;  ///< samples of a prompt
    double temperature = 1, top_p = 1;
    int max_tokens = 0;
    int max_batch = 0;      ///< samples that are decoded at a time
    int64_t cache_mib = 0;  ///< of keys and values
    double deadline = 0;    ///< seconds without an answer after which the engine has failed
    bool dynamic = true;    ///< groups whose rewards are all equal are dropped
    int refills = 0;        ///< times that dropped groups are replaced in a step
    int turns = 1;  ///< answers of an episode: a rejected one is followed by feedback and the next one
    double discount = 0.4;  ///< γ: of the reward of the next turn
    int staleness = 0;  ///< steps by which the policy that samples may be older than the one that is trained
    // [curriculum]
    struct Curriculum {
        double low = 0, high = 1;  ///< measured pass rates of tasks that are asked
        double outside = 0.25;     ///< share of the draws of others that are asked all the same
        double memory = 0.5;       ///< how much of a task's rate is that of its newest group
    };
    Curriculum curriculum;
    // [evaluation]
    std::vector<std::filesystem::path>
        evaluation;              ///< tasks that nothing is learned from; none: no evaluation
    int64_t evaluate_every = 0;  ///< steps; 0: only before the first and behind the last
    int evaluation_samples = 0;  ///< of a task
    double evaluation_temperature = 1;
    // [judge]
    int jobs = 0;
    std::string judge_device;  ///< "cpu" or "cuda:N"
    bool relaxed = false;
    bool compile_baseline = false;
    bool estimate_speed = false;  ///< by the cost model, where nothing is timed
    double judge_deadline = 0;    ///< seconds of one judgement
    int retries = 0;              ///< after a failure of this machine
    uint64_t judge_seed = 0;      ///< of hidden inputs
    // [reward]
    enum class Check : uint8_t { judge, kernelbench };
    Check check = Check::judge;  ///< whose word on correctness rewards go by
    reward::Settings reward;
    // [loss]
    train::AdvantageSettings advantages;
    train::Aggregation aggregation;
    train::PolicyLossSettings loss;
    bool old_is_rollout = false;  ///< π_old are the engine's log-probabilities, instead of the trainer's
    int updates = 1;              ///< of the weights in a step, each by its share of the groups
    int64_t tokens = 0;           ///< of a batch, on the device at a time

    Json resolved;  ///< all fields with their values
};

/// What may differ when a run goes on: none of it changes what is computed, but how long it goes on.
const std::vector<std::string_view>& free_settings();

/// @param configuration as read from TOML  @param where its name in errors
/// @throws InputError that names the table, the field and the fix
Settings read_settings(const Json& configuration, const std::string& where);

}  // namespace tritonsmith::grpo
