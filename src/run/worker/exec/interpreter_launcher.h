#pragma once

#include <map>
#include <memory>
#include <utility>

#include "run/worker/exec/launcher.h"
#include "run/worker/program_cache.h"

namespace tritonsmith::run {

/// Launches in HostMemory, by the interpreter.
class InterpreterLauncher : public Launcher {
  public:
    explicit InterpreterLauncher(ProgramCache& programs, AsCompiled as_compiled = {})
        : programs_(programs), as_compiled_(std::move(as_compiled)) {}
    LaunchOutcome launch(const plan::Plan& plan, const plan::LaunchStep& launch, int line,
                         const Options& options, Memory& memory) override;

  private:
    /// The kernel's program, in the order of its compiled form where that is asked for.
    std::shared_ptr<const ttir::Program> program(int kernel, const ProgramCache::Entry& entry);

    ProgramCache& programs_;
    AsCompiled as_compiled_;
    std::map<int, std::shared_ptr<const ttir::Program>> ordered_;
};

}  // namespace tritonsmith::run
