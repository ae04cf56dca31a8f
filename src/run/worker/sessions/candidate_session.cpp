#include <ATen/core/grad_mode.h>

#include <optional>

#include "plan/analysis/flow.h"
#include "plan/ir/json.h"
#include "run/worker/exec/executor.h"
#include "run/worker/memory/poison.h"
#include "run/worker/memory/values.h"
#include "run/worker/sessions/device_pack.h"
#include "run/worker/sessions/findings.h"
#include "run/worker/sessions/library_precision.h"
#include "run/worker/sessions/requests.h"
#include "run/worker/sessions/timed_plan.h"
#include "run/worker/sessions/timing_request.h"
#include "run/worker/step_error.h"
#include "run/worker/torch_types.h"

namespace tritonsmith::run {
namespace {

std::vector<std::byte> contents(Fd file, int64_t bytes) {
    const Pack map(file.release(),
                   Json::array({{{"name", "cubins"}, {"dtype", "u8"}, {"shape", {bytes}}, {"offset", 0}}}));
    const std::byte* first = map.bytes(map.entries().front());
    return {first, first + bytes};
}

class CandidateSession : public Session {
  public:
    CandidateSession(const Json& request, std::vector<Fd>& descriptors, WorkerState& state)
        : state_(state), accelerator_(*state.accelerator), plan_(plan::from_json(request.at("plan"))) {
        links_ = request.at("links").get<std::map<std::string, std::string>>();
        seed_ = request.at("seed").get<uint64_t>();
        linked_seed_ = request.at("linked_seed").get<uint64_t>();
        precision_ = precision_of(request);
        std::vector<std::byte> cubins;
        if (!descriptors.empty())
            cubins = contents(std::move(descriptors[0]), request.at("cubin_bytes").get<int64_t>());
        launcher_ = accelerator_.launcher(plan_, request.at("kernels"), cubins);
        effects_ = kernel_effects(plan_, state.programs, false);
        written_inputs_ = written_inputs(plan_, effects_);
    }

    Json answer(const std::string& what, const Json& request, std::vector<Fd>& descriptors,
                std::vector<Fd>& files) override {
        at::NoGradGuard no_grad;
        const LibraryPrecision as_asked(precision_);  // of operators that PyTorch runs for it (--relaxed)
        if (what == "run") return run(request, descriptors, files);
        if (what == "prepare") return prepare(request, descriptors);
        if (what == "time") return time_request(request, timed_.get(), files);
        throw InputError("\"do\": '" + what + "' is nothing that a candidate's session does");
    }

  private:
    Instance make(const ValueOf& values, const std::vector<int>& choice, bool checks, Deadline deadline) {
        ExecutorOptions options;
        options.seed = seed_;
        options.poison = fresh_poison();
        options.checks = checks;
        options.full_size = true;
        options.choice = choice;
        options.deadline = deadline;
        options.launcher = launcher_.get();
        options.draw_links = draw_links(links_);
        options.linked_seed = linked_seed_;
        Instance made;
        made.executor =
            std::make_unique<Executor>(plan_, options, accelerator_.memory(plan_, options.poison, checks));
        fill_inputs(plan_, values, made.executor->memory());
        auto weights =
            std::make_shared<LinkedWeights>(plan_, values, links_, effects_, made.executor->memory());
        made.executor->after_step = [weights = weights.get()](int step) { weights->after(step); };
        made.hooks = std::move(weights);
        return made;
    }

    /// Copied, since what is mapped belongs to another process, and the kernels write where they like.
    DevicePack own_pack(Fd fd, const Json& where) {
        return private_copy(
            map_pack(accelerator_, std::move(fd), where.at("index"), where.at("bytes").get<int64_t>()));
    }

