#pragma once

#include "run/launcher.h"
#include "run/program_cache.h"

namespace tritonsmith::run {

/// Launches in HostMemory, by the interpreter.
class InterpreterLauncher : public Launcher {
  public:
    explicit InterpreterLauncher(ProgramCache& programs) : programs_(programs) {}
    LaunchOutcome launch(const plan::Plan& plan, const plan::LaunchStep& launch, int line,
                         const Options& options, Memory& memory) override;

  private:
    ProgramCache& programs_;
};

}  // namespace tritonsmith::run
