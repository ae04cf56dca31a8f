#include <ATen/core/Tensor.h>

#include <algorithm>
#include <iterator>
#include <list>
#include <optional>

#include "plan/analysis/flow.h"
#include "plan/ir/json.h"
#include "run/worker/exec/executor.h"
#include "run/worker/exec/interpreter_launcher.h"
#include "run/worker/memory/host_memory.h"
#include "run/worker/memory/poison.h"
#include "run/worker/memory/tensor_packs.h"
#include "run/worker/memory/values.h"
#include "run/worker/program_cache.h"
#include "run/worker/sessions/findings.h"
#include "run/worker/sessions/requests.h"
#include "run/worker/step_error.h"
#include "run/worker/torch_types.h"

namespace tritonsmith::run {
namespace {

/// What one call of the module gave.
struct Call {
    PackWriter outputs;
    std::vector<std::string> mutated;
    std::vector<Finding> warnings;
};

/// A module of the candidate's, called on one set of inputs after the other.
class Calls {
  public:
    /// @param kept buffers of the module that its calls may keep up
    Calls(const plan::Plan& plan, Executor& executor, WorkerState& state, bool look_for_unwritten,
          const NamedTensors& kept)
        : plan_(plan),
          executor_(executor),
          state_(state),
          look_for_unwritten_(look_for_unwritten),
          kept_up_(kept, executor.memory()) {}

    /// One more. False where there is none: something was found, or the call before ended the life of what
    /// the module is made of.
    bool call(const Pack& inputs) {
        const ValueOf values = values_of(inputs);
        if (calls_++ > 0) {
            if (executor_.stopped() || !executor_.findings.empty() || !executor_.rewind()) return false;
            refill_inputs(plan_, values, executor_.memory());
        }
        if (!executor_.stopped()) executor_.run_forward();
        if (calls_ == 1 && !executor_.stopped()) kept_up_.see(executor_.memory());
        if (calls_ == 1)
            launches_ = std::move(executor_.launches);
        else
            note_waiting();
        executor_.launches.clear();
        if (!executor_.stopped() && look_for_unwritten_)
            for (Finding& finding : unwritten_outputs(plan_, executor_.memory()))
                executor_.findings.push_back(std::move(finding));
        if (calls_ > 1)
            for (Finding& finding : executor_.findings) finding.evidence["call"] = calls_;
        return executor_.findings.empty() && !executor_.stopped();
    }

    /// Outputs of the last call, and the inputs that it changed.
    void keep(const Pack& inputs) {
        Call& call = kept_.emplace_back();
        call.warnings = std::exchange(executor_.warnings, {});
        const NamedTensors named = input_tensors(plan_);
        const ValueOf values = values_of(inputs);
        const auto given = [&](size_t i) {
            return values(named[i].first)->to(to_torch(named[i].second.dtype));
        };
        call.mutated = changed_since(given, named, executor_.memory());
        write_pack(call.outputs, with(results(plan_, call.mutated), kept_up_.live(executor_.memory())),
                   executor_.memory());
    }

    /// Of a first call that came to no end.
    void keep_nothing() {
        Call& call = kept_.emplace_back();
        call.warnings = std::exchange(executor_.warnings, {});
        call.outputs.map();
    }

    /// Calls on the last inputs, where the last of them has left other memory than the first.
    /// @return how many were made
    int repeat(const Pack& inputs, int most, double seconds) {
        if (before_.empty() || !moved()) return 0;
        const auto until = Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
        executor_.set_checks(false);
        int made = 0;
        while (made < most && (made == 0 || Clock::now() < until) && call(inputs)) ++made;
        return made;
    }

    /// Remembers what the first call has left in memory that calls share.
    void remember() {
        for (int buffer : plan::carried_buffers(plan_, kernel_effects(plan_, state_.programs, false)))
            if (executor_.memory().live(buffer))
                before_.emplace_back(buffer, executor_.memory().view(whole_buffer(plan_, buffer)).clone());
    }

    std::list<Call>& kept() { return kept_; }
    const std::vector<Launched>& launches() const { return launches_; }

