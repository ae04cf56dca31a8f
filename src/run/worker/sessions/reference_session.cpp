#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "plan/analysis/exact.h"
#include "plan/analysis/reduction.h"
#include "plan/ir/json.h"
#include "plan/transform/absolute.h"
#include "plan/transform/promote.h"
#include "run/client/pack_writer.h"
#include "run/worker/exec/constant_inputs.h"
#include "run/worker/exec/executor.h"
#include "run/worker/exec/named_inputs.h"
#include "run/worker/exec/nonfinite_inputs.h"
#include "run/worker/exec/redraw.h"
#include "run/worker/memory/poison.h"
#include "run/worker/oracle/expected.h"
#include "run/worker/oracle/oracle.h"
#include "run/worker/oracle/perturbation.h"
#include "run/worker/sessions/device_pack.h"
#include "run/worker/sessions/library_precision.h"
#include "run/worker/sessions/requests.h"
#include "run/worker/sessions/timed_plan.h"
#include "run/worker/sessions/timing_request.h"
#include "run/worker/step_error.h"
#include "run/worker/torch_types.h"

namespace tritonsmith::run {
namespace {

/// One draw of hidden inputs and weights, and what the reference makes of it.
struct ReferenceSet {
    uint64_t seed = 0, weights_seed = 0;
    Variant variant;
    /// On the task's own distribution every output is compared, whatever the bound says.
    bool left_out(const ExpectedOutput& output) const { return output.meaningless && !variant.own(); }
    BoundOptions bounds;
    std::vector<ExpectedOutput> expected;
    std::optional<DevicePack> inputs;  ///< kept where there is room
    Json seconds = Json::object();     ///< of each part

    static ReferenceSet from(const Json& json, const Json& tolerance) {
        ReferenceSet set;
        set.seed = json.at("seed").get<uint64_t>();
        set.weights_seed = json.at("weights_seed").get<uint64_t>();
        set.variant = variant_from_json(json.at("variant"));
        set.bounds.wide = json.at("wide").get<bool>();
        set.bounds.uneven = set.variant.uneven();
        set.bounds.tolerance = {tolerance.at("f32").get<double>(), tolerance.at("low").get<double>()};
        return set;
    }
};

using NamedValues = std::vector<std::pair<std::string, at::Tensor>>;

/// Contiguous copies.
NamedValues copies(const NamedTensors& tensors, Memory& memory) {
    NamedValues out;
    for (const auto& [name, tensor] : tensors)
        out.emplace_back(name, memory.view(tensor).clone(at::MemoryFormat::Contiguous));
    return out;
}

/// The same of memory that nothing changes any more: a device's is held where it lies.
NamedValues kept(const NamedTensors& tensors, Memory& memory) {
    if (memory.device().is_cpu()) return copies(tensors, memory);
    NamedValues out;
    for (const auto& [name, tensor] : tensors) out.emplace_back(name, memory.view(tensor).contiguous());
    return out;
}

constexpr int64_t kLarge = int64_t{256}
                           << 20;  ///< bytes of an output, from which on what is expected is compact

class ReferenceSession : public Session {
  public:
    ReferenceSession(const Json& request, WorkerState& state, Json& answer)
        : accelerator_(*state.accelerator), plan_(plan::from_json(request.at("plan"))) {
        at::NoGradGuard no_grad;
        precision_ = precision_of(request);
        const auto start = Clock::now();
        budget_ = request.at("budget_bytes").get<int64_t>();
        carried_ = plan::carried_buffers(plan_, {});
        kept_buffers_ = kept_buffers(plan_, {});
        oracle_ = plan::promote(plan_, rounding_);
        magnitudes_ =
            plan::absolute(oracle_, [this](const plan::AtenStep& step) { return terms_.given(step); });
        longest_ = plan::longest_reduction(plan_);
        perturbed_runs_ = perturbed_runs(plan_, precision_);
        chooses_ = plan::chooses(plan_);
        decides_ = plan::decides(plan_) || !rounding_.empty();
        convolves_ = std::any_of(plan_.steps.begin(), plan_.steps.end(), [](const plan::Step& step) {
            const auto* aten = std::get_if<plan::AtenStep>(&step.what);
            return aten && numerics::is_convolution(*aten);
        });
        writes_inputs_ = !written_inputs(plan_, {}).empty();
        answer["sets"] = Json::array();
        for (const Json& json : request.at("sets")) {
            ReferenceSet set = ReferenceSet::from(json, request.at("tolerance"));
            const bool finite = run_set(set);
            int64_t bytes = 0;
            Json left_out = Json::array();
            for (ExpectedOutput& output : set.expected) {
                bytes += output.bytes();
                if (set.left_out(output)) left_out.push_back(output.name);
            }
            const bool spilled = kept_ + bytes > budget_;
            if (spilled)
                for (ExpectedOutput& output : set.expected) output.spill();
            else
                kept_ += bytes;
            answer["sets"].push_back({{"finite", finite},
                                      {"expected_bytes", bytes},
                                      {"spilled", spilled},
                                      {"left_out", left_out},
                                      {"seconds", set.seconds}});
            sets_.push_back(std::move(set));
            accelerator_.trim();
            if (!finite && sets_.size() == 1) break;  // the task's own inputs: nothing can be judged
        }
        answer["random"] = random_;
        answer["stateful"] = stateful_;
        answer["mutated"] = mutated_;
        answer["rounding"] = rounding_;
        answer["longest_reduction"] = longest_;
        answer["seconds"] = std::chrono::duration<double>(Clock::now() - start).count();
    }

