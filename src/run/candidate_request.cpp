#include <ATen/core/Tensor.h>

#include <optional>

#include "plan/flow.h"
#include "plan/json.h"
#include "plan/link.h"
#include "run/executor.h"
#include "run/program_cache.h"
#include "run/requests.h"
#include "run/step_error.h"
#include "run/tensor_packs.h"
#include "run/torch_types.h"
#include "ttir/effects.h"

namespace tritonsmith::run {
namespace {

/// Copies row-major values into a view, cast to its dtype. Expanded dimensions (stride 0) hold one element.
void fill_view(Memory& memory, plan::Tensor tensor, const at::Tensor& values, const std::string& what) {
    at::Tensor source = values;
    int64_t elements = 1;
    for (int64_t dimension : tensor.shape) elements *= dimension;
    if (source.numel() != elements)
        throw StepError("plan_invalid",
                        what + " has shape " + shape_text(tensor.shape, to_torch(tensor.dtype)) +
                            ", its value has " + shape_text(source.sizes(), source.scalar_type()));
    source = source.reshape(tensor.shape);
    for (size_t i = 0; i < tensor.shape.size(); ++i) {
        if (tensor.stride[i] != 0 || tensor.shape[i] <= 1) continue;
        source = source.narrow(static_cast<int64_t>(i), 0, 1);
        tensor.shape[i] = 1;
    }
    memory.view(tensor).copy_(source);
    memory.mark_given(tensor);
}

/// Gives the candidate's weights the reference's values, after each of their initialising writes.
class LinkedWeights {
  public:
    LinkedWeights(const plan::Plan& plan, const Pack& pack, const std::map<std::string, std::string>& links,
                  const plan::KernelEffects& effects, Memory& memory)
        : memory_(memory) {
        std::vector<plan::WeightOrigin> origins = plan::weight_origins(plan, effects);
        for (size_t i = 0; i < plan.weights.size(); ++i) {
            const plan::Weight& weight = plan.weights[i];
            auto link = links.find(weight.name);
            if (link == links.end()) continue;
            const PackEntry* entry = pack.find("weight/" + link->second);
            if (!entry) throw InputError("\"links\": the inputs hold no weight '" + link->second + "'");
            std::function<void()> write = [this, &weight, values = tensor_of(pack, *entry)] {
                fill_view(memory_, weight.tensor, values, "weight '" + weight.name + "'");
            };
            bool recorded =
                plan.buffers[static_cast<size_t>(weight.tensor.buffer)].kind == plan::BufferKind::constant;
            if (origins[i].writes.empty() && recorded) write();
            for (int step : origins[i].writes) after_.emplace(step, write);
        }
    }
    void after(int step) {
        auto [first, last] = after_.equal_range(step);
        for (auto it = first; it != last; ++it) it->second();
    }

