#include "base/process/interrupts.h"

#include <signal.h>

namespace tritonsmith {
namespace {

std::atomic<bool> interrupted = false;
std::atomic<int> interrupting_signal = 0;

void set_signal_action(int signal, void (*action)(int)) {
    struct sigaction what = {};
    what.sa_handler = action;
    what.sa_flags = SA_RESTART;
    ::sigaction(signal, &what, nullptr);
}

void on_interrupt(int signal) {
    interrupting_signal = signal;
    interrupted = true;
    set_signal_action(signal, SIG_DFL);
}

}  // namespace

Interrupts::Interrupts() {
    interrupted = false;
    interrupting_signal = 0;
    set_signal_action(SIGINT, on_interrupt);
    set_signal_action(SIGTERM, on_interrupt);
}

Interrupts::~Interrupts() {
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
