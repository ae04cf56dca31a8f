#include "judge/residency.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "judge/full_memory.h"
#include "plan/flow.h"
#include "plan/json.h"
#include "plan/options.h"
#include "run/launch_arguments.h"
#include "run/step_error.h"
#include "ttir/analysis/effects.h"
#include "ttir/interp/interpreter.h"

namespace tritonsmith::judge {

namespace {

using Clock = std::chrono::steady_clock;

/// The buffers that a launch may touch, with what its kernel may do to them.
std::vector<std::pair<int, ttir::Effect>> touched(const plan::LaunchStep& launch,
                                                  const ttir::Module& module) {
    const std::vector<ttir::Effect> effects = ttir::parameter_effects(module);
    std::vector<std::pair<int, ttir::Effect>> out;
    for (size_t i = 0; i < std::min(effects.size(), launch.args.size()); i++) {
        for (const plan::Tensor& tensor : plan::tensors_in(launch.args[i]))
            out.emplace_back(tensor.buffer, effects[i]);
        if (auto* pointer = std::get_if<plan::Pointer>(&launch.args[i].v))
            out.emplace_back(pointer->buffer, effects[i]);
    }
    return out;
}

bool reads_known(const std::vector<std::pair<int, ttir::Effect>>& buffers, const FullMemory& memory) {
    return std::all_of(buffers.begin(), buffers.end(), [&](const auto& entry) {
        const auto& [buffer, effect] = entry;
        return !(effect.reads || effect.escapes) || memory.known(buffer);
    });
}

/// True if the programs that `resident` places hold all wait for others.
bool never_ends(const plan::LaunchStep& launch, std::shared_ptr<const ttir::Module> module, int64_t resident,
                const ResidencyOptions& options, Clock::time_point deadline, FullMemory& memory) {
    ttir::LaunchOptions launch_options;
    launch_options.seed = options.seed;
    launch_options.threads = options.threads > 0
                                 ? options.threads
                                 : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    launch_options.checks = false;
    launch_options.unknown_memory = true;
    launch_options.resident = resident;
    launch_options.deadline = deadline;
    const std::vector<ttir::Argument> arguments =
        run::launch_arguments(launch, [&](int id) { return memory.buffer(id); });
    return ttir::Program(std::move(module)).launch(launch.grid, arguments, launch_options).stuck;
}

}  // namespace

std::optional<Finding> check_residency(const plan::Plan& reference, const plan::Plan& candidate,
                                       const plan::Links& links,
                                       const std::vector<std::shared_ptr<const ttir::Module>>& modules,
                                       const ResidencyOptions& options, PageCache& pages) {
    const auto concerns = [&](const plan::LaunchStep& launch) {
        const auto index = static_cast<size_t>(launch.kernel);
        const plan::Kernel& kernel = candidate.kernels[index];
        const int64_t programs = launch.grid[0] * launch.grid[1] * launch.grid[2];
        return options.kernels.contains(kernel.name) &&
               !(index < options.skip_kernels.size() && options.skip_kernels[index]) &&
               programs > plan::resident_programs(candidate.target, kernel);
    };
    const std::vector<plan::Executed> steps = plan::executed_steps(candidate);
    if (std::none_of(steps.begin(), steps.end(), [&](const plan::Executed& e) {
            auto* launch = std::get_if<plan::LaunchStep>(&e.step->what);
            return launch && concerns(*launch);
        }))
        return std::nullopt;
    std::set<int> written;
    for (const plan::Executed& e : steps)
        if (auto* launch = std::get_if<plan::LaunchStep>(&e.step->what))
            for (const auto& [buffer, effect] :
                 touched(*launch, *modules[static_cast<size_t>(launch->kernel)]))
                if (effect.writes || effect.escapes) written.insert(buffer);
    FullMemory memory(reference, candidate, links, options.seed, pages, std::move(written));
    if (!memory.usable()) return std::nullopt;
    const auto deadline =
        Clock::now() + std::chrono::microseconds(static_cast<int64_t>(options.seconds * 1e6));
    for (const plan::Executed& e : steps) {
        if (auto* aten = std::get_if<plan::AtenStep>(&e.step->what)) memory.apply(*aten, e.step->phase);
        auto* launch = std::get_if<plan::LaunchStep>(&e.step->what);
        if (!launch) continue;
        const auto& module = modules[static_cast<size_t>(launch->kernel)];
        const auto buffers = touched(*launch, *module);
        if (concerns(*launch) && reads_known(buffers, memory)) {
            const plan::Kernel& kernel = candidate.kernels[static_cast<size_t>(launch->kernel)];
            const int64_t resident = plan::resident_programs(candidate.target, kernel);
            if (never_ends(*launch, module, resident, options, deadline, memory))
                return Finding{
                    "interpret_timeout",
                    fmt::format("a grid of {} programs of kernel {} never ends: a device of {} holds at "
                                "most {} of them at once, and all of these wait for others, which cannot "
                                "start before one ends",
                                launch->grid[0] * launch->grid[1] * launch->grid[2], kernel.name,
                                candidate.target, resident),
                    e.step->line,
                    {{"resident_programs", resident}}};
        }
        for (const auto& [buffer, effect] : buffers)
            if (effect.writes || effect.escapes) memory.forget(buffer);
    }
    return std::nullopt;
}

}  // namespace tritonsmith::judge
