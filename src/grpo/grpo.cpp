#include "grpo/grpo.h"

#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/headeronly/version.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/json.h"
#include "base/process/files.h"
#include "grpo/collector.h"
#include "grpo/curriculum.h"
#include "grpo/evaluation.h"
#include "grpo/judging/clock.h"
#include "grpo/policy_update.h"
#include "grpo/sample_log.h"
#include "grpo/sampling_policy.h"
#include "grpo/step_metrics.h"
#include "grpo/step_sampler.h"
#include "grpo/task_order.h"
#include "train/run_directory/metrics_log.h"
#include "train/trainer/memory_plan.h"
#include "train/trainer/run_folder.h"

namespace tritonsmith::grpo {
namespace {

std::vector<size_t> sizes_of(const TaskSet& tasks) {
    std::vector<size_t> sizes;
    for (const auto& source : tasks.sources) sizes.push_back(source.size());
    return sizes;
}

std::vector<double> weights_of(const Settings& settings) {
    std::vector<double> weights;
    for (const TaskFiles& source : settings.sources) weights.push_back(source.weight);
    return weights;
}

std::vector<TrainingTask> load_held_out(const Settings& settings) {
    if (settings.evaluation.empty()) return {};
    return load_tasks({{"evaluation.files", settings.evaluation, 1}}).sources.front();
}

/// The model that training began with, where the loss holds on to it.
std::optional<model::Model> make_reference(const Settings& settings) {
    if (settings.loss.kl == 0) return std::nullopt;
    const model::Model::Options options{.device = at::Device(settings.device),
                                        .dtype = settings.dtype,
                                        .exact = settings.exact,
                                        .plain = true,
                                        .copied = true};
    if (settings.scratch)
        return model::Model::random(model::load_config(settings.model), options, settings.seed);
    return model::Model::load(settings.model, options);
}

class GrpoRun {
  public:
    GrpoRun(const Settings& settings, const Options& options)
        : settings_(settings),
          options_(options),
          alone_(options.communicator == nullptr ? train::single_communicator() : nullptr),
          communicator_(alone_ ? *alone_ : *options.communicator),
          checkpoints_(settings.folder / "checkpoints", settings.keep, communicator_),
          held_(load_held_out(settings)),
          tasks_(load_tasks(settings.sources)),
          removed_(remove_tasks(tasks_, held_, settings.sources)),
          prompter_(settings.model, settings),
          order_(sizes_of(tasks_), weights_of(settings), settings.seed, communicator_.rank(),
                 communicator_.count()),
          resumed_(train::checkpoint_to_resume(settings.folder, settings.resolved, options.resume,
                                               free_settings(), checkpoints_)),
          trainer_(settings, resumed_, communicator_),
          reference_(make_reference(settings)),
          state_(trainer_.restored()),
          collector_(sampling_policy(), settings, prompter_, options.make_executor, options.judge,
                     communicator_.count() == 1 ? options.signal : nullptr),
          sampler_(settings, tasks_, prompter_, order_, collector_, room(), communicator_.rank(),
                   communicator_.count()) {
        if (settings.prompts % communicator_.count() != 0)
            throw InputError(fmt::format("tasks: prompts is {}, and must be a multiple of the {} processes",
                                         settings.prompts, communicator_.count()));
        if (prompter_.tokenizer().size() > trainer_.model().config().vocabulary)
            throw InputError(fmt::format("{}: the tokenizer has {} tokens, and the model {}",
                                         settings.model.string(), prompter_.tokenizer().size(),
                                         trainer_.model().config().vocabulary));
        if (settings.max_tokens >= collector_.context_length())
            throw InputError(
                fmt::format("rollout: max_tokens is {}, and prompt and answer together may have {}",
                            settings.max_tokens, collector_.context_length()));
        if (!held_.empty())
            evaluation_.emplace(std::move(held_), settings, prompter_, room(), communicator_.rank(),
                                communicator_.count());
        if (reference_) reference_network_.emplace(*reference_, settings.recompute);
        if (state_.step > 0) {
            saved_ = state_.step;
            const Json& positions = state_.data.at("positions");
            if (positions.size() != static_cast<size_t>(communicator_.count()))
                throw InputError(fmt::format(
                    "{}: the run had {} processes, and now there are {}: each has tasks of its own; "
                    "resume with as many",
                    settings.folder.string(), positions.size(), communicator_.count()));
            order_.seek(positions.at(static_cast<size_t>(communicator_.rank())));
            prompts_left_out_ = state_.more.value("prompts_left_out", int64_t{0});
            tokens_ = state_.more.value("tokens", 0.0);
            best_ = state_.more.value("best", best_);
            unfinished_ = state_.more.value("unfinished", Json());
        }
    }

