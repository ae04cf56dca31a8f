#include "run/worker/sessions/timed_plan.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <set>

#include "plan/weights/link.h"
#include "run/worker/memory/device_memory.h"
#include "run/worker/memory/poison.h"
#include "run/worker/sessions/requests.h"

namespace tritonsmith::run {

size_t first_derived_step(const plan::Plan& plan, const plan::KernelEffects& effects) {
    std::set<int> weights, initialising;
    for (const plan::WeightOrigin& origin : plan::weight_origins(plan, effects))
        initialising.insert(origin.writes.begin(), origin.writes.end());
    for (const plan::Weight& weight : plan.weights) weights.insert(weight.tensor.buffer);
    for (const plan::Executed& executed : plan::executed_steps(plan)) {
        if (executed.step->phase != plan::Phase::init || initialising.contains(executed.index)) continue;
        if (std::holds_alternative<plan::LaunchStep>(executed.step->what))
            return static_cast<size_t>(executed.index);
        const plan::Flow flow = plan::flow_of(plan, *executed.step, effects);
        // A view moves nothing, so that only steps that write compute.
        const bool reads = std::any_of(flow.reads.begin(), flow.reads.end(),
                                       [&](const plan::ByteRange& r) { return weights.contains(r.buffer); });
        if (reads && !flow.writes.empty()) return static_cast<size_t>(executed.index);
    }
    return plan.steps.size();
}

TimedPlan::TimedPlan(Accelerator& accelerator, Parts parts)
    : accelerator_(accelerator), parts_(std::move(parts)) {
    // Once without recording: libraries make their handles, choose algorithms and load kernels.
    build();
    run_call();
    accelerator_.synchronize(parts_.deadline);
    build();
    find_state();
    if (auto* memory = dynamic_cast<DeviceMemory*>(&instance_.executor->memory())) memory->begin_recording();
    instance_.executor->trust_reads();
    replay_ = accelerator_.record([this] {
        if (ran_ && !instance_.executor->rewind()) {
            build();
            refresh(next_set_);
        }
        ran_ = true;
        run_call();
    });
    if (!replay_->graph())
        if (auto* memory = dynamic_cast<DeviceMemory*>(&instance_.executor->memory())) memory->not_recorded();
    accelerator_.synchronize(parts_.deadline);
}

void TimedPlan::build() {
    instance_ = {};  // first, so that its memory can be used again
    instance_ = parts_.make();
    instance_.executor->run_setup(0, parts_.timed_from);
    instance_.executor->mark();
    if (auto* memory = dynamic_cast<DeviceMemory*>(&instance_.executor->memory())) memory->make_constants();
}

void TimedPlan::run_call() {
    instance_.executor->run_setup(parts_.timed_from, parts_.plan->steps.size());
    instance_.executor->run_forward();
}

void TimedPlan::find_state() {
    std::set<int> inputs;
    for (const auto& [name, tensor] : input_tensors(*parts_.plan)) inputs.insert(tensor.buffer);
    const std::set<int> written =
        plan::written_buffers(*parts_.plan, parts_.effects, parts_.choice, parts_.timed_from);
    Memory& memory = instance_.executor->memory();
    for (int buffer : written) {
        if (inputs.contains(buffer) || !memory.live(buffer)) continue;
        const plan::Tensor whole = whole_buffer(*parts_.plan, buffer);
        state_.push_back({whole, memory.view(whole).clone()});
    }
}

void TimedPlan::refresh(size_t set) {
    at::NoGradGuard no_grad;
    Memory& memory = instance_.executor->memory();
    fill_inputs(*parts_.plan, parts_.sets[set], memory);
    // What the last call freed is made again before the next one.
    for (const Saved& saved : state_)
        if (memory.live(saved.whole.buffer)) memory.view(saved.whole).copy_(saved.bytes);
    if (auto* device = dynamic_cast<DeviceMemory*>(&memory)) device->poison_recorded(fresh_poison());
}

std::vector<double> TimedPlan::block(int samples, const std::vector<int>& keep, std::vector<Kept>& kept,
                                     Deadline deadline) {
    const NamedTensors& outputs = parts_.outputs;
    for (int sample : keep) kept.push_back({sample, 0, allocate_pack(accelerator_, outputs)});
    size_t next_kept = 0;
    return accelerator_.time(
        *replay_, samples,
        [&](int sample) {
            next_set_ = (next_set_ + 1) % parts_.sets.size();
            if (next_kept < kept.size() && kept[next_kept].sample == sample) kept[next_kept].set = next_set_;
            refresh(next_set_);
        },
        [&](int sample) {
            if (next_kept >= kept.size() || kept[next_kept].sample != sample) return;
            fill_pack(kept[next_kept++].outputs, outputs, instance_.executor->memory());
        },
        deadline);
}

}  // namespace tritonsmith::run
