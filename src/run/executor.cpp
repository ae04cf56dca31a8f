#include "run/executor.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>

#include "plan/options.h"
#include "run/aten_step.h"
#include "run/draw_step.h"
#include "run/launch_arguments.h"
#include "run/program_cache.h"
#include "run/step_error.h"

namespace tritonsmith::run {
namespace {

constexpr size_t kMaxPrints = 100;

void append(std::vector<Finding>& out, const std::vector<Finding>& more, const plan::Kernel& kernel,
            int line) {
    for (Finding finding : more) {
        finding.evidence["kernel"] = kernel.name;
        finding.evidence["launch_line"] = line;
        if (finding.line == 0) finding.line = kernel.line;
        out.push_back(std::move(finding));
    }
}

}  // namespace

Executor::Executor(const plan::Plan& plan, ExecutorOptions options)
    : plan_(plan), options_(std::move(options)), memory_(plan, options_.memory_limit, options_.poison) {}
Executor::~Executor() = default;

void Executor::run_setup() {
    for (size_t i = 0; i < plan_.steps.size() && !stopped_; ++i) {
        const plan::Step& step = plan_.steps[i];
        if (step.phase == plan::Phase::forward) continue;
        try {
            run(step);
            if (after_step && step.phase == plan::Phase::init) after_step(static_cast<int>(i));
        } catch (StepError& error) {
            error.step = static_cast<int>(i);
            error.line = step.line;
            throw;
        }
    }
}

void Executor::run_forward() {
    setup_choices_ = choices_;
    setup_launched_ = launched_;
    made_by_setup_.clear();
    for (const plan::Buffer& buffer : plan_.buffers)
        if (memory_.live(buffer.id)) made_by_setup_.push_back(buffer.id);
    for (size_t i = 0; i < plan_.steps.size() && !stopped_; ++i) {
        const plan::Step& step = plan_.steps[i];
        if (step.phase != plan::Phase::forward) continue;
        try {
            run(step);
            const auto* aten = std::get_if<plan::AtenStep>(&step.what);
            if (aten && after_forward_step) after_forward_step(*aten);
        } catch (StepError& error) {
            error.step = static_cast<int>(i);
            error.line = step.line;
            throw;
        }
    }
}

bool Executor::rewind() {
    for (int buffer : made_by_setup_)
        if (!memory_.live(buffer)) return false;
    for (const plan::Buffer& buffer : plan_.buffers)
        if (memory_.live(buffer.id) &&
            !std::binary_search(made_by_setup_.begin(), made_by_setup_.end(), buffer.id))
            memory_.release(buffer.id);
    choices_ = setup_choices_;
    launched_ = setup_launched_;
    return true;
}

void Executor::run(const plan::Step& step) {
    if (const auto* aten = std::get_if<plan::AtenStep>(&step.what))
        run_aten_step(*aten, step);
    else if (const auto* launch = std::get_if<plan::LaunchStep>(&step.what))
        run_launch(*launch, step);
    else if (const auto* choice = std::get_if<plan::ChoiceStep>(&step.what))
        run_choice(*choice);
    else if (const auto* dead = std::get_if<plan::FreeStep>(&step.what))
        memory_.release(dead->buffer);
    else if (const auto* read = std::get_if<plan::ReadStep>(&step.what))
        check_read(*read);
}

void Executor::run_aten_step(const plan::AtenStep& aten, const plan::Step& step) {
    at::NoGradGuard no_grad;
    if (draws(aten)) {
        if (step.phase == plan::Phase::forward) forward_draws_ = true;
        int ordinal = aten.draw;
        if (auto link = options_.draw_links.find(ordinal);
            step.phase == plan::Phase::init && link != options_.draw_links.end())
            ordinal = link->second;
        bool varied = step.phase == plan::Phase::inputs;
        run_draw(aten, draw_key(options_.seed, step.phase, ordinal), varied ? options_.variant : Variant{},
                 memory_);
        return;
    }
    if (std::optional<Finding> finding = run_aten(aten, memory_, options_.checks)) {
        finding->line = step.line;
        findings.push_back(std::move(*finding));
        stopped_ = true;
    }
}

void Executor::run_launch(const plan::LaunchStep& launch, const plan::Step& step) {
    if (launched_++ == options_.disable_launch) return;
    if (!options_.programs) throw StepError("plan_invalid", "a reference launches no kernels");
    if (launch.kernel < 0 || static_cast<size_t>(launch.kernel) >= plan_.kernels.size())
        throw StepError("plan_invalid", "a launch of a kernel that the plan does not hold");
    const plan::Kernel& kernel = plan_.kernels[static_cast<size_t>(launch.kernel)];
    auto ready = options_.programs->get(kernel);
    if (auto* invalid = std::get_if<Finding>(&ready)) {
        findings.push_back(std::move(*invalid));
        stopped_ = true;
        return;
    }
    ttir::LaunchOptions options;
    options.seed = options_.poison + static_cast<uint64_t>(launched_);
    options.threads = options_.threads;
    options.checks = options_.checks;
    options.num_warps = plan::num_warps(kernel);
    options.aligned_descriptors = options_.full_size && plan::tensor_copies(plan_.target);
    options.deadline = options_.deadline;
    auto start = Clock::now();
    ttir::LaunchReport report = std::get<ProgramCache::Entry>(ready).program->launch(
        launch.grid, launch_arguments(launch, [this](int id) { return &memory_.shadowed(id); }), options);
    std::chrono::duration<double> seconds = Clock::now() - start;

    if (!report.unsupported.empty())
        throw StepError("unsupported_operation", "kernel '" + kernel.name + "' uses " + report.unsupported);
    append(findings, report.findings, kernel, step.line);
    append(warnings, report.warnings, kernel, step.line);
    if (report.timed_out && report.findings.empty())
        append(findings,
               {{"interpret_timeout", "kernel '" + kernel.name + "' does not end in time", kernel.line}},
               kernel, step.line);
    for (std::string& text : report.prints)
        if (prints.size() < kMaxPrints) prints.push_back(std::move(text));
    tf32 |= report.tf32;
    launches.push_back({kernel.name, report.programs, report.bytes_read, report.bytes_written, report.flops,
                        seconds.count(), step.line, report.waiting});
    if (!findings.empty()) stopped_ = true;
}

void Executor::run_choice(const plan::ChoiceStep& choice) {
    int taken = choices_ < options_.choice.size() ? options_.choice[choices_] : 0;
    ++choices_;
    if (taken < 0 || static_cast<size_t>(taken) >= choice.alternatives.size())
        throw StepError("plan_invalid", "a choice has no alternative " + std::to_string(taken));
    for (const plan::Step& step : choice.alternatives[static_cast<size_t>(taken)].steps) {
        if (stopped_) return;
        run(step);
    }
}

void Executor::check_read(const plan::ReadStep& read) {
    at::Tensor values = memory_.view(read.tensor).to(at::kLong).reshape({-1});
    if (values.numel() != static_cast<int64_t>(read.values.size()))
        throw StepError("plan_invalid", "a host read of another number of values than the plan says");
    for (size_t i = 0; i < read.values.size(); ++i)
        if (values.data_ptr<int64_t>()[i] != read.values[i])
            throw StepError("unsupported_operation",
                            "the program reads values on the host that differ from those it was traced with");
}

}  // namespace tritonsmith::run
