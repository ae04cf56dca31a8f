#include "train/sft/sft.h"

#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/headeronly/version.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "base/json.h"
#include "base/process/files.h"
#include "train/checkpoint/adapter_files.h"
#include "train/checkpoint/checkpoint.h"
#include "train/data/batch_queue.h"
#include "train/data/evaluation_set.h"
#include "train/network/arithmetic.h"
#include "train/optimizer/gradients.h"
#include "train/optimizer/sharded_optimizer.h"
#include "train/run_directory/metrics_log.h"
#include "train/sft/memory_plan.h"
#include "train/sft/supervised.h"

namespace tritonsmith::train {
namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point start) {
    return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

/// Steps without a finite gradient before the run gives up.
constexpr int most_skipped_steps = 10;
/// Batches that are read ahead: more than a window of packing gives, so that one is filled while the one
/// before is trained on.
constexpr size_t batches_ahead = 64;

model::Model make_model(const SftSettings& settings, const std::optional<fs::path>& checkpoint) {
    const model::Model::Options options{
        .device = at::Device(settings.device), .dtype = settings.dtype, .plain = true, .copied = true};
    if (checkpoint && settings.lora_rank == 0) return model::Model::load(*checkpoint, options);
    if (settings.scratch)
        return model::Model::random(model::load_config(settings.model), options, settings.seed);
    return model::Model::load(settings.model, options);
}

/// Adapters, where the settings ask for them: new ones, or a checkpoint's.
std::optional<Adapters> make_adapters(const model::Model& model, const SftSettings& settings,
                                      const std::optional<fs::path>& checkpoint) {
    if (settings.lora_rank == 0) return std::nullopt;
    Adapters adapters = new_adapters(model, settings.lora_rank, settings.lora_alpha, settings.seed);
    if (checkpoint) read_adapters(*checkpoint / "adapter", adapters);
    return adapters;
}

/// Zero; none of weights that stay.
model::Weights make_gradients(const model::Model& model, const SftSettings& settings) {
    if (settings.lora_rank == 0) return zero_gradients(model, settings.gradients);
    model::Weights none;
    none.layers.resize(model.weights().layers.size());
    return none;
}

/// What may differ when a run goes on: none of it changes what is computed, but how long it goes on.
constexpr std::string_view free_settings[] = {"/run/folder",         "/run/steps",   "/run/device",
                                              "/run/evaluate_every", "/run/keep",    "/run/checkpoint_every",
                                              "/run/peak_tflops",    "/data/threads"};

/// @throws InputError where the run in this folder began with other settings
void check_same_run(const SftSettings& settings) {
    const fs::path path = settings.folder / "run.json";
    const std::optional<Json> head = parse_untrusted_json(read_file(path, "the run's settings", 16 << 20));
    if (!head || !head->is_object() || !head->contains("settings"))
        throw InputError(path.string() + ": is damaged; name another folder");
    const Json before = (*head)["settings"].flatten(), now = settings.resolved.flatten();
    for (const Json& all : {before, now})
        for (const auto& [name, value] : all.items()) {
            if (std::find(std::begin(free_settings), std::end(free_settings), name) !=
                std::end(free_settings))
                continue;
            const Json was = before.value(name, Json()), is = now.value(name, Json());
            if (was != is)
                throw InputError(fmt::format("{}: the run began with {} = {}, and this configuration says {}",
                                             path.string(), name.substr(1), dump(was), dump(is)));
        }
}

/// The folder of a run, before anything is written into it.
std::optional<fs::path> checkpoint_to_resume(const SftSettings& settings, const SftOptions& options,
                                             const Checkpoints& checkpoints) {
    std::error_code error;
    const bool used = fs::exists(settings.folder / "run.json", error);
    if (!used && fs::exists(settings.folder, error) && !fs::is_empty(settings.folder, error))
        throw InputError(
            fmt::format("{}: is not empty and holds no run; name another folder", settings.folder.string()));
    if (used && !options.resume)
        throw InputError(
            fmt::format("{}: holds a run; give --resume to go on with it, or name another folder",
                        settings.folder.string()));
    if (used) check_same_run(settings);
    return options.resume ? checkpoints.last() : std::nullopt;
}

class SftRun {
  public:
    SftRun(const SftSettings& settings, const SftOptions& options)
        : settings_(settings),
          options_(options),
          alone_(options.communicator == nullptr ? single_communicator() : nullptr),
          communicator_(alone_ ? *alone_ : *options.communicator),
          checkpoints_(settings.folder / "checkpoints", settings.keep, communicator_),
          checkpoint_(checkpoint_to_resume(settings, options, checkpoints_)),
          model_(make_model(settings, checkpoint_)),
          adapters_(make_adapters(model_, settings, checkpoint_)),
          network_(model_, settings.recompute, adapters_ ? &*adapters_ : nullptr),
          gradients_(make_gradients(model_, settings)),
          adapter_gradients_(adapters_ ? std::optional(zero_gradients(*adapters_, settings.gradients))
                                       : std::nullopt),
          optimizer_(
              adapters_ ? parameters_of(*adapters_, *adapter_gradients_) : parameters_of(model_, gradients_),
              settings.optimizer, communicator_) {
        if (settings.micro_batches % communicator_.count() != 0)
            throw InputError(
                fmt::format("data: micro_batches is {}, and must be a multiple of the {} processes",
                            settings.micro_batches, communicator_.count()));
        const auto maker = std::make_shared<const ExampleMaker>(settings.model);
        if (maker->tokenizer().size() > model_.config().vocabulary)
            throw InputError(fmt::format("{}: the tokenizer has {} tokens, and the model {}",
                                         settings.model.string(), maker->tokenizer().size(),
                                         model_.config().vocabulary));
        if (settings.data.longest > model_.config().positions)
            throw InputError(fmt::format("data: longest is {}, and the model's max_position_embeddings {}",
                                         settings.data.longest, model_.config().positions));
        if (checkpoint_) state_ = restore(*checkpoint_, optimizer_.share(), communicator_);
        if (!settings.evaluation.empty())
            for (const Batch& batch :
                 evaluation_set(settings.evaluation, settings.evaluation_batches, settings.data, *maker))
                evaluation_.push_back(on_device(batch, model_.options().device));
        BatchStream stream(settings.data, maker);
        if (!state_.data.is_null()) stream.seek(state_.data);
        if (state_.more.is_object()) {
            best_ = state_.more.value("best", best_);
            tokens_ = state_.more.value("tokens", tokens_);
        }
        queue_.emplace(std::move(stream), batches_ahead);
    }

    SftResult run() {
        const MemoryPlan plan = plan_memory(model_.config(), settings_, communicator_.count());
        tell(plan.text());
        check_memory(plan, model_.options().device);
        communicator_.barrier();  // all have looked at the folder
        std::optional<MetricsLog> log;
        if (communicator_.rank() == 0) {
            write_file(settings_.folder / "run.json", dump(head(), 2) + "\n");
            log.emplace(settings_.folder, state_.step);
        }
        if (checkpoint_) tell(fmt::format("goes on behind step {}", state_.step));
        SftResult result{.steps = state_.step};
        while (state_.step < settings_.steps && result.signal == 0) {
            ++state_.step;
            Json metrics = step();
            result = {.steps = state_.step, .loss = metrics["loss"].get<double>(), .signal = agreed_signal()};
            const bool last = state_.step == settings_.steps;
            bool best = false;
            if (!evaluation_.empty() && (last || every(settings_.evaluate_every))) {
                const double loss = evaluate();
                metrics["evaluation"] = {{"loss", loss}};
                best = loss < best_;
                best_ = std::min(best_, loss);
            }
            if (log) log->write(state_.step, metrics);
            if (options_.on_step && communicator_.rank() == 0) options_.on_step(state_.step, metrics);
            if (last || result.signal != 0 || best || every(settings_.checkpoint_every)) save(best);
        }
        return result;
    }

  private:
    bool every(int64_t steps) const { return steps > 0 && state_.step % steps == 0; }
    void tell(const std::string& text) const {
        if (options_.tell && communicator_.rank() == 0) options_.tell(text);
    }
    double sum_of_all(double value) const {
        if (communicator_.count() == 1) return value;
        at::Tensor sum =
            at::full({1}, value, at::TensorOptions().dtype(at::kFloat).device(model_.options().device));
        communicator_.all_reduce(sum);
        return sum.item<double>();
    }
    /// A signal that any of the processes got: all end behind the same step.
    int agreed_signal() const {
        const int own = options_.signal != nullptr ? options_.signal->load() : 0;
        const double sum = sum_of_all(own), got = sum_of_all(own != 0 ? 1 : 0);
        return got > 0 ? static_cast<int>(sum / got) : 0;
    }
    /// Whether this process computes the step's batch number `index`.
    bool is_own(int64_t index) const { return index % communicator_.count() == communicator_.rank(); }

    Json head() const {
        return {{"kind", "sft"},
                {"settings", settings_.resolved},
                {"parameters", model_.config().parameters()},
                {"torch", TORCH_VERSION},
                {"processes", communicator_.count()},
                {"threads", at::get_num_threads()}};
    }

    Json step() {
        const auto start = SteadyClock::now();
        std::vector<DeviceBatch> batches;
        int64_t tokens = 0, targets = 0;
        double arithmetic = 0;
        Json counts;
        for (int64_t i = 0; i < settings_.micro_batches; ++i) {
            const Batch batch = queue_->next();
            tokens += static_cast<int64_t>(batch.tokens.size());
            targets += batch.targets;
            arithmetic += arithmetic_of(model_.config(), batch.lengths, batch.targets, adapters_.has_value());
            counts = batch.counts;
            state_.data = batch.place;
            if (is_own(i)) batches.push_back(on_device(batch, model_.options().device));
        }
        const double data = seconds_since(start);
        const CrossEntropy loss{.targets = static_cast<double>(std::max<int64_t>(targets, 1)),
                                .z = settings_.z_loss};
        optimizer_.clear_gradients();
        double value = 0;
        for (const DeviceBatch& batch : batches)
            value += train_batch(network_, batch, loss, gradients_,
                                 adapter_gradients_ ? &*adapter_gradients_ : nullptr);
        value = sum_of_all(value);
        const double norm = optimizer_.reduce_gradients();
        const double passes = seconds_since(start) - data;
        const double rate = settings_.schedule.at(state_.step);
        update(norm, rate);
        const double seconds = seconds_since(start);
        tokens_ += tokens;
        Json metrics = {
            {"loss", value},
            {"gradient_norm", norm},
            {"learning_rate", rate},
            {"tokens", tokens_},
            {"targets", targets},
            {"tokens_per_second", static_cast<double>(tokens) / seconds},
            {"filled", static_cast<double>(tokens) /
                           static_cast<double>(settings_.data.budget * settings_.micro_batches)},
            {"time", {{"data", data}, {"passes", passes}, {"optimizer", seconds - data - passes}}},
            {"data", counts}};
        metrics["tflops"] = arithmetic / seconds / 1e12;
        if (settings_.peak_tflops > 0) metrics["mfu"] = arithmetic / seconds / 1e12 / settings_.peak_tflops;
        return metrics;
    }

    /// A gradient that is not finite changes nothing: one bad batch must not end a run, but ten in a row do.
    void update(double norm, double rate) {
        if (std::isfinite(norm)) {
            skipped_ = 0;
            optimizer_.step(state_.step, rate, clip_scale(norm, settings_.clip));
            return;
        }
        if (++skipped_ == most_skipped_steps)
            throw InputError(
                fmt::format("step {}: the gradients of {} steps in a row were not finite; lower "
                            "schedule.learning_rate, or resume "
                            "an earlier checkpoint",
                            state_.step, skipped_));
    }

    double evaluate() const {
        double sum = 0, targets = 0;
        for (size_t i = 0; i < evaluation_.size(); ++i) {
            targets += static_cast<double>(evaluation_[i].targets.rows.size(0));
            if (is_own(static_cast<int64_t>(i))) sum += evaluate_batch(network_, evaluation_[i]);
        }
        return sum_of_all(sum) / std::max(targets, 1.0);
    }

    void save(bool best) {
        state_.more = {{"tokens", tokens_}};
        if (std::isfinite(best_)) state_.more["best"] = best_;
        checkpoints_.save(model_, adapters_ ? &*adapters_ : nullptr, optimizer_.share(), state_,
                          settings_.model, best);
    }

    const SftSettings& settings_;
    const SftOptions& options_;
    std::unique_ptr<Communicator> alone_;
    Communicator& communicator_;
    Checkpoints checkpoints_;
    std::optional<fs::path> checkpoint_;
    model::Model model_;
    std::optional<Adapters> adapters_;
    Network network_;
    model::Weights gradients_;
    std::optional<Adapters> adapter_gradients_;
    ShardedOptimizer optimizer_;
    TrainerState state_;
    std::vector<DeviceBatch> evaluation_;
    std::optional<BatchQueue> queue_;
    double best_ = std::numeric_limits<double>::infinity();
    int64_t tokens_ = 0;
    int skipped_ = 0;
};

}  // namespace

SftResult run_sft(const SftSettings& settings, const SftOptions& options) {
    return SftRun(settings, options).run();
}

}  // namespace tritonsmith::train
