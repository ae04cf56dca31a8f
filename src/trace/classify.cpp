#include "trace/classify.h"

#include <fmt/format.h>
#include <signal.h>

#include <cstring>
#include <set>

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
        case Stop::itself:
            break;
    }
    return std::nullopt;
}

Finding killed_by(const Ending& e, const Allowance& a) {
    switch (e.signal) {
        case SIGSYS:
            return found(e, "trace_forbidden",
                         "the host code asked the system for what the sandbox forbids (a process, a socket, "
                         "a signal to "
                         "another process, ...)");
        case SIGXCPU:
            return found(e, "trace_timeout", "the host code used up its processor time");
        case SIGKILL:  // not by us, and killed_from_outside said no
            if (e.peak > a.memory / 2)
                return found(e, "trace_memory",
                             "the system ended the traced process, most likely for its memory");
            if (e.cpu_seconds >= a.cpu_seconds)
                return found(e, "trace_timeout", "the host code used up its processor time");
            return found(e, "trace_crash", "the traced process was killed");
        default:
            return found(
                e, "trace_crash",
                fmt::format("the traced process died of signal {} ({})", e.signal, ::strsignal(e.signal)));
    }
}

/// What a program may be found guilty of by the recorder that runs inside it.
const std::set<std::string> kOwnReasons = {"syntax_error",
                                           "no_triton_kernel",
                                           "entry_missing",
                                           "trace_error",
                                           "compile_error",
                                           "host_read",
                                           "not_ttir",
                                           "trace_memory",
                                           "trace_forbidden",
                                           "trace_tampered",
                                           "trace_output",
                                           "compile_option_forbidden"};
/// Only of the trusted reference: a candidate cannot make itself unjudgeable.
const std::set<std::string> kTaskReasons = {"task_error", "task_random", "unsupported_operation"};

std::string text_of(const Json& error, const char* key) {
    auto found = error.find(key);
    return found != error.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

bool killed_from_outside(const Ending& e, const Allowance& a) {
    return e.stop == Stop::itself && e.signal == SIGKILL && e.peak <= a.memory / 2 &&
           e.cpu_seconds < a.cpu_seconds;
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

std::string printable(const std::string& text, size_t most) {
    size_t end = std::min(most, text.size());
    while (end > 0 && end < text.size() && (text[end] & 0xc0) == 0x80) --end;  // not inside a character
    std::string result = text.substr(0, end);
    const Json quoted = result;
    const bool utf8 = quoted.dump(-1, ' ', false, Json::error_handler_t::ignore) ==
                      quoted.dump(-1, ' ', false, Json::error_handler_t::replace);
    auto byte = [&](size_t i) { return i < result.size() ? static_cast<unsigned char>(result[i]) : 0u; };
    for (size_t i = 0; i < result.size(); ++i) {
        const unsigned c = byte(i), d = byte(i + 1), e = byte(i + 2);
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f || (!utf8 && c >= 0x80)) result[i] = '?';
        if (!utf8) continue;
        // U+0080 to U+009F are controls too; U+202A..E and U+2066..9 reorder what a person reads.
        if (c == 0xc2 && d < 0xa0) result.replace(i, 2, "?");
        if (c == 0xe2 && ((d == 0x80 && e >= 0xaa && e <= 0xae) || (d == 0x81 && e >= 0xa6 && e <= 0xa9)))
            result.replace(i, 3, "?");
    }
    if (end < text.size()) result += " ...";
    return result;
}

Finding finding_of(const Json& error, const std::string& kind) {
    const std::string reason = text_of(error, "reason"), type = text_of(error, "type");
    Finding finding{reason, printable(text_of(error, "message"), 2000), 0, Json::object()};
    if (!kOwnReasons.count(reason) && !(kind == "reference" && kTaskReasons.count(reason))) {
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
