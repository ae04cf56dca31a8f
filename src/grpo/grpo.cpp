#include "grpo/grpo.h"

#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <fmt/format.h>
#include <torch/headeronly/version.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/json.h"
#include "base/process/files.h"
#include "base/random.h"
#include "grpo/clock.h"
#include "grpo/collector.h"
#include "grpo/curriculum.h"
#include "grpo/evaluation.h"
#include "grpo/policy_update.h"
#include "grpo/sample_log.h"
#include "grpo/step_metrics.h"
#include "grpo/task_order.h"
#include "train/run_directory/metrics_log.h"
#include "train/trainer/memory_plan.h"
#include "train/trainer/run_folder.h"

namespace tritonsmith::grpo {
namespace {

/// Draws in a row that the curriculum may leave out.
constexpr int64_t most_skipped = 1000;

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
    const model::Model::Options options{
        .device = at::Device(settings.device), .dtype = settings.dtype, .plain = true, .copied = true};
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
          trainer_(settings,
                   train::checkpoint_to_resume(settings.folder, settings.resolved, options.resume,
                                               free_settings(), checkpoints_),
                   communicator_),
          reference_(make_reference(settings)),
          state_(trainer_.restored()),
          collector_(trainer_.model(), settings, prompter_, options.make_executor, options.judge,
                     communicator_.count() == 1 ? options.signal : nullptr) {
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
        tell(plan.text() + fmt::format("; keys and values {:.2f} GB",
                                       static_cast<double>(settings_.cache_mib << 20) / 1e9));
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

    Json head() const {
        return {{"kind", "grpo"},
                {"settings", settings_.resolved},
                {"parameters", trainer_.model().config().parameters()},
                {"torch", TORCH_VERSION},
                {"processes", communicator_.count()},
                {"threads", at::get_num_threads()}};
    }

    Result next_step() {
        const std::vector<int64_t> before = order_.position();
        const int64_t left_out_before = prompts_left_out_;
        ++state_.step;
        Json metrics;
        try {
            metrics = step();
        } catch (const Interrupted&) {
            // As if this step had not begun.
            --state_.step;
            order_.seek(before);
            prompts_left_out_ = left_out_before;
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
        AnswerCounts counts;
        tasks_left_out_ = 0;
        std::vector<Group> groups = groups_to_learn(time, counts);
        const auto training = Clock::now();
        Json metrics = update(groups);
        time.train = seconds_since(training);
        time.total = seconds_since(start);
        metrics["answers"] = counts.metrics(sum());
        metrics["time"] = to_json(time);
        metrics["prompts_left_out"] = prompts_left_out_;
        metrics["curriculum"] = curriculum_->metrics();
        metrics["curriculum"]["left_out"] = trainer_.sum_of_all(static_cast<double>(tasks_left_out_));
        return metrics;
    }

    /// Tokens that a prompt may have.
    int room() const {
        return std::min(settings_.longest_prompt, collector_.context_length() - settings_.max_tokens);
    }

    /// The next prompts that are short enough.
    std::vector<Group> next_groups(size_t count) {
        std::vector<Group> groups;
        int64_t too_long = 0, skipped = 0;
        while (groups.size() < count) {
            const TaskOrder::Place place = order_.next();
            // Where nearly all is out of the range, asking goes on with what there is.
            if (skipped < most_skipped && curriculum_->leaves_out(place)) {
                ++skipped;
                ++tasks_left_out_;
                continue;
            }
            Group group;
            group.place = place;
            group.number = place.number * communicator_.count() + communicator_.rank();
            group.seed = Random(settings_.seed, static_cast<uint64_t>(group.number)).next();
            group.task = &tasks_.sources[place.source][place.task];
            group.prompt = prompter_.prompt(*group.task);
            if (static_cast<int>(group.prompt.size()) <= room()) {
                groups.push_back(std::move(group));
                skipped = 0;
                continue;
            }
            ++prompts_left_out_;
            if (++too_long > 100'000)
                throw InputError(
                    fmt::format("tasks: 100000 prompts in a row have more than {} tokens: raise "
                                "tasks.longest, or lower rollout.max_tokens",
                                room()));
        }
        return groups;
    }

    /// Samples groups until there are as many to learn from as a step has, or refills are used up.
    std::vector<Group> groups_to_learn(StepTime& time, AnswerCounts& counts) {
        const auto wanted = static_cast<size_t>(settings_.prompts / communicator_.count());
        std::vector<Group> kept, all;
        for (int round = 0; round <= settings_.refills && kept.size() < wanted; ++round) {
            std::vector<Group> groups = next_groups(wanted - kept.size());
            collector_.collect(groups,
                               {.samples = settings_.group,
                                .temperature = settings_.temperature,
                                .top_p = settings_.top_p,
                                .turns = settings_.turns},
                               time);
            for (Group& group : groups) {
                weigh(group, settings_);
                counts.count(group);
                if (group.left_out.empty()) kept.push_back(group);
                all.push_back(std::move(group));
            }
        }
        samples_->write(state_.step, all);
        curriculum_->learn(state_.step, all, sum());
        order_.set_weights(curriculum_->weights());
        return kept;
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
                const auto scores = score(*reference_network_, examples, settings_.tokens);
                for (size_t i = 0; i < examples.size(); ++i) examples[i].reference = scores[i];
            }
            trainer_.clear_gradients();
            const UpdateSums sums = train_policy(trainer_, examples, settings_.loss, settings_.tokens);
            if (number == 0) mismatch = mismatch_of_update(sums);
            norm = trainer_.reduce_gradients();
            // Nothing to learn is no reason for weight decay and momentum to move the weights.
            if (trainer_.sum_of_all(sums.tokens) > 0)
                trainer_.update((state_.step - 1) * settings_.updates + number + 1, norm, rate);
            loss += trainer_.sum_of_all(sums.loss);
            tokens += trainer_.sum_of_all(sums.tokens);
            clipped += trainer_.sum_of_all(sums.clipped);
            surprise += trainer_.sum_of_all(sums.surprise);
            divergence += trainer_.sum_of_all(sums.divergence);
        }
        wait_for_device();
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
                                settings_.tokens));
        return old;
    }

