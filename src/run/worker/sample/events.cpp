#include "run/worker/sample/events.h"

#include <algorithm>

#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "run/draw/store.h"
#include "run/worker/launch_arguments.h"

namespace tritonsmith::run::sample {

Events::Events(const std::vector<plan::Executed>& steps, const std::vector<bool>& skip_kernels,
               Kernels& kernels, Memory& memory, const std::vector<double>& seconds)
    : kernels_(kernels), memory_(memory), interesting_(written_by_launches(steps, kernels)) {
    Event start;
    for (int id : memory_.unlinked_parameters()) {
        start.spoilt.push_back(memory_.buffer(id));
        interesting_.insert(id);
    }
    events_.push_back(std::move(start));
    for (const plan::Executed& e : steps) {
        Event event;
        if (const auto* aten = std::get_if<plan::AtenStep>(&e.step->what)) {
            host_step(*aten, e.step->phase, event);
        } else if (const auto* launch = std::get_if<plan::LaunchStep>(&e.step->what)) {
            const auto kernel = static_cast<size_t>(launch->kernel);
            if (kernel < skip_kernels.size() && skip_kernels[kernel]) followed_ = false;
            const size_t number = launches_.size();
            launch_step(*launch, *e.step, number < seconds.size() ? seconds[number] : -1, event);
        } else {
            continue;
        }
        events_.push_back(std::move(event));
    }
    add_footprints();
}

void Events::host_step(const plan::AtenStep& aten, plan::Phase phase, Event& event) {
    const plan::OpClass kind = plan::op_class(aten.op);
    if (kind == plan::OpClass::view || kind == plan::OpClass::allocate) return;
    std::set<int> changed;
    for (const plan::Tensor& tensor : plan::tensors_in(aten.result)) changed.insert(tensor.buffer);
    for (const plan::ByteRange& range : plan::flow_of(aten).writes) changed.insert(range.buffer);
    const bool early =
        std::none_of(changed.begin(), changed.end(), [&](int id) { return late_.contains(id); });
    if (early && changed.size() == 1 && memory_.apply(aten, phase)) {
        event.made.push_back(memory_.buffer(*changed.begin()));
        return;
    }
    if (changed.size() == 1) event.copy = copy_of(aten);
    if (const auto constant = constant_of(aten); constant && changed.size() == 1) {
        const plan::Tensor to = plan::tensors_in(aten.result).front();
        event.element.resize(static_cast<size_t>(plan::element_size(to.dtype)));
        if (store(event.element.data(), to.dtype, *constant)) event.filled = to;
    }
    for (int id : changed) {
        late_.insert(id);
        interesting_.insert(id);
        memory_.forget(id);  // a copy of it is not what a run would copy
        if (!event.copy && !event.filled) event.spoilt.push_back(memory_.buffer(id));
    }
}

void Events::launch_step(const plan::LaunchStep& launch, const plan::Step& step, double seconds,
                         Event& event) {
    event.launch = static_cast<int>(launches_.size());
    Launch made;
    made.step = &launch;
    made.line = step.line;
    made.seconds = seconds;
    made.arguments = launch_arguments(launch, [this](int id) { return memory_.buffer(id); });
    const std::vector<ttir::Effect>& effects = kernels_.effects(launch.kernel);
    for (size_t i = 0; i < launch.args.size(); i++) {
        const int id = plan::buffer_of(launch.args[i]);
        if (id < 0) continue;
        late_.insert(id);
        if (i >= effects.size() || !effects[i].writes) continue;
        made.writes.insert(memory_.buffer(id));
        // A weight that is initialised by a kernel is given the reference's values afterwards.
        if (step.phase != plan::Phase::forward && memory_.leaf(id))
            event.spoilt.push_back(memory_.buffer(id));
        memory_.forget(id);
    }
    launches_.push_back(std::move(made));
}

void Events::add_footprints() {
    std::set<const ttir::Buffer*> buffers;
    for (int id : interesting_) buffers.insert(memory_.buffer(id));
    for (Launch& launch : launches_) {
        const bool any =
            std::any_of(launch.step->args.begin(), launch.step->args.end(), [&](const plan::Value& a) {
                return plan::buffer_of(a) >= 0 && interesting_.contains(plan::buffer_of(a));
            });
        if (!any) continue;
        launch.footprint = std::make_unique<ttir::Footprint>(kernels_.module(launch.step->kernel),
                                                             launch.step->grid, launch.arguments, buffers);
        followed_ &= launch.footprint->followed();
    }
}

}  // namespace tritonsmith::run::sample
