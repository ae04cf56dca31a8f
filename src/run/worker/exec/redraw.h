#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "plan/ir/plan.h"
#include "run/draw/variant.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

/// Weights that do not start as random draws get values that a kernel which skips them, or has
/// them written into it, cannot guess. Which ones, and by which law: plan::redrawn_weights. Where the variant
/// wants them far, numbers begin 1/100 to 100 times as large and with signs of their own, four kinds in turn,
/// and of random draws one row in eight each is up to 100 times larger and smaller: what never comes near a
/// bound, or is never negative, otherwise. Boundaries of bucketize and searchsorted are sorted again.
class Redraw {
  public:
    /// @param state of plan::redrawn_weights
    Redraw(const plan::Plan& plan, Memory& memory, uint64_t seed, bool state, const Variant& variant = {});
    /// To be called after each step of the init phase.
    void after(int step);

  private:
    std::multimap<int, std::function<void()>> after_;
};

}  // namespace tritonsmith::run
