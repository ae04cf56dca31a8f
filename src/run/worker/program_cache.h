#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <variant>

#include "base/error.h"
#include "plan/analysis/flow.h"
#include "plan/ir/plan.h"
#include "run/client/issued_kernels.h"
#include "ttir/interp/interpreter.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::run {

/// Parsed kernels by their text: the same kernel is launched many times, in many requests.
class ProgramCache {
  public:
    struct Entry {
        std::shared_ptr<const ttir::Module> module;
        std::shared_ptr<const ttir::Program> program;
    };
    /// The kernel made ready, or a finding invalid_ttir.
    std::variant<Entry, Finding> get(const plan::Kernel& kernel);

  private:
    std::unordered_map<std::string, Entry> entries_;
    size_t text_bytes_ = 0;
};

/// The kernel's program with its loads issued as the compiled kernel does, where `issued` names it.
std::shared_ptr<const ttir::Program> as_issued(int kernel, const ProgramCache::Entry& entry,
                                               const IssuedKernels& issued);

/// What the kernels do; of those that do not parse nothing is said. @param construction_only only those that
/// are launched while the module is built
plan::KernelEffects kernel_effects(const plan::Plan& plan, ProgramCache& programs, bool construction_only);

}  // namespace tritonsmith::run