    Result run() {
        const train::MemoryPlan plan =
            plan_memory(trainer_.model().config(), settings_, settings_.tokens, communicator_.count());
        tell(
            plan.text() +
            fmt::format("; keys and values {:.2f} GB", static_cast<double>(settings_.cache_mib << 20) / 1e9) +
            (policy_ ? fmt::format("; weights that sample {:.2f} GB", static_cast<double>(plan.weights) / 1e9)
                     : std::string()));
        check_memory(plan, trainer_.model().options().device);
        communicator_.barrier();  // all have looked at the folder
        if (communicator_.rank() == 0) {
            write_file(settings_.folder / "run.json", dump(head(), 2) + "\n");
            log_.emplace(settings_.folder,
                         state_.step - (state_.step == 0 || !unfinished_.is_null() ? 1 : 0));
        }
        curriculum_.emplace(settings_, sizes_of(tasks_), state_.step, communicator_.rank(),
                            communicator_.count());
        order_.set_weights(curriculum_->weights());
        samples_.emplace(settings_.folder, state_.step, communicator_.rank(), communicator_.count());
        if (state_.step > 0) tell(fmt::format("goes on behind step {}", state_.step));
        if (removed_ > 0) tell(fmt::format("{} tasks of evaluation.files are not trained on", removed_));
        Result result{.steps = state_.step};
        if (state_.step == 0 && evaluation_) result.signal = evaluate_before();
        if (!unfinished_.is_null()) result = finish_step(std::exchange(unfinished_, Json()));
        while (state_.step < settings_.steps && result.signal == 0) result = next_step();
        return result;
    }

  private:
    void tell(const std::string& text) const {
        if (options_.tell && communicator_.rank() == 0) options_.tell(text);
    }
    std::function<double(double)> sum() const {
        return [this](double value) { return trainer_.sum_of_all(value); };
    }
    int signal() const { return options_.signal != nullptr ? options_.signal->load() : 0; }

    /// Makes it, where it is another one than the trained one.
    const model::Model& sampling_policy() {
        if (settings_.staleness == 0) return trainer_.model();
        return policy_.emplace(trainer_.model(), resumed_).model();
    }

    Json head() const {
        return {{"kind", "grpo"},
                {"settings", settings_.resolved},
                {"parameters", trainer_.model().config().parameters()},
                {"torch", TORCH_VERSION},
                {"processes", communicator_.count()},
                {"threads", at::get_num_threads()}};
    }

    Result next_step() {
        ++state_.step;
        Json metrics;
        try {
            metrics = step();
        } catch (const Interrupted&) {
            // As if this step had not begun.
            --state_.step;
            if (state_.step > 0 && saved_ != state_.step) save(false);
            return {.steps = state_.step, .signal = signal()};
        }
        return finish_step(std::move(metrics));
    }

    bool evaluates() const {
        return evaluation_ && (state_.step == settings_.steps || every(settings_.evaluate_every));
    }
    bool every(int64_t steps) const { return steps > 0 && state_.step % steps == 0; }

    /// Adds the evaluation to a step's metrics. @throws Interrupted
    void evaluate(Json& metrics) {
        const auto start = Clock::now();
        sampler_.wait();
        std::optional<SamplingPolicy::Renewed> renewed;
        if (policy_) renewed.emplace(*policy_);
        std::vector<Group> groups;
        metrics["evaluation"] = evaluation_->run(collector_, groups, sum());
        metrics["time"]["evaluation"] = seconds_since(start);
        samples_->write(state_.step, groups, "evaluation");
    }

    /// Of the model that training begins with. @return the signal that ended the run, or 0
    int evaluate_before() {
        try {
            Json metrics;
            evaluate(metrics);
            if (log_) log_->write(0, metrics);
        } catch (const Interrupted&) {
        }
        return trainer_.agreed_signal(signal());
    }

