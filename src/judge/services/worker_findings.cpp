#include "judge/services/worker_findings.h"

#include <fmt/format.h>
#include <signal.h>

#include "base/reasons.h"

namespace tritonsmith::judge {
namespace {

void require_machine(const run::WorkerError& error) {
    const Reason* reason = find_reason(error.reason);
    if (reason && reason->kind == ReasonClass::machine)
        throw MachineError((error.reason == "gpu_lost" ? "the GPU is lost: " : "") + error.message);
}

}  // namespace

Finding candidate_finding(const run::WorkerError& error, bool on_device) {
    require_machine(error);
    std::string reason = error.reason;
    if (reason == "deadline_exceeded") reason = on_device ? "gpu_timeout" : "interpret_timeout";
    if (reason == "unsupported_operation") reason = "aten_not_allowed";
    if (reason == "task_random") reason = "nondeterministic";
    Finding finding{reason, error.message, error.line, Json::object()};
    if (on_device) finding.evidence["size"] = "full";
    if (error.step >= 0) finding.evidence["step"] = error.step;
    if (error.death.signal == SIGKILL) finding.evidence["killed_at_bytes"] = error.death.peak_bytes;
    return finding;
}

Finding reference_finding(const run::WorkerError& error, const std::string& what) {
    require_machine(error);
    if (error.death.signal == SIGKILL) throw MachineError(fmt::format("{}: {}", what, error.message));
    std::string reason = "task_error";
    if (error.reason == "task_random") reason = error.reason;
    for (const char* lacking : {"unsupported_operation", "aten_not_allowed", "host_read"})
        if (error.reason == lacking) reason = "unsupported_operation";
    return of_the_task({reason, what + ": " + error.message, error.line, {{"worker_reason", error.reason}}});
}

Finding of_the_task(Finding finding) {
    if (finding.line > 0) {
        finding.message += fmt::format(" (line {} of the task)", finding.line);
        finding.evidence["task_line"] = finding.line;
        finding.line = 0;
    }
    return finding;
}

bool about_candidate(const Finding& finding) {
    const Reason* reason = find_reason(finding.reason);
    return !reason || reason->kind == ReasonClass::rejected;
}

Finding settled(Finding finding) {
    if (finding.reason != "worker_died" || !finding.evidence.contains("killed_at_bytes")) return finding;
    const int64_t bytes = finding.evidence["killed_at_bytes"].get<int64_t>();
    finding.message += fmt::format("; it had {} MiB", bytes >> 20);
    if (blame({SIGKILL, bytes}, much_memory()) == Blame::others) throw MachineError(finding.message);
    finding.reason = "out_of_memory";
    return finding;
}

}  // namespace tritonsmith::judge