    Json answer(const std::string& what, const Json& request, std::vector<Fd>& descriptors,
                std::vector<Fd>& files) override {
        at::NoGradGuard no_grad;
        if (what == "inputs") return inputs(request, files);
        if (what == "compare") return compare_answer(request, descriptors);
        if (what == "prepare") return prepare(request);
        if (what == "release") {
            release();
            accelerator_.trim();
            return {{"ok", true}};
        }
        if (what == "time") {
            const LibraryPrecision timed(
                timed_precision_);  // a graph holds its kernels; without one they are chosen again
            return time_request(request, timed_.get(), files);
        }
        throw InputError("\"do\": '" + what + "' is nothing that a reference's session does");
    }

  private:
    Instance make(const ReferenceSet& set) {
        ExecutorOptions options;
        options.seed = set.seed;
        options.construction_seed = set.weights_seed;
        options.variant = set.variant;
        options.poison = fresh_poison();
        options.precision = precision_;  // on the CPU; a GPU's libraries are told
        Instance made;
        made.executor =
            std::make_unique<Executor>(plan_, options, accelerator_.memory(plan_, options.poison, false));
        // An integer that leaves its table would cost the device's worker: buffers are for the small size.
        auto redraw =
            std::make_shared<Redraw>(plan_, made.executor->memory(), set.weights_seed, false, set.variant);
        made.executor->after_step = [redraw = redraw.get()](int step) { redraw->after(step); };
        made.hooks = std::move(redraw);
        return made;
    }

    void set_up(Instance& instance, const ReferenceSet& set) {
        instance.executor->run_setup();
        vary_constant_inputs(plan_, instance.executor->memory(), set.seed, set.variant);
        add_nonfinite_inputs(plan_, instance.executor->memory(), set.seed, set.variant);
        add_named_inputs(plan_, instance.executor->memory(), set.seed, set.variant);
    }