    /// What comes behind an update. @param metrics of the step without its evaluation
    Result finish_step(Json metrics) {
        bool best = false;
        if (evaluates()) {
            try {
                evaluate(metrics);
            } catch (const Interrupted&) {
                unfinished_ = metrics;  // goes on with the evaluation
                save(false);
                return {.steps = state_.step, .signal = signal()};
            }
            const double rate = metrics["evaluation"]["pass_rate"].get<double>();
            best = rate > best_;
            best_ = std::max(best_, rate);
        }
        const Result result{.steps = state_.step,
                            .reward = metrics["answers"]["reward"]["mean"].get<double>(),
                            .pass_rate = metrics["answers"]["pass_rate"].get<double>(),
                            .signal = trainer_.agreed_signal(signal())};
        if (log_) log_->write(state_.step, metrics);
        if (options_.on_step && communicator_.rank() == 0) options_.on_step(state_.step, metrics);
        if (state_.step == settings_.steps || result.signal != 0 || best || every(settings_.checkpoint_every))
            save(best);
        return result;
    }

    Json step() {
        const auto start = Clock::now();
        StepTime time;
        const StepSamples samples = sampler_.take(*curriculum_, time);
        const auto training = Clock::now();
        AnswerCounts counts;
        for (const Group& group : samples.all) counts.count(group);
        prompts_left_out_ += samples.prompts_left_out;
        samples_->write(state_.step, samples.all);
        curriculum_->learn(state_.step, samples.all, sum());
        order_.set_weights(curriculum_->weights());
        if (policy_) sample_ahead();
        Json metrics = update(samples.kept);
        metrics["staleness"] = state_.step == 1 ? 0 : settings_.staleness;
        time.train = seconds_since(training);
        time.total = seconds_since(start);
        metrics["answers"] = counts.metrics(sum());
        metrics["time"] = to_json(time);
        metrics["prompts_left_out"] = prompts_left_out_;
        metrics["curriculum"] = curriculum_->metrics();
        metrics["curriculum"]["left_out"] = trainer_.sum_of_all(static_cast<double>(samples.tasks_left_out));
        return metrics;
    }

    /// The next step's answers come from the policy before this step's update.
    void sample_ahead() {
        {
            const DeviceWork work(turn(), device());
            policy_->renew();
        }
        if (state_.step < settings_.steps) sampler_.begin(*curriculum_);
    }

    /// Answers of the next step are judged while the trainer works only where they are sampled ahead.
    TakeTurn turn() const { return policy_ ? options_.turn : TakeTurn(); }
    at::Device device() const { return trainer_.model().options().device; }

    /// Tokens that a prompt may have.
    int room() const {
        return std::min(settings_.longest_prompt, collector_.context_length() - settings_.max_tokens);
    }

    Json update(const std::vector<Group>& groups) {
        const double rate = settings_.schedule.at(state_.step);
        double loss = 0, norm = 0, tokens = 0, clipped = 0, surprise = 0, divergence = 0;
        train::Mismatch mismatch;
        const std::vector<std::vector<std::vector<float>>> old = old_scores(groups);
        for (int number = 0; number < settings_.updates; ++number) {
            std::vector<PolicyExample> examples = policy_examples(share(groups, number), settings_, sum());
            if (!old.empty())
                for (size_t i = 0; i < examples.size(); ++i)
                    examples[i].old = old[static_cast<size_t>(number)][i];
            if (settings_.old_is_rollout)
                for (PolicyExample& example : examples) example.old = example.rollout;
            if (reference_network_) {
                const auto scores = score(*reference_network_, examples, settings_.tokens, turn());
                for (size_t i = 0; i < examples.size(); ++i) examples[i].reference = scores[i];
            }
            trainer_.clear_gradients();
            const UpdateSums sums =
                train_policy(trainer_, examples, settings_.loss, settings_.tokens, turn());
            const DeviceWork work(turn(), device());
            if (number == 0) mismatch = mismatch_of_update(sums);
            norm = trainer_.reduce_gradients();
            // Nothing to learn is no reason for weight decay and momentum to move the weights.
            if (trainer_.sum_of_all(sums.tokens) > 0)
                trainer_.update((state_.step - 1) * settings_.updates + number + 1, norm, rate);
            trainer_.finish_update();  // the engine reads the weights, and processes' passes are not as many
            loss += trainer_.sum_of_all(sums.loss);
            tokens += trainer_.sum_of_all(sums.tokens);
            clipped += trainer_.sum_of_all(sums.clipped);
            surprise += trainer_.sum_of_all(sums.surprise);
            divergence += trainer_.sum_of_all(sums.divergence);
        }
        wait_for(device());  // the engine's stream is another one than the trainer's
        tokens_ += tokens;
        const double count = std::max(tokens, 1.0);
        Json metrics = {
            {"loss", loss / settings_.updates},
            {"gradient_norm", norm},
            {"learning_rate", rate},
            {"groups", trainer_.sum_of_all(static_cast<double>(groups.size()))},
            {"targets", tokens},
            {"tokens", tokens_},
            {"clipped", clipped / count},
            {"entropy", surprise / count},
            {"mismatch",
             {{"kl", mismatch.kl}, {"largest", mismatch.largest}, {"effective", mismatch.effective}}}};
        if (settings_.loss.kl > 0) metrics["kl"] = divergence / count;
        return metrics;
    }

