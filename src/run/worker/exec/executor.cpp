#include "run/worker/exec/executor.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <iterator>

#include "run/worker/aten/aten_step.h"
#include "run/worker/exec/draw_alike.h"
#include "run/worker/exec/draw_step.h"
#include "run/worker/step_error.h"

namespace tritonsmith::run {
namespace {

constexpr size_t kMaxPrints = 100;

}  // namespace

Executor::Executor(const plan::Plan& plan, ExecutorOptions options, std::unique_ptr<Memory> memory)
    : plan_(plan), options_(std::move(options)), memory_(std::move(memory)) {
    if (options_.variant.pattern != Variant::Pattern::none || !options_.variant.kept.empty())
        roles_ = leaf_roles(plan);
    if (options_.variant.alike != Variant::Alike::none) alike_ = alike_draws(plan);
}
Executor::~Executor() = default;

void Executor::run_setup() {
    run_setup(0, plan_.steps.size());
}

void Executor::run_setup(size_t first, size_t last) {
    for (size_t i = first; i < last && !stopped_; ++i) {
        const plan::Step& step = plan_.steps[i];
        if (step.phase == plan::Phase::forward) continue;
        run_named(i);
        if (after_step && step.phase == plan::Phase::init) after_step(static_cast<int>(i));
    }
}

void Executor::run_forward() {
    if (!mark_) mark();
    for (size_t i = 0; i < plan_.steps.size() && !stopped_; ++i) {
        const plan::Step& step = plan_.steps[i];
        if (step.phase != plan::Phase::forward) continue;
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        if (aten && before_forward_step) before_forward_step(*aten);
        run_named(i);
        if (aten && after_forward_step) after_forward_step(*aten);
    }
}

void Executor::mark() {
    mark_ = {choices_, launched_, {}};
    for (const plan::Buffer& buffer : plan_.buffers)
        if (memory_->live(buffer.id)) mark_->live.push_back(buffer.id);
}

bool Executor::rewind() {
    for (int buffer : mark_->live)
        if (!memory_->live(buffer)) return false;
    for (const plan::Buffer& buffer : plan_.buffers)
        if (memory_->live(buffer.id) &&
            !std::binary_search(mark_->live.begin(), mark_->live.end(), buffer.id))
            memory_->release(buffer.id);
    choices_ = mark_->choices;
    launched_ = mark_->launched;
    ++calls_;
    return true;
}

void Executor::run_named(size_t index) {
    const plan::Step& step = plan_.steps[index];
    try {
        run(step);
    } catch (StepError& error) {
        error.step = static_cast<int>(index);
        error.line = step.line;
        throw;
    }
}

void Executor::run(const plan::Step& step) {
    if (const auto* aten = std::get_if<plan::AtenStep>(&step.what))
        run_aten_step(*aten, step);
    else if (const auto* launch = std::get_if<plan::LaunchStep>(&step.what))
        run_launch(*launch, step);
    else if (const auto* choice = std::get_if<plan::ChoiceStep>(&step.what))
        run_choice(*choice);
    else if (const auto* dead = std::get_if<plan::FreeStep>(&step.what))
        release(dead->buffer);
    else if (const auto* read = std::get_if<plan::ReadStep>(&step.what))
        check_read(*read);
}

void Executor::release(int buffer) {
    // What the forward phase frees and never reads is no part of what it is given (ForwardState).
    if (memory_->live(buffer)) memory_->release(buffer);
}

void Executor::run_aten_step(const plan::AtenStep& aten, const plan::Step& step) {
    at::NoGradGuard no_grad;
    if (draws(aten)) {
        if (step.phase == plan::Phase::forward) forward_draws_ = true;
        int ordinal = aten.draw;
        uint64_t seed = step.phase == plan::Phase::init ? options_.construction_seed.value_or(options_.seed)
                                                        : options_.seed;
        if (auto link = options_.draw_links.find(ordinal);
            step.phase == plan::Phase::init && link != options_.draw_links.end()) {
            ordinal = link->second;
            seed = options_.linked_seed;
        }
        bool varied = step.phase == plan::Phase::inputs;
        const auto role = roles_.find(varied ? ordinal : -1);
        run_draw(aten, draw_key(seed, step.phase, ordinal), varied ? options_.variant : Variant{},
                 role == roles_.end() ? LeafRole{} : role->second, *memory_);
        const auto alike = alike_.find(varied ? ordinal : -1);
        if (const auto* drawn = std::get_if<plan::Tensor>(&aten.result.v); drawn && alike != alike_.end())
            draw_alike(*drawn, alike->second, draw_key(seed, step.phase, alike->second.of),
                       options_.variant.alike, *memory_);
        return;
    }
    const bool forward = step.phase == plan::Phase::forward;
    const numerics::Precision precision = forward ? options_.precision : numerics::Precision::ieee;
    if (std::optional<Finding> finding =
            run_aten(aten, *memory_, {options_.checks, options_.equivalents, precision})) {
        finding->line = step.line;
        findings.push_back(std::move(*finding));
        stopped_ = true;
    }
}

void Executor::run_launch(const plan::LaunchStep& launch, const plan::Step& step) {
    if (launched_++ == options_.disable_launch) return;
    if (!options_.launcher) throw StepError("plan_invalid", "a reference launches no kernels");
    if (launch.kernel < 0 || static_cast<size_t>(launch.kernel) >= plan_.kernels.size())
        throw StepError("plan_invalid", "a launch of a kernel that the plan does not hold");
    Launcher::Options options;
    options.seed = options_.poison + static_cast<uint64_t>(launched_) + calls_ * uint64_t{0x9E3779B97F4A7C15};
    options.threads = options_.threads;
    options.checks = options_.checks;
    options.full_size = options_.full_size;
    options.deadline = options_.deadline;
    LaunchOutcome outcome = options_.launcher->launch(plan_, launch, step.line, options, *memory_);
    std::move(outcome.findings.begin(), outcome.findings.end(), std::back_inserter(findings));
    std::move(outcome.warnings.begin(), outcome.warnings.end(), std::back_inserter(warnings));
    for (std::string& text : outcome.prints)
        if (prints.size() < kMaxPrints) prints.push_back(std::move(text));
    tf32 |= outcome.tf32;
    launches.push_back(std::move(outcome.launched));
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
    if (trust_reads_) return;
    at::Tensor values = memory_->view(read.tensor).to(at::kLong).cpu().reshape({-1});
    if (values.numel() != static_cast<int64_t>(read.values.size()))
        throw StepError("plan_invalid", "a host read of another number of values than the plan says");
    for (size_t i = 0; i < read.values.size(); ++i)
        if (values.data_ptr<int64_t>()[i] != read.values[i])
            throw StepError("host_read",
                            "the program reads values on the host that differ from those it was traced with");
}

}  // namespace tritonsmith::run
