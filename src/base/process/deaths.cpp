#include "base/process/deaths.h"

#include <signal.h>
#include <unistd.h>

namespace tritonsmith {

Blame blame(const Death& death, int64_t much, double cpu_limit) {
    if (death.signal != SIGKILL) return death.signal == SIGXCPU ? Blame::processor : Blame::itself;
    if (death.peak_bytes > much) return Blame::memory;
    if (death.cpu_seconds >= cpu_limit) return Blame::processor;
    return Blame::others;
}

int64_t much_memory() {
    return int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE) / 4;
}

}  // namespace tritonsmith
