#include "ttir/interp/lower/exec.h"

#include <algorithm>
#include <cstring>

#include "ttir/interp/lower/exec_launch.h"
#include "ttir/ir/location.h"

namespace tritonsmith::ttir {
namespace {

/// Work between two looks at the clock.
constexpr int64_t kCheckInterval = int64_t{1} << 20;

}  // namespace

int Context::line(const Step& step) const {
    const Location* frame = user_frame(*module, step.location, launch->options->source);
    return frame == nullptr ? 0 : frame->line;
}

void Context::check_limits() {
    const LaunchOptions& options = *launch->options;
    next_check = std::min(operations + kCheckInterval, options.max_operations_per_program + 1);
    const bool late = options.deadline && std::chrono::steady_clock::now() > *options.deadline;
    const bool cancelled = options.cancelled && options.cancelled->load(std::memory_order_relaxed);
    if (late || cancelled || operations > options.max_operations_per_program) {
        launch->timed_out.store(true, std::memory_order_relaxed);
        launch->stop.store(true, std::memory_order_relaxed);
    }
    if (launch->stop.load(std::memory_order_relaxed)) stop = true;
}

void Context::run() {
    const auto& steps = code->steps;
    while (!stop) steps[static_cast<size_t>(pc++)]->run(*this);
}

void Context::run_nested(int entry) {
    const int saved = pc;
    pc = entry;
    while (pc >= 0 && !stop) {
        const Step& step = *code->steps[static_cast<size_t>(pc++)];
        step.run(*this);
    }
    pc = saved;
}

Finding Context::finding_at(const Step& step, std::string reason, const std::string& message,
                            Json evidence) const {
    const Location* frame = user_frame(*module, step.location, launch->options->source);
    const int at = frame == nullptr ? 0 : frame->line;
    evidence["program"] = {id[0], id[1], id[2]};
    if (frame != nullptr) evidence["file"] = frame->file;
    return {std::move(reason), (at > 0 ? "line " + std::to_string(at) + ": " : "") + message, at,
            std::move(evidence)};
}

void Context::find(const Step& step, std::string reason, std::string message, Json evidence, bool fatal) {
    Finding finding = finding_at(step, std::move(reason), message, std::move(evidence));
    {
        std::lock_guard lock(launch->mutex);
        launch->findings.emplace(finding.reason, std::move(finding));
    }
    if (fatal) {
        launch->stop.store(true, std::memory_order_relaxed);
        stop = true;
    }
}

void Context::warn(const Step& step, std::string reason, std::string message, Json evidence) {
    Finding finding = finding_at(step, std::move(reason), message, std::move(evidence));
    std::lock_guard lock(launch->mutex);
    launch->warnings.emplace(finding.reason, std::move(finding));
}

void Context::unsupported(const Step& step, const std::string& what) {
    const int at = line(step);
    {
        std::lock_guard lock(launch->mutex);
        if (launch->unsupported.empty())
            launch->unsupported = (at > 0 ? "line " + std::to_string(at) + ": " : "") + what;
    }
    launch->stop.store(true, std::memory_order_relaxed);
    stop = true;
}

void Move::apply(Context& ctx, std::byte* out) const {
    if (lanes && expand.total == 1 && !expand.scalar) {
        std::memmove(out, ctx.at(from), static_cast<size_t>(ctx.lanes * size));
    } else if (lanes) {
        expand.copy(out, ctx.at(from), size, 0, ctx.lanes);
    } else if (expand.identity) {
        if (out != ctx.at(from)) std::memmove(out, ctx.at(from), static_cast<size_t>(expand.total * size));
    } else {
        expand.copy(out, ctx.at(from), size, 0, expand.total);
    }
}

}  // namespace tritonsmith::ttir