    /// False where an output is not finite, in float64 or in its own dtype.
    bool run_set(ReferenceSet& set) {
        NamedValues native;
        Left left;
        bool finite = true;
        Infinities infinities;
        auto lap = [start = Clock::now(), this]() mutable {
            accelerator_.synchronize(std::nullopt);
            return std::chrono::duration<double>(Clock::now() - std::exchange(start, Clock::now())).count();
        };
        std::optional<ForwardState> given;
        {
            Instance instance = make(set);
            Executor& executor = *instance.executor;
            set_up(instance, set);
            keep_inputs(set, executor.memory());
            load_state(plan_, state_.native, executor.memory());
            given.emplace(plan_, executor.memory());
            const LibraryPrecision as_asked(precision_);
            NamedValues before;
            if (writes_inputs_) before = copies(input_tensors(plan_), executor.memory());
            executor.run_forward();
            random_ = random_ || executor.forward_draws();
            if (writes_inputs_)
                note_mutated(changed_since([&](size_t i) { return before[i].second; }, input_tensors(plan_),
                                           executor.memory()));
            finite = all_finite(plan_, executor.memory(), infinities) &&
                     all_finite(kept_buffers_, executor.memory());
            native = kept(with(results(plan_, mutated_), kept_buffers_), executor.memory());
            if (finite) left.native = state_of(plan_, executor.memory());
        }
        set.seconds["native"] = lap();
        if (!finite) return without_inputs(set);
        if (!state_.native.empty() && !std::exchange(asked_for_state_, true)) {
            const LibraryPrecision as_asked(precision_);
            stateful_ = depends_on_state(set, native);
        }
        const NamedValues exact = promoted(
            oracle_, set, *given, false, state_.exact, [&](Executor& oracle) { terms_.keep(oracle); },
            &left.exact,
            [&](const plan::Plan& plan, Memory& memory) { finite = all_finite(plan, memory, infinities); });
        set.seconds["f64"] = lap();
        if (!finite) return without_inputs(set);
        NamedValues scale = promoted(
            magnitudes_, set, *given, true, state_.magnitudes,
            [&](Executor& magnitudes) { terms_.raise(magnitudes); }, &left.magnitudes);
        for (size_t i = 0; i < scale.size(); ++i) make_compact(scale[i].second, native[i].second);
        set.seconds["magnitudes"] = lap();
        std::vector<OtherRoundings> others(exact.size());
        left.perturbed.resize(static_cast<size_t>(perturbed_runs_));
        state_.perturbed.resize(left.perturbed.size());
        for (int run = 0; run < perturbed_runs_; ++run) {
            Perturbation perturbation(plan_, precision_, set.seed, run);
            const NamedValues perturbed = promoted(
                oracle_, set, *given, false, state_.perturbed[static_cast<size_t>(run)],
                [&](Executor& oracle) { perturbation.attach(oracle); },
                &left.perturbed[static_cast<size_t>(run)]);
            for (size_t i = 0; i < exact.size(); ++i) others[i].add(exact[i].second, perturbed[i].second);
        }
        set.seconds["perturbed"] = lap();
        BoundOptions bounds = set.bounds;
        bounds.longest_reduction = longest_;
        bounds.precision = precision_;
        bounds.chooses = chooses_;
        bounds.decides = decides_;
        for (size_t i = 0; i < native.size(); ++i) {
            bounds.compact = static_cast<int64_t>(native[i].second.nbytes()) > kLarge;
            const at::Tensor& s = scale[i].second;
            set.expected.push_back(expect(native[i].first, exact[i].second, native[i].second,
                                          s.sizes() == exact[i].second.sizes() ? s : at::Tensor(), others[i],
                                          bounds, where_));
        }
        set.seconds["bounds"] = lap();
        state_ = std::move(left);
        return true;
    }

    /// Magnitudes in float32 where a large output is no wider, rounded up: they are there for long.
    static void make_compact(at::Tensor& magnitudes, const at::Tensor& native) {
        if (magnitudes.scalar_type() != at::kDouble || native.element_size() > 4 ||
            static_cast<int64_t>(native.nbytes()) <= kLarge)
            return;
        at::Tensor out = magnitudes.to(at::kFloat);
        magnitudes = out.mul_(1 + 0x1p-22);
    }

    using State = std::vector<std::pair<int, at::Tensor>>;
    /// What a call leaves for the next one in buffers that are no inputs: in the reference's own dtypes,
    /// exactly, and as magnitudes. A sequence of calls is one computation: what rounding did to the sums of
    /// earlier calls is relative to their terms, not to what is left of them; and other roundings of earlier
    /// calls are still in what they have left.
    struct Left {
        State native, exact, magnitudes;
        std::vector<State> perturbed;  ///< by run
    };
    State state_of(const plan::Plan& plan, Memory& memory) {
        State out;
        for (int buffer : carried_)
            if (memory.live(buffer))
                out.emplace_back(buffer, memory.view(whole_buffer(plan, buffer)).clone());
        return out;
    }
    static void load_state(const plan::Plan& plan, const State& state, Memory& memory) {
        for (const auto& [buffer, bytes] : state)
            if (memory.live(buffer)) memory.view(whole_buffer(plan, buffer)).copy_(bytes);
    }

