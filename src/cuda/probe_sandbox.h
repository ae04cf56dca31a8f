#pragma once

#include "cuda/probe.h"

namespace tritonsmith::cuda {

/// Enters the sandbox that `guard` names. @throws MachineError
void enter_probe_sandbox(const ProbeGuard& guard);

/// The system calls that were refused since, each once: [{"call":59,"error":1}].
Json refused_calls();

/// The files that this process has mapped or open: what a sandbox must let it reach.
Json files_in_use();

}  // namespace tritonsmith::cuda
