#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "plan/ir/plan.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

/// Weights that do not start as random draws get values that a kernel which skips them, or has
/// them written into it, cannot guess. Which ones, and by which law: plan::redrawn_weights.
class Redraw {
  public:
    /// @param state of plan::redrawn_weights
    Redraw(const plan::Plan& plan, Memory& memory, uint64_t seed, bool state);
    /// To be called after each step of the init phase.
    void after(int step);

  private:
    std::multimap<int, std::function<void()>> after_;
};

}  // namespace tritonsmith::run
