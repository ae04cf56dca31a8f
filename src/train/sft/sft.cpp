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
#include "train/checkpoint/checkpoint.h"
#include "train/data/batch_queue.h"
#include "train/data/evaluation_set.h"
#include "train/network/arithmetic.h"
#include "train/run_directory/metrics_log.h"
#include "train/sft/supervised.h"
#include "train/trainer/memory_plan.h"
#include "train/trainer/run_folder.h"
#include "train/trainer/trainer.h"

namespace tritonsmith::train {
namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point start) {
    return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

/// Batches that are read ahead: more than a window of packing gives, so that one is filled while the one
/// before is trained on.
constexpr size_t batches_ahead = 64;

/// What may differ when a run goes on: none of it changes what is computed, but how long it goes on.
const std::vector<std::string_view> free_settings = {
    "/run/folder",           "/run/steps",       "/run/device", "/run/zero",    "/run/evaluate_every",
    "/run/checkpoint_every", "/run/peak_tflops", "/run/keep",   "/run/overlap", "/data/threads"};

/// The batches of one step, of which this process's own are on its device.
struct StepBatches {
    std::vector<DeviceBatch> own;
    int64_t tokens = 0, targets = 0;  ///< of all processes
    double arithmetic = 0;
    Json counts, place;  ///< of the last batch
};

class SftRun {
  public:
    SftRun(const SftSettings& settings, const SftOptions& options)
        : settings_(settings),
          options_(options),
          alone_(options.communicator == nullptr ? single_communicator() : nullptr),
          communicator_(alone_ ? *alone_ : *options.communicator),
          checkpoints_(settings.folder / "checkpoints", settings.keep, communicator_),
          trainer_(settings,
                   checkpoint_to_resume(settings.folder, settings.resolved, options.resume, free_settings,
                                        checkpoints_),
                   communicator_),
          state_(trainer_.restored()) {
        if (settings.micro_batches % communicator_.count() != 0)
            throw InputError(
                fmt::format("data: micro_batches is {}, and must be a multiple of the {} processes",
                            settings.micro_batches, communicator_.count()));
        const auto maker = std::make_shared<const ExampleMaker>(settings.model);
        if (maker->tokenizer().size() > trainer_.model().config().vocabulary)
            throw InputError(fmt::format("{}: the tokenizer has {} tokens, and the model {}",
                                         settings.model.string(), maker->tokenizer().size(),
                                         trainer_.model().config().vocabulary));
        if (settings.data.longest > trainer_.model().config().positions)
            throw InputError(fmt::format("data: longest is {}, and the model's max_position_embeddings {}",
                                         settings.data.longest, trainer_.model().config().positions));
        if (!settings.evaluation.empty())
            for (const Batch& batch :
                 evaluation_set(settings.evaluation, settings.evaluation_batches, settings.data, *maker))
                evaluation_.push_back(on_device(batch, trainer_.model().options().device));
        BatchStream stream(settings.data, maker);
        if (!state_.data.is_null()) stream.seek(state_.data);
        if (state_.more.is_object()) {
            best_ = state_.more.value("best", best_);
            tokens_ = state_.more.value("tokens", tokens_);
        }
        queue_.emplace(std::move(stream), batches_ahead);
    }

    SftResult run() {
        const MemoryPlan plan =
            plan_memory(trainer_.model().config(), settings_, settings_.data.budget, communicator_.count());
        tell(plan.text());
        check_memory(plan, trainer_.model().options().device);
        communicator_.barrier();  // all have looked at the folder
        std::optional<MetricsLog> log;
        if (communicator_.rank() == 0) {
            write_file(settings_.folder / "run.json", dump(head(), 2) + "\n");
            log.emplace(settings_.folder, state_.step);
        }
        if (state_.step > 0) tell(fmt::format("goes on behind step {}", state_.step));
        SftResult result{.steps = state_.step};
        while (state_.step < settings_.steps && result.signal == 0) {
            ++state_.step;
            Json metrics = step();
            result = {.steps = state_.step, .loss = metrics["loss"].get<double>(), .signal = agreed_signal_};
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
    int own_signal() const { return options_.signal != nullptr ? options_.signal->load() : 0; }
    /// Whether this process computes the step's batch number `index`.
    bool is_own(int64_t index) const { return index % communicator_.count() == communicator_.rank(); }

    Json head() const {
        return {{"kind", "sft"},
                {"settings", settings_.resolved},
                {"parameters", trainer_.model().config().parameters()},
                {"torch", TORCH_VERSION},
                {"processes", communicator_.count()},
                {"threads", at::get_num_threads()}};
    }

    StepBatches next_batches() {
        StepBatches batches;
        for (int64_t i = 0; i < settings_.micro_batches; ++i) {
            Batch batch = queue_->next();
            batches.tokens += static_cast<int64_t>(batch.tokens.size());
            batches.targets += batch.targets;
            batches.arithmetic += arithmetic_of(trainer_.model().config(), batch.lengths, batch.targets,
                                                trainer_.has_adapters());
            if (is_own(i)) batches.own.push_back(on_device(batch, trainer_.model().options().device));
            batches.counts = std::move(batch.counts);
            batches.place = std::move(batch.place);
        }
        return batches;
    }

    /// Forward and backward of all batches. @return [3] float64 on the device: their loss, a signal that this
    /// process got, whether it got one
    at::Tensor run_passes(const StepBatches& batches) {
        const CrossEntropy loss{.targets = static_cast<double>(std::max<int64_t>(batches.targets, 1)),
                                .z = settings_.z_loss};
        trainer_.clear_gradients();
        at::Tensor results =
            at::zeros({3}, at::TensorOptions().dtype(at::kDouble).device(trainer_.model().options().device));
        for (size_t i = 0; i < batches.own.size(); ++i) {
            if (i + 1 == batches.own.size()) trainer_.begin_last_pass();
            results[0].add_(train_batch(trainer_.network(), batches.own[i], loss, trainer_.gradients(),
                                        trainer_.adapter_gradients()));
        }
        if (const int signal = own_signal(); signal != 0) {
            results[1].fill_(signal);
            results[2].fill_(1);
        }
        return results;
    }

    Json step() {
        const auto start = SteadyClock::now();
        double data = 0;
        const auto read = [&] {
            const auto from = SteadyClock::now();
            StepBatches batches = next_batches();
            data += seconds_since(from);
            return batches;
        };
        const StepBatches batches = ahead_ ? std::move(*ahead_) : read();
        ahead_.reset();
        const at::Tensor results = run_passes(batches);
        // While the device computes.
        if (state_.step < settings_.steps) ahead_ = read();
        const double norm = trainer_.reduce_gradients(results);
        const at::Tensor on_host = results.cpu();
        const auto* sums = on_host.const_data_ptr<double>();
        const double value = sums[0], passes = seconds_since(start) - data;
        state_.data = batches.place;
        const double rate = settings_.schedule.at(state_.step);
        trainer_.update(state_.step, norm, rate);
        // Of one process's own signal also what came meanwhile.
        agreed_signal_ = communicator_.count() == 1 ? own_signal()
                         : sums[2] > 0              ? static_cast<int>(std::lround(sums[1] / sums[2]))
                                                    : 0;
        const double seconds = seconds_since(start);
        tokens_ += batches.tokens;
        Json metrics = {
            {"loss", value},
            {"gradient_norm", norm},
            {"learning_rate", rate},
            {"tokens", tokens_},
            {"targets", batches.targets},
            {"tokens_per_second", static_cast<double>(batches.tokens) / seconds},
            {"filled", static_cast<double>(batches.tokens) /
                           static_cast<double>(settings_.data.budget * settings_.micro_batches)},
            {"time", {{"data", data}, {"passes", passes}, {"optimizer", seconds - data - passes}}},
            {"data", batches.counts}};
        metrics["tflops"] = batches.arithmetic / seconds / 1e12;
        if (settings_.peak_tflops > 0)
            metrics["mfu"] = batches.arithmetic / seconds / 1e12 / settings_.peak_tflops;
        return metrics;
    }

    double evaluate() const {
        double sum = 0, targets = 0;
        for (const DeviceBatch& batch : evaluation_)
            targets += static_cast<double>(batch.targets.rows.size(0));
        const auto count = static_cast<size_t>(communicator_.count());
        for (size_t first = 0; first < evaluation_.size(); first += count) {
            // All make a pass, as divided layers demand, also where there is no batch left for one.
            const size_t own = first + static_cast<size_t>(communicator_.rank());
            const bool there = own < evaluation_.size();
            const double loss = evaluate_batch(trainer_.network(), evaluation_[there ? own : first]);
            if (there) sum += loss;
        }
        return trainer_.sum_of_all(sum) / std::max(targets, 1.0);
    }

    void save(bool best) {
        state_.more = {{"tokens", tokens_}};
        if (std::isfinite(best_)) state_.more["best"] = best_;
        trainer_.save(checkpoints_, state_, best);
    }

    const SftSettings& settings_;
    const SftOptions& options_;
    std::unique_ptr<Communicator> alone_;
    Communicator& communicator_;
    Checkpoints checkpoints_;
    Trainer trainer_;
    TrainerState state_;
    std::vector<DeviceBatch> evaluation_;
    std::optional<BatchQueue> queue_;
    std::optional<StepBatches> ahead_;  ///< of the next step
    int agreed_signal_ = 0;
    double best_ = std::numeric_limits<double>::infinity();
    int64_t tokens_ = 0;
};

}  // namespace

SftResult run_sft(const SftSettings& settings, const SftOptions& options) {
    return SftRun(settings, options).run();
}

}  // namespace tritonsmith::train
