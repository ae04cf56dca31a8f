#include "base/process/interrupts.h"

#include <signal.h>
#include <time.h>

#include <cstdint>

namespace tritonsmith {
namespace {

std::atomic<bool> interrupted = false;
std::atomic<int> interrupting_signal = 0;
std::atomic<int64_t> interrupted_at = 0;

/// Milliseconds, as a signal's handler may ask for them.
int64_t monotonic_milliseconds() {
    struct timespec now = {};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

void set_signal_action(int signal, void (*action)(int)) {
    struct sigaction what = {};
    what.sa_handler = action;
    what.sa_flags = SA_RESTART;
    ::sigaction(signal, &what, nullptr);
}

void on_interrupt(int signal) {
    const int64_t now = monotonic_milliseconds();
    if (!interrupted) {
        interrupted_at = now;
        interrupting_signal = signal;
        interrupted = true;
    } else if (now - interrupted_at >= 1000) {
        set_signal_action(signal, SIG_DFL);
        ::raise(signal);  // blocked in its own handler: it ends the program on the way out
    }
}

}  // namespace

Interrupts::Interrupts() {
    interrupted = false;
    interrupting_signal = 0;
    set_signal_action(SIGINT, on_interrupt);
    set_signal_action(SIGTERM, on_interrupt);
}

Interrupts::~Interrupts() {
    if (interrupted) return;  // the second signal of a wish may still come while the program ends
    set_signal_action(SIGINT, SIG_DFL);
    set_signal_action(SIGTERM, SIG_DFL);
}

const std::atomic<bool>& Interrupts::flag() const {
    return interrupted;
}

const std::atomic<int>& Interrupts::signal() const {
    return interrupting_signal;
}

}  // namespace tritonsmith
