#include "base/process/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

namespace tritonsmith {
namespace {

std::string duration(double seconds) {
    int64_t whole = std::llround(seconds);
    if (whole < 120) return fmt::format("{} s", whole);
    if (whole < 7200) return fmt::format("{} min", (whole + 30) / 60);
    return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

Progress::Progress(std::string what, int64_t total, std::FILE* out)
    : what_(std::move(what)), total_(total), out_(out), terminal_(::isatty(::fileno(out))) {}

Progress::~Progress() {
    std::lock_guard lock(mutex_);
    show(true);
}

void Progress::advance(int64_t by) {
    std::lock_guard lock(mutex_);
    done_ += by;
    auto wait = terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(10'000);
    if (Clock::now() - shown_ >= wait) show(false);
}

void Progress::note(std::string text) {
    std::lock_guard lock(mutex_);
    note_ = std::move(text);
}

void Progress::show(bool last) {
    shown_ = Clock::now();
    std::string text =
        line(what_, done_, total_, std::chrono::duration<double>(shown_ - start_).count(), note_);
    if (terminal_)
        fmt::print(out_, "\r\033[K{}{}", text, last ? "\n" : "");
    else
        fmt::print(out_, "{}\n", text);
    std::fflush(out_);
}

std::string Progress::line(const std::string& what, int64_t done, int64_t total, double seconds,
                           const std::string& note) {
    std::string text =
        total > 0 ? fmt::format("{}/{} {}", done, total, what) : fmt::format("{} {}", done, what);
    if (done > 0 && seconds > 0) {
        double rate = static_cast<double>(done) / seconds;
        text += rate >= 1 ? fmt::format(", {:.3g}/s", rate) : fmt::format(", {} each", duration(1 / rate));
        if (done < total)
            text += fmt::format(", {} left", duration(static_cast<double>(total - done) / rate));
        else
            text += fmt::format(", {} in all", duration(seconds));
    }
    return note.empty() ? text : text + ", " + note;
}

}  // namespace tritonsmith
