#include "judge/task/reference_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <memory>
#include <optional>
#include <random>

#include "judge/services/worker_findings.h"
#include "judge/task/input_settings.h"
#include "plan/analysis/arg_scores.h"
#include "plan/analysis/exact.h"
#include "plan/analysis/flow.h"

namespace tritonsmith::judge {

namespace {

/// What one run of the reference gave: not yet turned into bounds.
using SetRun = std::variant<run::ReferenceResult, run::WorkerError, std::string>;

/// What a run of the reference is asked for.
struct Asked {
    uint64_t seed = 0, weights_seed = 0;
    run::Variant variant;
    bool wide = false, numbers_only = false;
};

InputSet input_set(run::ReferenceResult result, const Asked& asked, BoundOptions bounds,
                   const std::vector<plan::ArgScores>& scores) {
    InputSet set{asked.seed, asked.weights_seed, asked.variant, std::move(result.inputs),
                 {},         asked.numbers_only};
    bounds.longest_reduction = result.longest_reduction;
    bounds.decides = bounds.decides || !result.rounding.empty();
    bounds.wide = asked.wide;
    bounds.uneven = asked.variant.uneven();
    auto values = [](const run::Pack& pack, const std::string& name) -> std::optional<Elements> {
        const run::PackEntry* entry = pack.find(name);
        return entry ? std::optional(elements(pack, *entry)) : std::nullopt;
    };
    auto output_of = [&](const run::PackEntry& entry) {
        std::optional<Elements> native = values(result.native, entry.name);
        if (!native) throw MachineError("the worker's answer lacks " + entry.name);
        ReferenceOutput output{entry.name,
                               elements(result.f64, entry),
                               std::move(*native),
                               values(result.absolute, entry.name),
                               {}};
        for (const run::Pack& pack : result.perturbed)
            if (std::optional<Elements> perturbed = values(pack, entry.name))
                output.perturbed.push_back(std::move(*perturbed));
        return output;
    };
    auto compared_by = [&](const std::string& name) -> std::optional<ComparedValues> {
        for (const plan::ArgScores& found : scores) {
            if (name != "output/" + std::to_string(found.output)) continue;
            const run::PackEntry* entry = result.f64.find("scores/" + std::to_string(found.output));
            if (entry && result.native.find(entry->name))
                return ComparedValues{output_of(*entry), found.dimension, found.open};
        }
        return std::nullopt;
    };
    for (const run::PackEntry& entry : result.f64.entries()) {
        if (entry.name.starts_with("scores/")) continue;
        const std::optional<ComparedValues> compared = compared_by(entry.name);
        set.expected.push_back(make_expected(output_of(entry), bounds, compared ? &*compared : nullptr));
        Expected& expected = set.expected.back();
        expected.left_out = asked.numbers_only || (expected.meaningless && !asked.variant.own());
    }
    return set;
}

/// Settings of InputSets::few.
constexpr size_t kFew = 2;

/// A reference on one set after the other, as calls of one module; bounds are worked out meanwhile.
class Runner {
  public:
    Runner(const plan::Plan& cpu, const Options& options, Services& services, InputSets which)
        : cpu_(cpu),
          bounds_{.tolerance = options.tolerance,
                  .precision = options.precision,
                  .chooses = plan::chooses(cpu),
                  .decides = plan::decides(cpu)},
          scores_(plan::arg_scores(cpu)),
          options_(options),
          services_(services),
          few_(which != InputSets::all),
          once_(which == InputSets::own),
          seeds_(options.seed ? *options.seed : std::random_device{}() * uint64_t{0x9E3779B97F4A7C15}) {
        out_.stateful = !plan::carried_buffers(cpu, {}).empty();
    }

    std::variant<ReferenceRuns, Finding> run() {
        new_module();
        std::vector<InputSetting> settings = input_settings(cpu_);
        if (few_) settings.resize(std::min(settings.size(), once_ ? size_t{1} : kFew));
        Asked own{seeds_(), weights_seed_, settings[0].tries[0], settings[0].wide};
        if (std::optional<Finding> fatal = run_own(own)) return *fatal;
        for (size_t i = 1; i < settings.size(); ++i) attempt(settings[i]);
        if (once_) return finished();
        // The answer to the first inputs may be another by now.
        if (out_.stateful)
            attempt(own);
        else
            out_.modules.back().push_back(0);
        if (!cpu_.weights.empty() && !few_) {
            for (const InputSetting& setting : weight_settings(cpu_)) {
                new_module();
                attempt(setting);
            }
        } else if (sets_.size() < 2) {
            // Every task is seen on at least two draws, so that an answer that belongs to one draw is not
            // enough.
            new_module();
            attempt({seeds_(), weights_seed_, {}, false});
        }
        std::erase_if(out_.modules, [](const std::vector<size_t>& calls) { return calls.empty(); });
        return finished();
    }

  private:
    std::variant<ReferenceRuns, Finding> finished() {
        for (auto& set : sets_) {
            out_.sets.push_back(std::move(*set.get()));
            const InputSet& made = out_.sets.back();
            for (const Expected& expected : made.expected)
                if (expected.left_out && !made.numbers_only)
                    out_.left_out.push_back(expected.name + " with " + run::describe(made.variant));
        }
        if (once_) return std::move(out_);
        if (std::optional<Finding> degenerate = find_degeneracy(out_.sets)) return *degenerate;
        return std::move(out_);
    }

