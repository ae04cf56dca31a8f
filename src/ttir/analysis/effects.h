#pragma once

#include <vector>

#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// What a kernel may do through one of its pointer (or descriptor) parameters.
struct Effect {
    bool reads = false;    ///< loads, atomics
    bool writes = false;   ///< stores, atomics
    bool escapes = false;  ///< turned into an integer, given to inline assembly ...: anything may happen
    bool loads = false;    ///< read other than by atomics
    bool atomics = false;
    bool adds = false, sets = false;  ///< atomics that add; stores and atomics that do anything else
    /// Where a launch may start before those it follows have ended (programmatic dependent launch): touched
    /// on some way that has not come to griddepcontrol.wait.
    bool reads_early = false, writes_early = false;
    int stores = 0;  ///< stores that a program runs, other than atomics; 2: several, or one in a loop
};

/// One entry for each parameter of the entry function. Conservative: an effect that may happen is reported.
/// Provenance follows values of pointer and descriptor type through arithmetic, control flow and calls.
std::vector<Effect> parameter_effects(const Module& module);

}  // namespace tritonsmith::ttir
