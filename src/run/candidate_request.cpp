#include <ATen/core/Tensor.h>

#include <optional>

#include "plan/json.h"
#include "run/executor.h"
#include "run/findings.h"
#include "run/host_memory.h"
#include "run/interpreter_launcher.h"
#include "run/program_cache.h"
#include "run/requests.h"
#include "run/step_error.h"
#include "run/tensor_packs.h"
#include "run/torch_types.h"
#include "run/values.h"

namespace tritonsmith::run {

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
    AsCompiled as_compiled;
    request.at("issued").get_to(as_compiled.issued);
    as_compiled.keep_promises = request.at("keep_promises").get<bool>();
    InterpreterLauncher launcher(state.programs, std::move(as_compiled));
    options.launcher = &launcher;
    options.draw_links = draw_links(links);
    options.linked_seed = request.at("linked_seed").get<uint64_t>();

    Executor executor(plan, options, std::make_unique<HostMemory>(plan, state.memory_limit, options.poison));
    const ValueOf values = values_of(pack);
    fill_inputs(plan, values, executor.memory());
    LinkedWeights weights(plan, values, links, kernel_effects(plan, state.programs, true), executor.memory());
    executor.after_step = [&](int step) { weights.after(step); };
    executor.run_setup();
    if (!executor.stopped()) executor.run_forward();
    const int calls = request.at("calls").get<int>();
    for (int call = 1; call < calls && !executor.stopped() && executor.rewind(); ++call) {
        fill_inputs(plan, values, executor.memory());
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
