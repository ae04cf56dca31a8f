#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "plan/analysis/arg_scores.h"
#include "plan/analysis/exact.h"
#include "plan/analysis/reduction.h"
#include "plan/ir/json.h"
#include "plan/transform/absolute.h"
#include "plan/transform/promote.h"
#include "plan/values/input_use.h"
#include "run/worker/exec/constant_inputs.h"
#include "run/worker/exec/drawn_apart.h"
#include "run/worker/exec/executor.h"
#include "run/worker/exec/named_inputs.h"
#include "run/worker/exec/nonfinite_inputs.h"
#include "run/worker/exec/redraw.h"
#include "run/worker/memory/host_memory.h"
#include "run/worker/memory/poison.h"
#include "run/worker/memory/tensor_packs.h"
#include "run/worker/oracle/oracle.h"
#include "run/worker/oracle/perturbation.h"
#include "run/worker/sessions/requests.h"
#include "run/worker/step_error.h"
#include "run/worker/torch_types.h"

namespace tritonsmith::run {
namespace {

/// Adds a pack to the answer.
void attach(Json& packs, const std::string& name, PackWriter& writer, std::vector<Fd>& files) {
    packs[name] = writer.index();
    files.push_back(writer.seal());
}

/// What a call leaves for the next one: in the reference's own dtypes, exactly, as magnitudes, and with other
/// roundings. A sequence of calls is one computation: what rounding did to the sums of earlier calls is
/// relative to their terms, not to what is left of them, and is still in it.
class CarriedState {
  public:
    CarriedState(const Json& request, std::vector<Fd>& descriptors) {
        if (!request.contains("state")) return;
        if (descriptors.size() != 1) throw InputError("\"state\": it comes with one memory file");
        given_.emplace(descriptors[0].release(), request.at("state"));
    }
    /// Puts what the call before left in the place of what construction made. @param kind "state/", "f64/",
    /// "absolute/", "perturbed/0/" …
    void load(const std::string& kind, const plan::Plan& plan, const plan::Plan& native,
              Memory& memory) const {
        if (!given_) return;
        for (const auto& [number, tensor] : carried(plan, native, memory))
            if (const PackEntry* entry = given_->find(kind + number))
                memory.view(tensor).copy_(tensor_of(*given_, *entry));
    }
    void keep(const std::string& kind, const plan::Plan& plan, const plan::Plan& native, Memory& memory) {
        for (const auto& [number, tensor] : carried(plan, native, memory))
            left_.emplace_back(kind + number, memory.view(tensor).clone());
    }
    void write(PackWriter& writer) const {
        for (const auto& [name, bytes] : left_) writer.add(name, plan::DType::u8, bytes.sizes().vec());
        writer.map();
        for (size_t i = 0; i < left_.size(); ++i)
            if (const at::Tensor& bytes = left_[i].second; bytes.numel() > 0)
                at::from_blob(writer.data(i), bytes.sizes(), at::kByte).copy_(bytes);
    }

  private:
    /// Whole buffers that a call leaves for the next one, by number. @param plan `native`, or a form of it
    static NamedTensors carried(const plan::Plan& plan, const plan::Plan& native, const Memory& memory) {
        NamedTensors out;
        for (int buffer : plan::carried_buffers(native, {})) {
            const bool constant =
                plan.buffers[static_cast<size_t>(buffer)].kind == plan::BufferKind::constant;
            if (memory.live(buffer) || (constant && &plan == &native))
                out.emplace_back(std::to_string(buffer), whole_buffer(plan, buffer));
        }
        return out;
    }