  private:
    bool moved() const {
        return std::any_of(before_.begin(), before_.end(), [&](const auto& before) {
            Memory& memory = executor_.memory();
            return memory.live(before.first) &&
                   !memory.view(whole_buffer(plan_, before.first)).equal(before.second);
        });
    }

    /// Programs that wait for others may do so in a later call only.
    void note_waiting() {
        for (size_t i = 0; i < std::min(launches_.size(), executor_.launches.size()); ++i)
            launches_[i].waiting = std::max(launches_[i].waiting, executor_.launches[i].waiting);
    }

    const plan::Plan& plan_;
    Executor& executor_;
    WorkerState& state_;
    const bool look_for_unwritten_;
    KeptUp kept_up_;
    int calls_ = 0;
    std::list<Call> kept_;  ///< a writer of a pack stays where it is
    std::vector<Launched> launches_;
    std::vector<std::pair<int, at::Tensor>> before_;
};

Json launches_json(const std::vector<Launched>& launches) {
    Json out = Json::array();
    for (const Launched& launch : launches)
        out.push_back({{"kernel", launch.kernel},
                       {"programs", launch.programs},
                       {"bytes_read", launch.bytes_read},
                       {"bytes_written", launch.bytes_written},
                       {"flops", launch.flops},
                       {"waiting", launch.waiting},
                       {"seconds", launch.seconds},
                       {"line", launch.line}});
    return out;
}

}  // namespace

Json run_candidate(const Json& request, std::vector<Fd>& descriptors, WorkerState& state,
                   std::vector<Fd>& files) {
    auto start = Clock::now();
    plan::Plan plan = plan::from_json(request.at("plan"));
    const Json& further = request.at("further");
    if (descriptors.size() != 1 + further.size())
        throw InputError("a candidate request carries a memory file of inputs for each call");
    std::vector<Pack> packs;
    for (size_t i = 0; i < descriptors.size(); ++i)
        packs.emplace_back(descriptors[i].release(), i == 0 ? request.at("inputs") : further[i - 1]);
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
    const ValueOf first = values_of(packs[0]);
    fill_inputs(plan, first, executor.memory());
    LinkedWeights weights(plan, first, links, kernel_effects(plan, state.programs, true), executor.memory());
    executor.after_step = [&](int step) { weights.after(step); };
    executor.run_setup();

    NamedTensors kept;
    if (request.at("kept_buffers").get<bool>())
        kept = kept_buffers(plan, kernel_effects(plan, state.programs, false), &links);
    // Also where a launch was left out: what only it wrote shows its effect, whatever the memory holds.
    Calls calls(plan, executor, state, options.checks || options.disable_launch >= 0, kept);
    const int repeat = request.at("repeat").get<int>();
    size_t made = 0;
    while (made < packs.size() && calls.call(packs[made])) {
        calls.keep(packs[made]);
        if (++made == 1 && repeat > 0) calls.remember();
    }
    int repeated = 0;
    if (made == packs.size() && made > 1) {
        repeated = calls.repeat(packs.back(), repeat, request.at("repeat_s").get<double>());
        if (repeated > 0 && executor.findings.empty()) calls.keep(packs.back());
    }
    if (made == 0 && !executor.stopped())
        calls.keep(packs[0]);  // not every output was written: what there is shows the effect of a launch
    else if (made == 0)
        calls.keep_nothing();

    Call& one = calls.kept().front();
    Json answer{{"ok", true},
                {"packs", {{"outputs", one.outputs.index()}}},
                {"further", Json::array()},
                {"repeated", repeated},
                {"findings", findings_json(executor.findings)},
                {"warnings", findings_json(one.warnings)},
                {"mutated", one.mutated},
                {"prints", executor.prints},
                {"launches", launches_json(calls.launches())},
                {"tf32", executor.tf32}};
    files.push_back(one.outputs.seal());
    for (auto call = std::next(calls.kept().begin()); call != calls.kept().end(); ++call) {
        answer["further"].push_back({{"outputs", call->outputs.index()},
                                     {"mutated", call->mutated},
                                     {"warnings", findings_json(call->warnings)}});
        files.push_back(call->outputs.seal());
    }
    answer["seconds"] = std::chrono::duration<double>(Clock::now() - start).count();
    return answer;
}

}  // namespace tritonsmith::run
