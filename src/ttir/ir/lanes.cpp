#include "ttir/ir/lanes.h"

#include <atomic>
#include <string_view>
#include <unordered_set>

namespace tritonsmith::ttir {

Sync synchronises(const Operation& op, bool result_used, bool scalar) {
    static const std::unordered_set<std::string_view> barriers = {
        "gpu.barrier", "ttg.barrier",   "ttg.local_barrier", "tt.reduce",    "tt.scan",
        "tt.dot",      "tt.dot_scaled", "tt.trans",          "tt.reshape",   "tt.cat",
        "tt.join",     "tt.split",      "tt.gather",         "tt.histogram", "tt.assert"};
    if (barriers.count(op.name) != 0) return Sync::after;
    // Triton 3.6 puts a barrier before and after a compare-and-swap, and one after any other atomic operation
    // whose result is handed to all threads; none before it, and none where the result is not used.
    if (op.name == "tt.atomic_cas") return scalar ? Sync::around : Sync::after;
    if (op.name == "tt.atomic_rmw") return result_used ? Sync::after : Sync::none;
    if (op.name.rfind("tt.descriptor_", 0) == 0) return Sync::around;
    return Sync::none;
}

uint64_t fresh_epochs(uint64_t count) {
    static std::atomic<uint64_t> next{1};
    return next.fetch_add(count, std::memory_order_relaxed);
}

}  // namespace tritonsmith::ttir
