#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "plan/ir/plan.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::judge {

/// One size of a program: its plan there, and its kernels.
struct AtSize {
    const plan::Plan& plan;
    const std::vector<std::shared_ptr<const ttir::Module>>& modules;
};

/// Whether the program may rest on its task's own size, and be wrong at the scaled one for no other reason:
/// one of its numbers stays what it is at both and is one of the sizes that were scaled (a stride that is
/// written in), or divides a size and not what that was scaled to (a tile without a mask, a promise), or
/// none of its grids has changed, though programs do not take their parts in turn.
/// @param own the task's integers, before @param scaled
bool rests_on_own_size(const AtSize& full, const AtSize& small, const std::map<std::string, int64_t>& own,
                       const std::map<std::string, int64_t>& scaled);

/// The same of a program that stays in bounds at both sizes: also where tiles with a mask, which divide a
/// size and not what it became, have lanes beyond the end that it counts, or a floating number that is
/// written in goes with a size.
bool counts_on_own_size(const AtSize& full, const AtSize& small, const std::map<std::string, int64_t>& own,
                        const std::map<std::string, int64_t>& scaled);

}  // namespace tritonsmith::judge
