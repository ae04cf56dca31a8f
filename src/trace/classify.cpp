#include "trace/classify.h"

#include <fmt/format.h>
#include <signal.h>

#include <cstring>

#include "base/reasons.h"

namespace tritonsmith::trace {
namespace {

using Stop = Ending::Stop;

Finding found(const Ending& ending, std::string reason, std::string message) {
    Finding finding{std::move(reason), std::move(message), 0, Json::object()};
    if (!ending.output.empty()) finding.evidence["output"] = printable(ending.output, 4000);
    finding.evidence["cpu_seconds"] = ending.cpu_seconds;
    finding.evidence["peak_memory"] = ending.peak;
    return finding;
}

std::string mebibytes(int64_t bytes) {
    return fmt::format("{} MiB", bytes >> 20);
}

std::optional<Finding> stopped(const Ending& e, const Allowance& a) {
    switch (e.stop) {
        case Stop::deadline:
            return found(e, "trace_timeout", "the host code did not end within its deadline");
        case Stop::memory:
            return found(e, "trace_memory",
                         "the host code took more than " + mebibytes(a.memory) + " of memory");
        case Stop::output:
            return found(e, "trace_output", "the host code printed more than " + mebibytes(a.output));
        case Stop::files:
            return found(e, "trace_output",
                         fmt::format("the host code wrote more than {} or {} files into its folder",
                                     mebibytes(a.files), a.entries));
        case Stop::threads:
            return found(e, "trace_forbidden",
                         fmt::format("the host code started more than {} threads", a.threads));
        case Stop::oversized:
            return found(e, "trace_protocol",
                         "the traced process sent more than one result, or one that is too large");
        case Stop::lingered:
            return found(e, "trace_protocol", "the traced process went on after its result");
        case Stop::cancelled:
            return found(e, "trace_timeout", "nobody waits for the result any more");
        case Stop::itself:
            break;
    }
    return std::nullopt;
}

Blame blame_of(const Ending& e, const Allowance& a) {
    return blame({e.signal, e.peak, e.cpu_seconds}, a.memory / 2, a.cpu_seconds);
}

Finding killed_by(const Ending& e, const Allowance& a) {
    if (e.signal == SIGSYS)
        return found(
            e, "trace_forbidden",
            "the host code asked the system for what the sandbox forbids (a process, a socket, a signal to "
            "another process, ...)");
    switch (blame_of(e, a)) {
        case Blame::processor:
            return found(e, "trace_timeout", "the host code used up its processor time");
        case Blame::memory:
            return found(e, "trace_memory",
                         "the system ended the traced process, most likely for its memory");
        case Blame::others:  // whoever asks again does not get here (killed_from_outside)
            return found(e, "trace_crash", "the traced process was killed");
        case Blame::itself:
            break;
    }
    return found(e, "trace_crash",
                 fmt::format("the traced process died of signal {} ({})", e.signal, ::strsignal(e.signal)));
}

/// Whether the recorder that runs inside a program may find that. Only the trusted reference can be
/// unjudgeable.
bool may_say(const std::string& code, const std::string& kind) {
    const Reason* reason = find_reason(code);
    if (!reason) return false;
    if (reason->kind == ReasonClass::unjudgeable)
        return kind == "reference" && reason->stages.has(Stage::task);
    return reason->kind == ReasonClass::rejected && reason->stages.has(Stage::trace);
}

std::string text_of(const Json& error, const char* key) {
    auto found = error.find(key);
    return found != error.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

bool killed_from_outside(const Ending& e, const Allowance& a) {
    return e.stop == Stop::itself && blame_of(e, a) == Blame::others;
}

std::string_view frame_body(const Ending& ending) {
    return std::string_view(ending.result).substr(std::min<size_t>(4, ending.result.size()));
}

std::optional<Finding> classify(const Ending& ending, const Allowance& allowance) {
    if (auto finding = stopped(ending, allowance)) return finding;
    if (ending.signal != 0) return killed_by(ending, allowance);
    if (ending.result.empty()) {
        return found(
            ending, "trace_protocol",
            fmt::format("the traced process ended itself (exit status {}) without a result", ending.status));
    }
    int64_t length = 0;
    for (size_t i = 0; i < 4 && i < ending.result.size(); ++i)
        length |= int64_t{static_cast<unsigned char>(ending.result[i])} << (8 * i);
    if (static_cast<int64_t>(ending.result.size()) != length + 4)
        return found(ending, "trace_protocol", "the traced process ended in the middle of its result");
    return std::nullopt;
}

Finding finding_of(const Json& error, const std::string& kind) {
    const std::string reason = text_of(error, "reason"), type = text_of(error, "type");
    Finding finding{reason, printable(text_of(error, "message"), 2000), 0, Json::object()};
    if (!may_say(reason, kind)) {
        finding.reason = "trace_protocol";
        finding.message = "the traced process gave a reason of its own: " + printable(reason, 100);
    }
    if (finding.message.empty()) finding.message = "the traced process gave no message";
    // What Landlock refuses arrives in Python as an ordinary exception.
    if (reason == "trace_error" && type == "PermissionError") finding.reason = "trace_forbidden";
    if (reason == "trace_error" && type == "MemoryError") finding.reason = "trace_memory";
    auto line = error.find("line");
    if (line != error.end() && line->is_number_integer()) {
        const int64_t number = line->get<int64_t>();
        if (number > 0 && number < 10'000'000) finding.line = static_cast<int>(number);
    }
    if (!type.empty()) finding.evidence["type"] = printable(type, 200);
    const std::string traceback = text_of(error, "traceback");
    if (!traceback.empty()) finding.evidence["traceback"] = printable(traceback, 8000);
    return finding;
}

}  // namespace tritonsmith::trace