    std::optional<Pack> given_;
    std::vector<std::pair<std::string, at::Tensor>> left_;
};

/// And what outputs that name places were chosen from.
NamedTensors results_and_scores(const plan::Plan& plan, const std::vector<std::string>& changed) {
    NamedTensors out = results(plan, changed);
    for (const plan::ArgScores& found : plan::arg_scores(plan))
        out.emplace_back("scores/" + std::to_string(found.output), found.scores);
    return out;
}

/// Whether all that a call casts to integers is finite, and what it looks into by bisection rises: what it
/// gives otherwise is undefined. On the task's own inputs, and of casts where infinities are given, nobody
/// asks.
class DefinedSteps {
  public:
    explicit DefinedSteps(const Variant& variant)
        : asked_(!variant.own()), casts_(variant.nonfinite == Variant::Nonfinite::none) {}
    void watch(Executor& executor) {
        if (!asked_) return;
        executor.after_forward_step = [this, &executor,
                                       then = executor.after_forward_step](const plan::AtenStep& step) {
            if (const plan::Tensor* cast = plan::cast_to_integers(step); cast && casts_ && defined_)
                defined_ = all_finite(NamedTensors{{"", *cast}}, executor.memory());
            if (const plan::Tensor* boundaries = plan::boundaries_of(step); boundaries && defined_)
                defined_ = rises(executor.memory().view(*boundaries));
            if (then) then(step);
        };
    }
    bool all() const { return defined_; }

  private:
    static bool rises(const at::Tensor& values) {
        return values.dim() == 0 || values.slice(-1, 1).ge(values.slice(-1, 0, -1)).all().item<bool>();
    }

