#include <ATen/ops/from_blob.h>

#include <algorithm>

#include "plan/analysis/reduction.h"
#include "plan/ir/json.h"
#include "plan/transform/absolute.h"
#include "plan/transform/promote.h"
#include "run/worker/exec/constant_inputs.h"
#include "run/worker/exec/executor.h"
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

/// Whole buffers that a call leaves for the next one.
NamedTensors carried_tensors(const plan::Plan& plan, const Memory& memory) {
    NamedTensors out;
    for (int buffer : plan::carried_buffers(plan, {}))
        if (memory.live(buffer) ||
            plan.buffers[static_cast<size_t>(buffer)].kind == plan::BufferKind::constant)
            out.emplace_back("state/" + std::to_string(buffer), whole_buffer(plan, buffer));
    return out;
}

/// Puts what the call before left in the place of what construction made.
void load_state(const Json& request, std::vector<Fd>& descriptors, const plan::Plan& plan, Memory& memory) {
    if (descriptors.size() != 1) throw InputError("\"state\": it comes with one memory file");
    const Pack left(descriptors[0].release(), request.at("state"));
    for (const auto& [name, tensor] : carried_tensors(plan, memory))
        if (const PackEntry* entry = left.find(name)) memory.view(tensor).copy_(tensor_of(left, *entry));
}

}  // namespace

Json run_reference(const Json& request, std::vector<Fd>& descriptors, WorkerState& state,
                   std::vector<Fd>& files) {
    auto start = Clock::now();
    plan::Plan plan = plan::from_json(request.at("plan"));
    auto want = request.at("want").get<std::vector<std::string>>();
    auto wanted = [&](const char* name) { return std::find(want.begin(), want.end(), name) != want.end(); };
    std::map<std::string, PackWriter> writers;
    int perturbed = 0;
    for (const std::string& name : want) {
        if (name != "inputs" && name != "native" && name != "f64" && name != "absolute" && name != "state" &&
            name != "perturbed")
            throw InputError("\"want\": no pack is called '" + name + "'");
        if (name == "perturbed")
            perturbed = perturbed_runs(plan, numerics::Precision::ieee);  // the CPU rounds as it is told
        else
            writers[name];
    }
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

    Json answer{{"ok", true}, {"rounding", Json::array()}, {"finite", true}};
    std::optional<ForwardState> forward;
    std::vector<std::string> mutated;
    bool native_finite = true;
    {
        Executor native(plan, options,
                        std::make_unique<HostMemory>(plan, state.memory_limit, options.poison));
        std::optional<Redraw> redraw;
        if (request.at("redraw").get<bool>())
            redraw.emplace(plan, native.memory(), *options.construction_seed,
                           request.at("redraw_state").get<bool>());
        native.after_step = [&](int step) {
            if (redraw) redraw->after(step);
        };
        native.run_setup();
        vary_constant_inputs(plan, native.memory(), options.seed, options.variant);
        add_nonfinite_inputs(plan, native.memory(), options.seed, options.variant);
        if (request.contains("state")) load_state(request, descriptors, plan, native.memory());
        const NamedTensors tensors = given_tensors(plan);
        PackWriter unwanted;
        PackWriter& before = wanted("inputs") ? writers["inputs"] : unwanted;
        write_pack(before, tensors, native.memory());
        if (wanted("f64") || wanted("absolute") || perturbed > 0) forward.emplace(plan, native.memory());
        native.run_forward();
        native_finite = all_finite(plan, native.memory());
        if (wanted("state"))
            write_pack(writers["state"], carried_tensors(plan, native.memory()), native.memory());
        auto given = [&](size_t i) {
            return at::from_blob(before.data(i), tensors[i].second.shape, to_torch(tensors[i].second.dtype));
        };
        mutated = changed_since(given, input_tensors(plan), native.memory());
        answer["mutated"] = mutated;
        answer["random"] = native.forward_draws();
        if (wanted("native")) write_pack(writers["native"], results(plan, mutated), native.memory());
    }
    if (forward) {
        std::vector<std::string> rounding;
        const plan::Plan promoted = plan::promote(plan, rounding);
        answer["rounding"] = rounding;
        OracleTerms terms(plan);
        auto execute = [&](const plan::Plan& executed, bool magnitudes, const std::string& name,
                           const auto& attach_hooks) {
            Executor oracle(executed, options,
                            std::make_unique<HostMemory>(executed, state.memory_limit, options.poison));
            forward->load(executed, oracle.memory(), magnitudes);
            attach_hooks(oracle);
            oracle.run_forward();
            write_pack(writers[name], results(executed, mutated), oracle.memory());
            return all_finite(executed, oracle.memory());
        };
        options.precision = numerics::Precision::ieee;
        // What overflows in the reference's own dtype cannot be asked of a candidate either.
        if (wanted("f64"))
            answer["finite"] =
                execute(promoted, false, "f64", [&](Executor& oracle) { terms.keep(oracle); }) &&
                native_finite;
        if (wanted("absolute"))
            execute(plan::absolute(promoted, [&](const plan::AtenStep& step) { return terms.given(step); }),
                    true, "absolute", [&](Executor& magnitudes) { terms.raise(magnitudes); });
        for (int run = 0; run < perturbed; ++run) {
            Perturbation perturbation(plan, precision, options.seed, run);
            execute(promoted, false, "perturbed/" + std::to_string(run),
                    [&](Executor& oracle) { perturbation.attach(oracle); });
        }
    }
    answer["longest_reduction"] = plan::longest_reduction(plan);
    answer["packs"] = Json::object();
    answer["perturbed"] = perturbed;
    for (const std::string& name : packs) attach(answer["packs"], name, writers[name], files);
    answer["seconds"] = std::chrono::duration<double>(Clock::now() - start).count();
    return answer;
}

}  // namespace tritonsmith::run