    Json run(const Json& request, std::vector<Fd>& descriptors, std::vector<Fd>& files) {
        const auto start = Clock::now();
        if (descriptors.size() != 1) throw InputError("a run carries one descriptor, the inputs'");
        const DevicePack inputs = own_pack(std::move(descriptors[0]), request.at("inputs"));
        const Deadline deadline = deadline_of(request);
        // Where its last call has ended the life of what a module is made of, there is none to call again.
        const bool same =
            request.at("same_module").get<bool>() && module_.executor && module_.executor->rewind();
        if (same) {
            refill_inputs(plan_, inputs.values(), module_.executor->memory());
        } else {
            module_ = {};
            module_ = make(inputs.values(), request.at("choice").get<std::vector<int>>(), true, deadline);
            module_.executor->run_setup();
            module_.executor->after_step = {};
            kept_up_ = {};
            if (request.at("kept_buffers").get<bool>())
                kept_up_ = KeptUp(kept_buffers(plan_, effects_, &links_), module_.executor->memory());
            module_.hooks.reset();  // they refer to this set's memory
        }
        // Whatever ends this call ends the module, unless another call is to come.
        Instance instance = std::move(module_);
        Executor& executor = *instance.executor;
        executor.set_deadline(deadline);
        accelerator_.synchronize(deadline);
        const int calls = request.at("calls").get<int>();
        for (int call = 0; call < calls && !executor.stopped(); ++call) {
            if (call > 0) {
                if (!executor.rewind()) break;
                refill_inputs(plan_, inputs.values(), executor.memory());
            }
            executor.run_forward();
            accelerator_.synchronize(deadline);
            if (!same && call == 0 && !executor.stopped()) kept_up_.see(executor.memory());
        }
        std::vector<std::string> mutated;
        DevicePack outputs;
        if (!executor.stopped()) {
            if (auto finding = executor.memory().damaged_guard())
                executor.findings.push_back(std::move(*finding));
            if (!written_inputs_.empty()) {
                const NamedTensors named = input_tensors(plan_);
                mutated = changed_since(
                    [&](size_t i) {
                        return inputs.values()(named[i].first)->to(to_torch(named[i].second.dtype));
                    },
                    named, executor.memory());
            }
            for (Finding& finding : unwritten_outputs(plan_, executor.memory()))
                executor.findings.push_back(std::move(finding));
            NamedTensors named = results(plan_, written_inputs_);
            if (request.at("kept_buffers").get<bool>()) named = with(named, kept_up_.live(executor.memory()));
            outputs = pack_tensors(accelerator_, named, executor.memory());
            accelerator_.synchronize(deadline);
        }
        Json answer{{"ok", true},
                    {"findings", findings_json(executor.findings)},
                    {"warnings", findings_json(executor.warnings)},
                    {"mutated", mutated},
                    {"tf32", executor.tf32},
                    {"outputs",
                     {{"index", outputs.index()}, {"bytes", outputs.entries.empty() ? 0 : outputs.size()}}}};
        if (!outputs.entries.empty()) files.push_back(std::move(outputs.memory.fd));
        executor.warnings.clear();
        if (request.at("keep_module").get<bool>() && executor.findings.empty() && !executor.stopped())
            module_ = std::move(instance);
        answer["seconds"] = std::chrono::duration<double>(Clock::now() - start).count();
        return answer;
    }

    Json prepare(const Json& request, std::vector<Fd>& descriptors) {
        const Json& sets = request.at("sets");
        if (descriptors.size() != sets.size() || sets.empty())
            throw InputError("timing takes one descriptor for each set of inputs");
        timed_.reset();
        module_ = {};
        packs_.clear();
        for (size_t i = 0; i < sets.size(); ++i)
            packs_.push_back(own_pack(std::move(descriptors[i]), sets[i]));
        TimedPlan::Parts parts;
        parts.plan = &plan_;
        parts.choice = request.at("choice").get<std::vector<int>>();
        parts.deadline = deadline_of(request);
        parts.make = [this, choice = parts.choice] {
            return make(packs_[0].values(), choice, false, std::nullopt);
        };
        for (const DevicePack& pack : packs_) parts.sets.push_back(pack.values());
        parts.effects = effects_;
        parts.outputs = results(plan_, written_inputs_);
        const size_t derived = first_derived_step(plan_, effects_);
        parts.timed_from = request.at("prepack").get<bool>() ? plan_.steps.size() : derived;
        const bool constructs = derived < plan_.steps.size();
        timed_ = std::make_unique<TimedPlan>(accelerator_, std::move(parts));
        return {{"ok", true}, {"graph", timed_->graph()}, {"computes_at_construction", constructs}};
    }

    WorkerState& state_;
    Accelerator& accelerator_;
    const plan::Plan plan_;
    std::map<std::string, std::string> links_;
    uint64_t seed_ = 0, linked_seed_ = 0;
    numerics::Precision precision_ = numerics::Precision::defaults;
    plan::KernelEffects effects_;
    std::vector<std::string> written_inputs_;
    std::unique_ptr<Launcher> launcher_;
    std::vector<DevicePack> packs_;  ///< sets of inputs that timed calls take in turn
    std::unique_ptr<TimedPlan> timed_;
    Instance module_;  ///< that is to be called again
    KeptUp kept_up_;   ///< by it
};

}  // namespace

std::unique_ptr<Session> open_candidate(const Json& request, std::vector<Fd>& descriptors, WorkerState& state,
                                        Json& answer) {
    return std::make_unique<CandidateSession>(request, descriptors, state);
}

}  // namespace tritonsmith::run