    /// The same call of a new module gives another answer.
    bool depends_on_state(const ReferenceSet& set, const NamedValues& native) {
        Instance fresh = make(set);
        set_up(fresh, set);
        fresh.executor->run_forward();
        const NamedValues alone = copies(results(plan_, mutated_), fresh.executor->memory());
        for (size_t i = 0; i < alone.size(); ++i)
            if (!alone[i].second.reshape({-1}).view(at::kByte).equal(
                    native[i].second.reshape({-1}).view(at::kByte)))
                return true;
        return false;
    }

    /// One set's inputs may be such that what changes them leaves them as they are.
    void note_mutated(const std::vector<std::string>& names) {
        for (const std::string& name : names)
            if (std::find(mutated_.begin(), mutated_.end(), name) == mutated_.end()) mutated_.push_back(name);
        std::sort(mutated_.begin(), mutated_.end());
    }

    /// The reference in float64, or on magnitudes.
    /// @param given inputs and weights @param before what calls on earlier sets left @param hooks called with
    /// the executor before its forward phase
    /// @param left what it leaves
    NamedValues promoted(const plan::Plan& plan, const ReferenceSet& set, const ForwardState& given,
                         bool magnitudes, const State& before, const auto& hooks, State* left = nullptr,
                         const std::function<void(const plan::Plan&, Memory&)>& look = {}) {
        ExecutorOptions options;
        options.seed = set.seed;
        options.poison = fresh_poison();
        options.equivalents = true;
        Executor executor(plan, options, accelerator_.memory(plan, options.poison, false));
        given.load(plan, executor.memory(), magnitudes);
        load_state(plan, before, executor.memory());
        const WithoutCudnn convolutions(convolves_);
        hooks(executor);
        executor.run_forward();
        if (look) look(plan, executor.memory());
        if (left) *left = state_of(plan, executor.memory());
        return kept(with(results(plan, mutated_), kept_buffers_of(plan, kept_buffers_)), executor.memory());
    }

    ReferenceSet& set_of(const Json& request) {
        const auto index = request.at("set").get<size_t>();
        if (index >= sets_.size()) throw InputError("\"set\": there is no set " + std::to_string(index));
        return sets_[index];
    }

    /// For candidates, and for timing, where there is room.
    void keep_inputs(ReferenceSet& set, Memory& memory) {
        const NamedTensors named = given_tensors(plan_);
        int64_t bytes = 0;
        for (const auto& [name, tensor] : named)
            bytes += plan::element_count(tensor) * plan::element_size(tensor.dtype);
        if (kept_ + bytes > budget_) return;
        set.inputs = pack_tensors(accelerator_, named, memory);
        kept_ += set.inputs->size();
    }

    /// Of a set that nobody will ask for. @return false
    bool without_inputs(ReferenceSet& set) {
        if (set.inputs) kept_ -= set.inputs->size();
        set.inputs.reset();
        return false;
    }

    DevicePack draw_inputs(const ReferenceSet& set) {
        Instance instance = make(set);
        set_up(instance, set);
        DevicePack pack = pack_tensors(accelerator_, given_tensors(plan_), instance.executor->memory());
        accelerator_.synchronize(std::nullopt);
        return pack;
    }

    Json inputs(const Json& request, std::vector<Fd>& files) {
        ReferenceSet& set = set_of(request);
        if (request.value("host", false)) return host_inputs(set, files);
        std::optional<DevicePack> passing;
        if (!set.inputs) passing = draw_inputs(set);
        const DevicePack& pack = passing ? *passing : *set.inputs;
        files.push_back(duplicate(pack.memory.fd));
        return {
            {"ok", true}, {"kept", !passing}, {"inputs", {{"index", pack.index()}, {"bytes", pack.size()}}}};
    }

    Json host_inputs(const ReferenceSet& set, std::vector<Fd>& files) {
        Instance instance = make(set);
        set_up(instance, set);
        PackWriter pack;
        write_pack(pack, given_tensors(plan_), instance.executor->memory());
        files.push_back(pack.seal());
        return {{"ok", true}, {"inputs", {{"index", pack.index()}}}};
    }