  private:
    Memory& memory_;
    std::multimap<int, std::function<void()>> after_;
};

/// What the kernels do that are launched while the module is built; of others nothing is said.
plan::KernelEffects construction_effects(const plan::Plan& plan, ProgramCache& programs) {
    plan::KernelEffects effects(plan.kernels.size());
    for (const plan::Executed& executed : plan::executed_steps(plan)) {
        const auto* launch = std::get_if<plan::LaunchStep>(&executed.step->what);
        if (!launch || executed.step->phase == plan::Phase::forward) continue;
        const auto kernel = static_cast<size_t>(launch->kernel);
        if (kernel >= effects.size() || !effects[kernel].empty()) continue;
        auto ready = programs.get(plan.kernels[kernel]);
        if (const auto* entry = std::get_if<ProgramCache::Entry>(&ready))
            for (const ttir::Effect& e : ttir::parameter_effects(*entry->module))
                effects[kernel].push_back({e.reads || e.escapes, e.writes || e.escapes});
    }
    return effects;
}

std::map<int, int> draw_links(const std::map<std::string, std::string>& links) {
    std::map<int, int> out;
    for (const auto& [ours, theirs] : links)
        if (ours.starts_with("draw/") && theirs.starts_with("draw/"))
            out[std::atoi(ours.c_str() + 5)] = std::atoi(theirs.c_str() + 5);
    return out;
}

void fill_inputs(const plan::Plan& plan, const Pack& pack, Memory& memory) {
    for (const auto& [name, tensor] : input_tensors(plan)) {
        const PackEntry* entry = pack.find(name);
        if (!entry) throw InputError("the pack of inputs holds no '" + name + "'");
        if (!memory.live(tensor.buffer)) memory.allocate_for(tensor);
        fill_view(memory, tensor, tensor_of(pack, *entry), name);
    }
}

Json finding_json(const Finding& finding) {
    return {{"reason", finding.reason},
            {"message", finding.message},
            {"line", finding.line},
            {"evidence", finding.evidence}};
}

Json findings_json(const std::vector<Finding>& findings) {
    Json out = Json::array();
    for (const Finding& finding : findings) out.push_back(finding_json(finding));
    return out;
}

/// Outputs that no step wrote completely.
std::vector<Finding> unwritten_outputs(const plan::Plan& plan, Memory& memory) {
    std::vector<Finding> out;
    for (const auto& [name, tensor] : output_tensors(plan)) {
        Memory::Unwritten missing = memory.unwritten(tensor);
        if (missing.count == 0) continue;
        out.push_back({"uninitialised_output",
                       name + ": " + std::to_string(missing.count) +
                           " elements were never written, the first is element " +
                           std::to_string(missing.first),
                       plan.buffers[static_cast<size_t>(tensor.buffer)].line,
                       Json{{"output", name},
                            {"elements", missing.count},
                            {"index", missing.first},
                            {"shape", tensor.shape}}});
    }
    return out;
}

}  // namespace

Json run_candidate(const Json& request, Fd inputs, WorkerState& state, std::vector<Fd>& files) {
    auto start = Clock::now();
    plan::Plan plan = plan::from_json(request.at("plan"));
    Pack pack(inputs.release(), request.at("inputs"));
    auto links = request.at("links").get<std::map<std::string, std::string>>();

    ExecutorOptions options;
    options.seed = request.at("seed").get<uint64_t>();
    options.poison = fresh_poison();
    options.checks = request.at("checks").get<bool>();
    options.full_size = request.at("full_size").get<bool>();
    options.threads = request.at("threads").get<int>();
    options.disable_launch = request.at("disable_launch").get<int>();
    options.choice = request.at("choice").get<std::vector<int>>();
    options.deadline = start + std::chrono::milliseconds(
                                   static_cast<int64_t>(request.at("deadline_s").get<double>() * 1000));
    options.memory_limit = state.memory_limit;
    options.programs = &state.programs;
    options.draw_links = draw_links(links);

    Executor executor(plan, options);
    fill_inputs(plan, pack, executor.memory());
    LinkedWeights weights(plan, pack, links, construction_effects(plan, state.programs), executor.memory());
    executor.after_step = [&](int step) { weights.after(step); };
    executor.run_setup();
    if (!executor.stopped()) executor.run_forward();
    const int calls = request.at("calls").get<int>();
    for (int call = 1; call < calls && !executor.stopped() && executor.rewind(); ++call) {
        fill_inputs(plan, pack, executor.memory());
        executor.run_forward();
    }

    PackWriter outputs;
    std::vector<std::string> mutated;
    if (executor.stopped()) {
        outputs.map();
    } else {
        const NamedTensors inputs_of_plan = input_tensors(plan);
        auto given = [&](size_t i) {
            const auto& [name, tensor] = inputs_of_plan[i];
            return tensor_of(pack, *pack.find(name)).to(to_torch(tensor.dtype));
        };
        mutated = changed_since(given, inputs_of_plan, executor.memory());
        // Also where a launch was left out: what only it wrote shows its effect, whatever the memory holds.
        if (options.checks || options.disable_launch >= 0)
            for (Finding& finding : unwritten_outputs(plan, executor.memory()))
                executor.findings.push_back(std::move(finding));
        write_pack(outputs, results(plan, mutated), executor.memory());
    }

    Json launches = Json::array();
    for (const Launched& launch : executor.launches)
        launches.push_back({{"kernel", launch.kernel},
                            {"programs", launch.programs},
                            {"bytes_read", launch.bytes_read},
                            {"bytes_written", launch.bytes_written},
                            {"flops", launch.flops},
                            {"waiting", launch.waiting},
                            {"seconds", launch.seconds},
                            {"line", launch.line}});
    Json answer{{"ok", true},
                {"packs", {{"outputs", outputs.index()}}},
                {"findings", findings_json(executor.findings)},
                {"warnings", findings_json(executor.warnings)},
                {"mutated", mutated},
                {"prints", executor.prints},
                {"launches", launches},
                {"tf32", executor.tf32}};
    files.push_back(outputs.seal());
    answer["seconds"] = std::chrono::duration<double>(Clock::now() - start).count();
    return answer;
}

}  // namespace tritonsmith::run
