#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "plan/ir/plan.h"
#include "run/draw/leaf_role.h"
#include "run/draw/variant.h"
#include "ttir/interp/memory/memory.h"

namespace tritonsmith::run {

/// What the inputs and parameters of a reference's plan hold at full size, made by counter at any offset when
/// it is asked for: the same in every process, and nothing large lies in memory. Draws, and what is computed
/// from them element by element, have their own law; floating values that are made in another way, and
/// parameters that start as constants, are uniform draws.
class Leaves {
  public:
    struct Options {
        uint64_t seed = 0;
        Variant variant;
        bool uneven = false;  ///< inputs are uneven draws where their law may be (run/draw/draw.h)
    };
    using Roles = std::map<int, LeafRole>;
    /// @param reference the steps before its forward phase suffice (leaf_plan)
    Leaves(const plan::Plan& reference, const Options& options);

    /// False where values cannot be made: integers that were computed in a way that is not followed, of which
    /// no made-up one is safe.
    bool usable() const { return usable_; }
    /// Null: the buffer is no input and no parameter. Whole elements may be asked for at any offset.
    const ttir::PageSource* source(int buffer) const;

  private:
    /// @param around of a pattern: numbers around those that the program computes
    ttir::PageSource made(const plan::Plan& reference, const plan::Tensor& tensor, const Options& options,
                          const Roles& roles, bool around = false);

    bool usable_ = true;
    std::map<int, ttir::PageSource> sources_;
};

/// Names what they hold, of one plan.
std::string describe(const Leaves::Options& options);

/// The bytes, and zeros behind them.
ttir::PageSource stated_contents(std::vector<uint8_t> bytes);

/// A reference's plan without its forward phase: what Leaves needs of it.
plan::Plan leaf_plan(const plan::Plan& reference);

}  // namespace tritonsmith::run
