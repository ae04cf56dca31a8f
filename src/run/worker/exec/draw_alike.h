#pragma once

#include "run/draw/alike_draws.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

/// Puts into a drawn tensor what another draw holds: in a third of its lines (samples, where there are three
/// dimensions; elements, where there is one), in another third nearly (reals differ by 2^-10, of integers one
/// in eight), or in all of it. @param key of the other draw
void draw_alike(const plan::Tensor& drawn, const AlikeDraw& other, const DrawKey& key, Variant::Alike how,
                Memory& memory);

}  // namespace tritonsmith::run