    /// The groups of one update.
    std::vector<Group> share(const std::vector<Group>& groups, int number) const {
        const size_t first =
                         groups.size() * static_cast<size_t>(number) / static_cast<size_t>(settings_.updates),
                     end = groups.size() * static_cast<size_t>(number + 1) /
                           static_cast<size_t>(settings_.updates);
        return {groups.begin() + static_cast<std::ptrdiff_t>(first),
                groups.begin() + static_cast<std::ptrdiff_t>(end)};
    }

    /// The trainer's log-probabilities before the first update, for each update's examples. Empty where the
    /// only update has them itself.
    std::vector<std::vector<std::vector<float>>> old_scores(const std::vector<Group>& groups) {
        std::vector<std::vector<std::vector<float>>> old;
        if (settings_.updates == 1 || settings_.old_is_rollout) return old;
        for (int number = 0; number < settings_.updates; ++number)
            old.push_back(score(trainer_.network(), policy_examples(share(groups, number), settings_, sum()),
                                settings_.tokens, turn()));
        return old;
    }

    static train::Mismatch mismatch_of_update(const UpdateSums& sums) {
        return train::mismatch_of(at::tensor(sums.old), at::tensor(sums.rollout));
    }

    void save(bool best) {
        std::vector<std::vector<int64_t>> positions;
        for (int rank = 0; rank < communicator_.count(); ++rank) {
            std::vector<int64_t> position = sampler_.position();
            for (int64_t& number : position)
                number = static_cast<int64_t>(
                    trainer_.sum_of_all(rank == communicator_.rank() ? static_cast<double>(number) : 0));
            positions.push_back(std::move(position));
        }
        state_.data = {{"positions", positions}};
        state_.more = {{"prompts_left_out", prompts_left_out_}, {"tokens", tokens_}};
        if (evaluation_) state_.more["best"] = best_;
        if (!unfinished_.is_null()) state_.more["unfinished"] = unfinished_;
        trainer_.save(checkpoints_, state_, best, policy_ ? &policy_->model() : nullptr);
        saved_ = state_.step;
    }

    const Settings& settings_;
    const Options& options_;
    std::unique_ptr<train::Communicator> alone_;
    train::Communicator& communicator_;
    train::Checkpoints checkpoints_;
    std::vector<TrainingTask> held_;  ///< tasks of evaluation, until there is one
    TaskSet tasks_;
    const size_t removed_;  ///< tasks that evaluation holds too
    Prompter prompter_;
    TaskOrder order_;
    const std::optional<std::filesystem::path> resumed_;  ///< a checkpoint
    train::Trainer trainer_;
    std::optional<model::Model> reference_;
    std::optional<train::Network> reference_network_;
    train::TrainerState state_;
    std::optional<SamplingPolicy> policy_;  ///< that samples, where it is not the trained one
    Collector collector_;
    std::optional<train::MetricsLog> log_;
    std::optional<SampleLog> samples_;
    std::optional<Curriculum> curriculum_;
    StepSampler sampler_;  ///< reads the curriculum in a thread
    std::optional<Evaluation> evaluation_;
    double best_ = -1;              ///< pass rate of the evaluations so far
    Json unfinished_;               ///< metrics of a step whose evaluation was interrupted
    int64_t saved_ = -1;            ///< step of the last checkpoint
    double tokens_ = 0;             ///< that were learned
    int64_t prompts_left_out_ = 0;  ///< too long, of this process
};

}  // namespace

Result run_grpo(const Settings& settings, const Options& options) {
    return GrpoRun(settings, options).run();
}

}  // namespace tritonsmith::grpo
