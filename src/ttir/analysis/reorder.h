#pragma once

#include <optional>

#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// The module with every reshape that may reorder (`tl.view`, `can_reorder=True`) putting the elements in
/// another order: those of both halves in turn. Flat blocks that are reduced and nothing else stay as they
/// are. Nothing where no reshape changes.
std::optional<Module> reordered(const Module& module);

/// Location (an index into Module::locations) of the first reshape that `reordered` changes; -1: none.
int first_reordered(const Module& module);

}  // namespace tritonsmith::ttir