    const bool asked_, casts_;
    bool defined_ = true;
};

}  // namespace

Json run_reference(const Json& request, std::vector<Fd>& descriptors, WorkerState& state,
                   std::vector<Fd>& files) {
    auto start = Clock::now();
    plan::Plan plan = plan::from_json(request.at("plan"));
    plan::keep_scores(plan);
    auto want = request.at("want").get<std::vector<std::string>>();
    auto wanted = [&](const char* name) { return std::find(want.begin(), want.end(), name) != want.end(); };
    std::map<std::string, PackWriter> writers;
    int perturbed = 0;
    for (const std::string& name : want) {
        if (name != "inputs" && name != "native" && name != "f64" && name != "absolute" && name != "state" &&
            name != "perturbed")
            throw InputError("\"want\": no pack is called '" + name + "'");
        if (name == "perturbed")
            perturbed = perturbed_runs(plan, numerics::Precision::ieee);  // the CPU rounds as asked
        else
            writers[name];
    }
    // Where inputs are equal what is left of differences is rounding: a root of it is a number by chance.
    const bool by_chance =
        variant_from_json(request.at("variant")).alike != Variant::Alike::none && wanted("perturbed");
    if (by_chance) perturbed = std::max(perturbed, 2);
    std::vector<std::string> packs = want;
    std::erase(packs, "perturbed");
    for (int run = 0; run < perturbed; ++run) packs.push_back("perturbed/" + std::to_string(run));
    ExecutorOptions options;
    options.seed = request.at("seed").get<uint64_t>();
    options.construction_seed = request.at("weights_seed").get<uint64_t>();
    options.variant = variant_from_json(request.at("variant"));
    options.poison = fresh_poison();
    const numerics::Precision precision = precision_of(request);
    options.precision = precision;

    CarriedState carried(request, descriptors);
    const NamedTensors kept = kept_buffers(plan, {});
    DefinedSteps defined(options.variant);
    bool finite = true;
    Json answer{{"ok", true}, {"rounding", Json::array()}, {"finite", true}};
    std::optional<ForwardState> forward;
    std::vector<std::string> mutated;
    Infinities infinities;
    {
        Executor native(plan, options,
                        std::make_unique<HostMemory>(plan, state.memory_limit, options.poison));
        std::optional<Redraw> redraw;
        if (request.at("redraw").get<bool>())
            redraw.emplace(plan, native.memory(), *options.construction_seed,
                           request.at("redraw_state").get<bool>(), options.variant);
        native.after_step = [&](int step) {
            if (redraw) redraw->after(step);
        };
        native.run_setup();
        draw_apart(plan, options, state.memory_limit, native.memory());
        vary_constant_inputs(plan, native.memory(), options.seed, options.variant);
        add_nonfinite_inputs(plan, native.memory(), options.seed, options.variant);
        add_named_inputs(plan, native.memory(), options.seed, options.variant);
        carried.load("state/", plan, plan, native.memory());
        const NamedTensors tensors = given_tensors(plan);
        PackWriter unwanted;
        PackWriter& before = wanted("inputs") ? writers["inputs"] : unwanted;
        write_pack(before, tensors, native.memory());
        if (wanted("f64") || wanted("absolute") || perturbed > 0) forward.emplace(plan, native.memory());
        defined.watch(native);
        native.run_forward();
        finite = defined.all() && all_finite(plan, native.memory(), infinities) &&
                 all_finite(kept, native.memory());
        if (wanted("state")) carried.keep("state/", plan, plan, native.memory());
        auto given = [&](size_t i) {
            return at::from_blob(before.data(i), tensors[i].second.shape, to_torch(tensors[i].second.dtype));
        };
        mutated = changed_since(given, input_tensors(plan), native.memory());
        answer["mutated"] = mutated;
        answer["random"] = native.forward_draws();
        if (wanted("native"))
            write_pack(writers["native"], with(results_and_scores(plan, mutated), kept), native.memory());
    }
    // What overflows in the reference's own dtype cannot be asked of a candidate either.
    if (forward && !finite) {
        for (const char* name : {"f64", "absolute"})
            if (wanted(name)) writers[name].map();
        for (int run = 0; run < perturbed; ++run) writers["perturbed/" + std::to_string(run)].map();
        forward.reset();
    }
    if (wanted("f64")) answer["finite"] = finite;
    if (forward) {
        std::vector<std::string> rounding;
        const plan::Plan promoted = plan::promote(plan, rounding);
        answer["rounding"] = rounding;
        OracleTerms terms(plan);
        auto execute = [&](const plan::Plan& executed, bool magnitudes, const std::string& name,
                           const auto& attach_hooks) {
            const std::string kind = name + "/";
            Executor oracle(executed, options,
                            std::make_unique<HostMemory>(executed, state.memory_limit, options.poison));
            forward->load(executed, oracle.memory(), magnitudes);
            // The set before may have had fewer runs with other roundings.
            if (kind.starts_with("perturbed/")) carried.load("f64/", executed, plan, oracle.memory());
            carried.load(kind, executed, plan, oracle.memory());
            attach_hooks(oracle);
            oracle.run_forward();
            write_pack(writers[name],
                       with(results_and_scores(executed, mutated), kept_buffers_of(executed, kept)),
                       oracle.memory());
            if (wanted("state")) carried.keep(kind, executed, plan, oracle.memory());
            return name != "f64" || all_finite(executed, oracle.memory(), infinities);
        };
        options.precision = numerics::Precision::ieee;
        if (wanted("f64"))
            answer["finite"] = execute(promoted, false, "f64",
                                       [&](Executor& oracle) {
                                           terms.keep(oracle);
                                           defined.watch(oracle);
                                       }) &&
                               defined.all();
        if (wanted("absolute"))
            execute(plan::absolute(promoted, [&](const plan::AtenStep& step) { return terms.given(step); }),
                    true, "absolute", [&](Executor& magnitudes) { terms.raise(magnitudes); });
        for (int run = 0; run < perturbed; ++run) {
            Perturbation perturbation(plan, precision, options.seed, run);
            const bool finite_too = execute(promoted, false, "perturbed/" + std::to_string(run),
                                            [&](Executor& oracle) { perturbation.attach(oracle); });
            if (by_chance && !finite_too) answer["finite"] = false;
        }
    }
    if (wanted("state")) carried.write(writers["state"]);
    answer["longest_reduction"] = plan::longest_reduction(plan);
    answer["packs"] = Json::object();
    answer["perturbed"] = perturbed;
    for (const std::string& name : packs) attach(answer["packs"], name, writers[name], files);
    answer["seconds"] = std::chrono::duration<double>(Clock::now() - start).count();
    return answer;
}

}  // namespace tritonsmith::run
