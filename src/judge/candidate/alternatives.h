#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "plan/ir/plan.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::judge {

/// How alternatives of a choice differ.
enum class Likeness : uint8_t {
    same,   ///< in nothing that the interpreter knows (warps, stages)
    tiles,  ///< in the dimensions of their tiles, and constants that are multiples of these or one less
    other,  ///< in something else: what one is seen to do says nothing of the other
};

/// What a tuner may take beside the alternatives that were seen on all sets of inputs: to be run with one at
/// each choice.
struct TunedRun {
    std::vector<int> choice;         ///< the alternative of each choice
    std::vector<size_t> changed;     ///< choices at which it is none that was seen
    Likeness like = Likeness::same;  ///< to what was seen; other: to be seen on all sets, as the first was
};

/// @param first the alternatives seen on all sets, where the tuner may take them
/// @param usable whether an alternative of a choice is one that it may take
/// @param seed which ones stand for those like them, and which are run together
std::vector<TunedRun> tuned_runs(const plan::Plan& plan,
                                 const std::vector<std::shared_ptr<const ttir::Module>>& modules,
                                 const std::vector<int>& first,
                                 const std::function<bool(size_t choice, size_t alternative)>& usable,
                                 uint64_t seed);

/// On how many sets of inputs beside the first is each of so many runs that differ in tiles: on all, or as
/// many as make a few dozen calls of them together, two at least.
size_t sets_of_tiles(size_t runs, size_t sets);

}  // namespace tritonsmith::judge
