#include <ATen/ops/from_blob.h>

#include <algorithm>

#include "plan/json.h"
#include "plan/promote.h"
#include "run/constant_inputs.h"
#include "run/executor.h"
#include "run/host_memory.h"
#include "run/oracle.h"
#include "run/redraw.h"
#include "run/requests.h"
#include "run/step_error.h"
#include "run/tensor_packs.h"
#include "run/torch_types.h"

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
    for (const std::string& name : want) {
        if (name != "inputs" && name != "native" && name != "f64" && name != "absolute" && name != "state")
            throw InputError("\"want\": no pack is called '" + name + "'");
        writers[name];
    }
    ExecutorOptions options;
    options.seed = request.at("seed").get<uint64_t>();
    options.construction_seed = request.at("weights_seed").get<uint64_t>();
    options.variant = variant_from_json(request.at("variant"));
    options.poison = fresh_poison();

    Json answer{{"ok", true}, {"rounding", Json::array()}, {"finite", true}};
    std::optional<ForwardState> forward;
    std::vector<std::string> mutated;
    bool native_finite = true;
    {
        Executor native(plan, options,
                        std::make_unique<HostMemory>(plan, state.memory_limit, options.poison));
        std::optional<Redraw> redraw;
        if (request.at("redraw").get<bool>())
            redraw.emplace(plan, native.memory(), *options.construction_seed);
        native.after_step = [&](int step) {
            if (redraw) redraw->after(step);
        };
        native.run_setup();
        vary_constant_inputs(plan, native.memory(), options.seed, options.variant.constants);
        if (request.contains("state")) load_state(request, descriptors, plan, native.memory());
        const NamedTensors tensors = given_tensors(plan);
        PackWriter unwanted;
        PackWriter& before = wanted("inputs") ? writers["inputs"] : unwanted;
        write_pack(before, tensors, native.memory());
        if (wanted("f64") || wanted("absolute")) forward.emplace(plan, native.memory());
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
        plan::Plan promoted = plan::promote(plan, rounding);
        answer["rounding"] = rounding;
        SoftmaxResults softmaxes;
        for (const char* name : {"f64", "absolute"}) {
            if (!wanted(name)) continue;
            bool magnitudes = std::string_view(name) == "absolute";
            plan::Plan executed = magnitudes ? plan::absolute(promoted) : std::move(promoted);
            if (!magnitudes && wanted("absolute")) promoted = executed;
            Executor oracle(executed, options,
                            std::make_unique<HostMemory>(executed, state.memory_limit, options.poison));
            forward->load(executed, oracle.memory(), magnitudes);
            magnitudes ? softmaxes.raise(oracle) : softmaxes.keep(oracle);
            oracle.run_forward();
            write_pack(writers[name], results(executed, mutated), oracle.memory());
            // What overflows in the reference's own dtype cannot be asked of a candidate either.
            if (!magnitudes) answer["finite"] = native_finite && all_finite(executed, oracle.memory());
        }
    }
    answer["longest_reduction"] = plan::longest_reduction(plan);
    answer["packs"] = Json::object();
    for (const std::string& name : want) attach(answer["packs"], name, writers[name], files);
    answer["seconds"] = std::chrono::duration<double>(Clock::now() - start).count();
    return answer;
}

}  // namespace tritonsmith::run