    /// @param value of an output by its name, contiguous
    Json compare_all(const ReferenceSet& set, const ValueOf& value) {
        Json answer{{"ok", true}, {"outputs", Json::array()}, {"missing", Json::array()}};
        for (const ExpectedOutput& expected : set.expected) {
            if (set.left_out(expected)) continue;
            std::optional<at::Tensor> found = value(expected.name);
            if (expected.name.starts_with("weight/")) {
                // A buffer of the module's: the candidate's may have other dimensions of size 1.
                if (!found || found->numel() != expected.oracle.numel()) continue;
                found = found->reshape(expected.shape);
            }
            std::vector<int64_t> shape = found ? found->sizes().vec() : std::vector<int64_t>();
            if (found && found->is_complex()) shape.push_back(2);
            if (!found || shape != expected.shape)
                answer["missing"].push_back(expected.name);
            else
                answer["outputs"].push_back(comparison_json(expected, compare(expected, *found, where_)));
        }
        return answer;
    }

    Json compare_answer(const Json& request, std::vector<Fd>& descriptors) {
        if (descriptors.size() != 1) throw InputError("a comparison carries one descriptor, the outputs'");
        const ReferenceSet& set = set_of(request);
        const Json& where = request.at("outputs");
        if (request.value("host", false)) {
            const Pack pack(descriptors[0].release(), where.at("index"));
            return compare_all(set, values_of(pack));
        }
        const DevicePack pack = map_pack(accelerator_, std::move(descriptors[0]), where.at("index"),
                                         where.at("bytes").get<int64_t>());
        return compare_all(set, pack.values());
    }

    /// What prepare() has made.
    void release() {
        timed_.reset();
        packs_.clear();
    }

    Json prepare(const Json& request) {
        release();
        const auto chosen = request.at("sets").get<std::vector<size_t>>();
        if (chosen.empty()) throw InputError("\"sets\": timing takes at least one set of inputs");
        // What candidates have borrowed they cannot write to: the same memory serves here.
        packs_.reserve(chosen.size());
        std::vector<const DevicePack*> timed_inputs;
        for (size_t index : chosen) {
            const ReferenceSet& set = set_of({{"set", index}});
            timed_inputs.push_back(set.inputs ? &*set.inputs : &packs_.emplace_back(draw_inputs(set)));
        }
        timed_precision_ = precision_of(request);
        const LibraryPrecision timed(timed_precision_);
        TimedPlan::Parts parts;
        parts.plan = &plan_;
        parts.deadline = deadline_of(request);
        const ReferenceSet& first = sets_[chosen[0]];
        parts.make = [this, &first] { return make(first); };
        for (const DevicePack* pack : timed_inputs) parts.sets.push_back(pack->values());
        parts.timed_from = plan_.steps.size();
        timed_ = std::make_unique<TimedPlan>(accelerator_, std::move(parts));
        return {{"ok", true}, {"graph", timed_->graph()}};
    }

    Accelerator& accelerator_;
    const ElementDevice where_{accelerator_.device(), accelerator_.element_kernels()};
    const plan::Plan plan_;
    plan::Plan oracle_, magnitudes_;
    std::vector<std::string> rounding_, mutated_;
    int64_t longest_ = 1, budget_ = 0, kept_ = 0;
    int perturbed_runs_ = 0;
    std::vector<int> carried_;
    NamedTensors kept_buffers_;
    Left state_;                                       ///< on the device, behind the sets so far
    bool stateful_ = false, asked_for_state_ = false;  ///< answers depend on the calls before
    bool writes_inputs_ = false, random_ = false, chooses_ = false, decides_ = false, convolves_ = false;
    numerics::Precision precision_ = numerics::Precision::defaults,
                        timed_precision_ = numerics::Precision::defaults;
    OracleTerms terms_{plan_};
    std::vector<ReferenceSet> sets_;
    std::vector<DevicePack> packs_;  ///< of timed sets that are not kept
    std::unique_ptr<TimedPlan> timed_;
};

}  // namespace

std::unique_ptr<Session> open_reference(const Json& request, WorkerState& state, Json& answer) {
    return std::make_unique<ReferenceSession>(request, state, answer);
}

}  // namespace tritonsmith::run
