#pragma once

#include <functional>
#include <string>

#include "ttir/interp/ops/memory_access.h"

namespace tritonsmith::ttir {

enum class AtomicKind : uint8_t { and_, or_, xor_, add, fadd, max, min, umax, umin, exch, inc, dec };
AtomicKind atomic_kind(const std::string& name);
/// memory = kind(memory, value), for one element of any type.
void apply_atomic(AtomicKind kind, Scalar elem, std::byte* memory, const std::byte* value);

struct Order {
    bool acquire = true, release = true;
};
/// Checks, locks and changes one element; `old` receives what was there. False where the access is not
/// allowed.
bool atomic_lane(Context& ctx, const Access& access, uint64_t p, Order order, int64_t lane, std::byte* old,
                 const std::function<void(std::byte*)>& change);

}  // namespace tritonsmith::ttir
