#include "judge/task/prepared_task.h"

#include <random>

#include "plan/analysis/reference.h"

namespace tritonsmith::judge {

namespace {

bool draws_in_forward(const plan::Plan& plan) {
    for (const plan::Step& step : plan.steps)
        if (step.phase == plan::Phase::forward)
            if (auto* aten = std::get_if<plan::AtenStep>(&step.what); aten && aten->draw >= 0) return true;
    return false;
}

}  // namespace

std::variant<PreparedTask, Finding> prepare(const task::Task& task, const Options& given,
                                            Services& services) {
    Options options = given;
    options.draw_seed = (given.seed ? *given.seed : std::random_device{}()) & 0xFFFFFFFF;
    PreparedTask prepared;
    prepared.task = task;
    trace::Outcome full = trace_reference(task, options, services, {});
    if (auto* finding = std::get_if<Finding>(&full)) return as_task_error(*finding);
    prepared.full = std::move(std::get<plan::Plan>(full));
    if (draws_in_forward(prepared.full))
        return Finding{"task_random",
                       "the reference draws random numbers in its forward pass (active dropout?)", 0,
                       Json::object()};
    prepared.moves_only = plan::moves_only(prepared.full);
    prepared.sampled = std::make_shared<const SampledTask>(sampled_task(prepared.full));

    task::ShrinkLimits limits;
    limits.bytes = options.shrink_bytes;
    limits.flops = options.shrink_flops;
    ShrunkTask scaled = shrink_task(task, options, services, prepared.full, prepared.full.constants, limits);
    if (!scaled.shrunk.fits)
        return Finding{"unsupported_operation",
                       "the task is too large for this machine and cannot be shrunk: " + scaled.shrunk.why, 0,
                       Json::object()};
    // That the task says something was found with its own numbers. With these it may copy its input.
    const bool far = task.moved != task::MovedNumbers::none && task.moved != task::MovedNumbers::floats &&
                     task.moved != task::MovedNumbers::whole;
    auto small = prepare_scaled(task, options, services, scaled.shrunk.overrides, std::move(scaled.plan),
                                far ? InputSets::own : InputSets::all);
    if (auto* finding = std::get_if<Finding>(&small)) return *finding;
    prepared.small = std::make_shared<const ScaledTask>(std::move(std::get<ScaledTask>(small)));
    prepared.others = std::make_shared<OtherSizes>(task, options, services, prepared.full, prepared.small);
    if (services.device)
        prepared.device =
            std::make_shared<DeviceReference>(prepared.full, prepared.small, *services.device, options);
    return prepared;
}

}  // namespace tritonsmith::judge