    static train::Mismatch mismatch_of_update(const UpdateSums& sums) {
        return train::mismatch_of(at::tensor(sums.old), at::tensor(sums.rollout));
    }

    /// The engine's stream is another one than the trainer's.
    void wait_for_device() const {
        const at::Device device = trainer_.model().options().device;
        if (!device.is_cpu()) c10::impl::VirtualGuardImpl(device.type()).synchronizeDevice(device.index());
    }

    void save(bool best) {
        std::vector<std::vector<int64_t>> positions;
        for (int rank = 0; rank < communicator_.count(); ++rank) {
            std::vector<int64_t> position = order_.position();
            for (int64_t& number : position)
                number = static_cast<int64_t>(
                    trainer_.sum_of_all(rank == communicator_.rank() ? static_cast<double>(number) : 0));
            positions.push_back(std::move(position));
        }
        state_.data = {{"positions", positions}};
        state_.more = {{"prompts_left_out", prompts_left_out_}, {"tokens", tokens_}};
        if (evaluation_) state_.more["best"] = best_;
        if (!unfinished_.is_null()) state_.more["unfinished"] = unfinished_;
        trainer_.save(checkpoints_, state_, best);
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
    train::Trainer trainer_;
    std::optional<model::Model> reference_;
    std::optional<train::Network> reference_network_;
    train::TrainerState state_;
    Collector collector_;
    std::optional<train::MetricsLog> log_;
    std::optional<SampleLog> samples_;
    std::optional<Curriculum> curriculum_;
    int64_t tasks_left_out_ = 0;  ///< by the curriculum, in this step
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
