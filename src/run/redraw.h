#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "plan/plan.h"
#include "run/memory.h"

namespace tritonsmith::run {

/// Plan rule 19: parameters that start as ones and zeros get values that a kernel which skips them cannot
/// guess.
class Redraw {
  public:
    Redraw(const plan::Plan& plan, Memory& memory, uint64_t seed);
    /// To be called after each step of the init phase.
    void after(int step);

  private:
    std::multimap<int, std::function<void()>> after_;
};

}  // namespace tritonsmith::run
