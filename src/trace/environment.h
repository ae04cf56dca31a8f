#pragma once

#include <string>

#include "base/process/process.h"
#include "trace/tracer.h"

namespace tritonsmith::trace {

/// How a script of our Python package is started, with the device that computes nothing or without
/// (docs/protocols.md). `folder` becomes its HOME and TMPDIR. @throws MachineError if the script or a native
/// library is missing.
Spawn package_script(const TracerOptions& options, const std::string& script, const std::string& folder,
                     bool fake_device);

/// For a script that uses the GPU: what the user has set for finding it, and for compilers.
Spawn with_gpu(Spawn script);

/// @throws MachineError where this machine cannot confine untrusted programs and the user has not allowed to
/// go without.
void require_sandbox(const TracerOptions& options);

}  // namespace tritonsmith::trace
