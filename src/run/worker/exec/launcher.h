#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/process/process.h"
#include "plan/ir/plan.h"
#include "run/client/client.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

/// What a launch came to, as far as whoever made it can tell.
struct LaunchOutcome {
    std::vector<Finding> findings, warnings;
    std::vector<std::string> prints;
    bool tf32 = false;
    Launched launched;
};

/// Runs the launches of one plan: by the interpreter, or on a device.
class Launcher {
  public:
    struct Options {
        uint64_t seed = 0;  ///< of the order in which programs run, where that is chosen
        int threads = 1;
        bool checks = false;
        bool full_size = false;  ///< CandidateRequest::full_size
        Deadline deadline;
    };
    virtual ~Launcher() = default;
    /// @param memory of the kind that this launcher's plans run in. @throws StepError
    virtual LaunchOutcome launch(const plan::Plan& plan, const plan::LaunchStep& launch, int line,
                                 const Options& options, Memory& memory) = 0;
};

}  // namespace tritonsmith::run
