#include "run/worker/sample/residency.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "plan/analysis/flow.h"
#include "plan/ir/json.h"
#include "plan/ir/options.h"
#include "run/worker/launch_arguments.h"
#include "ttir/interp/interpreter.h"

namespace tritonsmith::run::sample {

namespace {

using Clock = std::chrono::steady_clock;

/// True if what it reads is what a real run would read.
bool reads_known(const plan::LaunchStep& launch, Kernels& kernels, const Memory& memory) {
    const std::vector<ttir::Effect>& effects = kernels.effects(launch.kernel);
    for (size_t i = 0; i < std::min(effects.size(), launch.args.size()); i++)
        if (const int id = plan::buffer_of(launch.args[i]);
            id >= 0 && (effects[i].reads || effects[i].escapes) && !memory.known(id))
            return false;
    return true;
}

/// True if the programs that `resident` places hold all wait for others.
bool never_ends(const plan::LaunchStep& launch, int64_t resident, const Context& context, uint64_t seed,
                Clock::time_point deadline, Memory& memory) {
    ttir::LaunchOptions options;
    options.seed = seed;
    options.threads = context.threads();
    options.checks = false;
    options.unknown_memory = true;
    options.resident = resident;
    options.deadline = deadline;
    const std::vector<ttir::Argument> arguments =
        launch_arguments(launch, [&](int id) { return memory.buffer(id); });
    return context.kernels.program(launch.kernel).launch(launch.grid, arguments, options).stuck;
}

}  // namespace

std::optional<Finding> check_residency(const Context& context, const Leaves::Options& options,
                                       PageCache& pages) {
    const plan::Plan& plan = context.plan();
    const auto concerns = [&](const plan::LaunchStep& launch) {
        const plan::Kernel& kernel = plan.kernels[static_cast<size_t>(launch.kernel)];
        const int64_t programs = launch.grid[0] * launch.grid[1] * launch.grid[2];
        return context.request.resident_kernels.contains(kernel.name) && !context.skipped(launch.kernel) &&
               programs > plan::resident_programs(plan.target, kernel);
    };
    const std::vector<plan::Executed> steps = plan::executed_steps(plan);
    if (std::none_of(steps.begin(), steps.end(), [&](const plan::Executed& e) {
            auto* launch = std::get_if<plan::LaunchStep>(&e.step->what);
            return launch && concerns(*launch);
        }))
        return std::nullopt;
    const Leaves leaves(context.owned.leaves, options);
    if (!leaves.usable()) return std::nullopt;
    Memory memory(context.owned.leaves, plan, context.request.links, leaves, options.seed, pages);
    const auto deadline = Clock::now() + std::chrono::microseconds(
                                             static_cast<int64_t>(context.request.resident_seconds * 1e6));
    for (const plan::Executed& e : steps) {
        if (auto* aten = std::get_if<plan::AtenStep>(&e.step->what))
            memory.apply_or_forget(*aten, e.step->phase);
        auto* launch = std::get_if<plan::LaunchStep>(&e.step->what);
        if (!launch) continue;
        if (concerns(*launch) && reads_known(*launch, context.kernels, memory)) {
            const plan::Kernel& kernel = plan.kernels[static_cast<size_t>(launch->kernel)];
            const int64_t resident = plan::resident_programs(plan.target, kernel);
            if (never_ends(*launch, resident, context, options.seed, deadline, memory))
                return Finding{
                    "interpret_timeout",
                    fmt::format("a grid of {} programs of kernel {} never ends: a device of {} holds at "
                                "most {} of them at once, and all of these wait for others, which cannot "
                                "start before one ends",
                                launch->grid[0] * launch->grid[1] * launch->grid[2], kernel.name, plan.target,
                                resident),
                    e.step->line,
                    {{"resident_programs", resident}}};
        }
        for (int id : written_by(*launch, context.kernels)) memory.forget(id);
    }
    return std::nullopt;
}

}  // namespace tritonsmith::run::sample
