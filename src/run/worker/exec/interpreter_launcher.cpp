#include "run/worker/exec/interpreter_launcher.h"

#include "plan/ir/options.h"
#include "run/worker/launch_arguments.h"
#include "run/worker/memory/host_memory.h"
#include "run/worker/step_error.h"

namespace tritonsmith::run {
namespace {

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

std::shared_ptr<const ttir::Program> InterpreterLauncher::program(int kernel,
                                                                  const ProgramCache::Entry& entry) {
    std::shared_ptr<const ttir::Program>& made = ordered_[kernel];
    if (!made) made = as_issued(kernel, entry, as_compiled_.issued);
    return made;
}

LaunchOutcome InterpreterLauncher::launch(const plan::Plan& plan, const plan::LaunchStep& launch, int line,
                                          const Options& options, Memory& memory) {
    const plan::Kernel& kernel = plan.kernels[static_cast<size_t>(launch.kernel)];
    auto& host = dynamic_cast<HostMemory&>(memory);
    LaunchOutcome out;
    auto ready = programs_.get(kernel);
    if (auto* invalid = std::get_if<Finding>(&ready)) {
        out.findings.push_back(std::move(*invalid));
        return out;
    }
    ttir::LaunchOptions how;
    how.seed = options.seed;
    how.threads = options.threads;
    how.checks = options.checks;
    how.num_warps = plan::num_warps(kernel);
    how.aligned_descriptors = options.full_size && plan::tensor_copies(plan.target);
    how.keep_promises = as_compiled_.keep_promises;
    how.deadline = options.deadline;
    const auto start = Clock::now();
    ttir::LaunchReport report =
        program(launch.kernel, std::get<ProgramCache::Entry>(ready))
            ->launch(launch.grid, launch_arguments(launch, [&](int id) { return &host.shadowed(id); }), how);
    const std::chrono::duration<double> seconds = Clock::now() - start;

    if (!report.unsupported.empty())
        throw StepError("unsupported_kernel", "kernel '" + kernel.name + "' uses " + report.unsupported);
    append(out.findings, report.findings, kernel, line);
    append(out.warnings, report.warnings, kernel, line);
    if (report.timed_out && report.findings.empty())
        append(out.findings,
               {{"interpret_timeout", "kernel '" + kernel.name + "' does not end in time", kernel.line}},
               kernel, line);
    out.prints = std::move(report.prints);
    out.tf32 = report.tf32;
    out.launched = {
        kernel.name, report.programs, report.bytes_read, report.bytes_written, report.flops, seconds.count(),
        line,        report.waiting};
    return out;
}

}  // namespace tritonsmith::run
