#include "cli/sampling/interrupts.h"

#include <signal.h>

namespace tritonsmith::cli {
namespace {

std::atomic<bool> interrupted = false;

void set_action(int signal, void (*action)(int)) {
    struct sigaction what = {};
    what.sa_handler = action;
    what.sa_flags = SA_RESTART;
    ::sigaction(signal, &what, nullptr);
}

void on_interrupt(int signal) {
    interrupted = true;
    set_action(signal, SIG_DFL);
}

}  // namespace

Interrupts::Interrupts() {
    interrupted = false;
    set_action(SIGINT, on_interrupt);
    set_action(SIGTERM, on_interrupt);
}

Interrupts::~Interrupts() {
    set_action(SIGINT, SIG_DFL);
    set_action(SIGTERM, SIG_DFL);
}

const std::atomic<bool>& Interrupts::flag() const {
    return interrupted;
}

}  // namespace tritonsmith::cli