    void new_module() {
        weights_seed_ = seeds_();
        state_.reset();
        out_.modules.emplace_back();
    }

    SetRun run_set(const Asked& asked) {
        run::ReferenceRequest request;
        request.plan = &cpu_;
        request.seed = asked.seed;
        request.weights_seed = asked.weights_seed;
        request.redraw = redraw_;
        request.redraw_state = redraw_state_;
        request.variant = asked.variant;
        request.threads = options_.threads;
        request.precision = options_.precision;
        if (out_.stateful) request.want.emplace_back("state");
        if (state_) request.state = &*state_;
        auto worker = services_.reference_workers.borrow();
        auto outcome = ask_worker([&] { return worker->reference(request); });
        if (auto* error = std::get_if<run::WorkerError>(&outcome)) return *error;
        auto& result = std::get<run::ReferenceResult>(outcome);
        if (!result.finite) return std::string("the float64 reference is not finite");
        return std::move(result);
    }

    void add(run::ReferenceResult result, const Asked& asked) {
        if (out_.stateful) state_ = std::move(result.state);
        out_.modules.back().push_back(sets_.size());
        sets_.push_back(std::async(std::launch::async, [result = std::move(result), asked, this]() mutable {
            return std::make_shared<InputSet>(input_set(std::move(result), asked, bounds_, scores_));
        }));
    }

    /// What redrawn weights make impossible is not asked.
    std::optional<Finding> run_own(const Asked& own) {
        SetRun outcome = run_set(own);
        if (!std::holds_alternative<run::ReferenceResult>(outcome)) {
            std::string kept_ones = "buffers and computed parameters";
            redraw_state_ = false;
            SetRun kept = run_set(own);
            if (!std::holds_alternative<run::ReferenceResult>(kept)) {
                kept_ones = "weights";
                redraw_ = false;
                kept = run_set(own);
            }
            if (!std::holds_alternative<run::ReferenceResult>(kept)) return fatal(outcome);
            outcome = std::move(kept);
            out_.skipped_variants.push_back("redrawn " + kept_ones +
                                            ": the reference fails, and they keep their values");
        }
        auto& result = std::get<run::ReferenceResult>(outcome);
        out_.rounding = result.rounding;
        add(std::move(result), own);
        return std::nullopt;
    }

    static Finding fatal(const SetRun& outcome) {
        if (auto* error = std::get_if<run::WorkerError>(&outcome))
            return reference_finding(*error, "the reference does not run");
        return {"task_error", "the reference's own output is not finite on its own inputs", 0,
                Json::object()};
    }

    void attempt(const InputSetting& setting) {
        bool kept_one = false;  // one input's domain is no reason for many sets that say little
        for (const run::Variant& variant : setting.tries) {
            if (kept_one && !variant.kept.empty()) continue;
            if (!attempt(
                    {seeds_(), weights_seed_, variant, setting.wide && !variant.own(), setting.numbers_only}))
                continue;
            if (all_compared(variant)) break;
            kept_one = kept_one || !variant.kept.empty();
        }
    }

    /// Of the last set. Empty rows, and inputs far beyond what another one can take, may be all that is left
    /// to say of an output: a tamer set says the rest.
    bool all_compared(const run::Variant& variant) const {
        using Constants = run::Variant::Constants;
        if (variant.constants != Constants::empty && variant.constants != Constants::anywhere &&
            variant.kept.empty())
            return true;
        const std::vector<Expected>& expected = sets_.back().get()->expected;
        return std::none_of(expected.begin(), expected.end(), [](const Expected& e) { return e.left_out; });
    }

    /// False where the reference does not stay finite, though it does on its own inputs.
    bool attempt(const Asked& asked) {
        SetRun outcome = run_set(asked);
        if (auto* result = std::get_if<run::ReferenceResult>(&outcome)) {
            add(std::move(*result), asked);
            return true;
        }
        auto* error = std::get_if<run::WorkerError>(&outcome);
        // What the machine failed at says nothing of the set.
        if (error) (void)reference_finding(*error, "the reference does not run");
        out_.skipped_variants.push_back(fmt::format("{}: {}", run::describe(asked.variant),
                                                    error ? error->message : std::get<std::string>(outcome)));
        return false;
    }

    const plan::Plan& cpu_;
    const BoundOptions bounds_;
    const std::vector<plan::ArgScores> scores_;
    const Options& options_;
    Services& services_;
    const bool few_, once_;
    std::mt19937_64 seeds_;
    ReferenceRuns out_;
    uint64_t weights_seed_ = 0;
    bool redraw_ = true, redraw_state_ = true;
    std::optional<run::Pack> state_;  ///< what the call before left
    std::vector<std::shared_future<std::shared_ptr<InputSet>>> sets_;
};

}  // namespace

std::variant<ReferenceRuns, Finding> run_reference(const plan::Plan& cpu, const Options& options,
                                                   Services& services, InputSets which) {
    return Runner(cpu, options, services, which).run();
}

}  // namespace tritonsmith::judge
