#pragma once

#include <string>

#include "base/error.h"

namespace tritonsmith::cuda {

/// How a probing process guards itself before it touches the driver.
struct ProbeGuard {
    std::string name;            ///< "gpu", "report", "shm", "no_landlock", "none"
    bool exporter = true;        ///< makes the shared memory; else imports what its peer made
    int peer = -1, parent = -1;  ///< sockets: the other process, and where the answer goes
};

/// Enters the sandbox, uses the first device in every way that a worker does, and shares memory with the
/// peer. Answers {"ok":true,"steps":{"context":"ok"…},"seconds":{…}}; a step that failed says what failed.
/// Under "report" also "refused":[{"call":59,"error":1}], without Landlock "files":[…]. Never throws.
Json probe(const ProbeGuard& guard);

}  // namespace tritonsmith::cuda
