#pragma once

#include "ttir/interp/lower/exec.h"
#include "ttir/interp/lower/exec_launch.h"

namespace tritonsmith::ttir {

/// A scalar look at memory that sees the same again and again this often may wait for another program.
constexpr int64_t kSpinLimit = 2000;

/// One memory operation's view of memory: every access goes through here and is checked. Runs are contiguous
/// elements.
struct Access {
    const Step* step = nullptr;
    const char* verb = "load";  ///< for messages: "load of x at element ..."
    const std::string* name = nullptr;
    int size = 4;              ///< bytes of an element
    bool atomic_like = false;  ///< volatile loads: no race with atomics, may synchronise
    int shape = kScalarShape;  ///< of the lanes: Builder::lane_shape
    bool lenient = false;      ///< what may not be accessed is no finding
    Issued issued;             ///< where the compiled kernel issues it

    /// Reads `count` elements at `p` into `out`; what may not be read becomes zeros and a finding. False:
    /// nothing was read.
    bool read(Context& ctx, uint64_t p, int64_t count, std::byte* out, int64_t lane) const;
    bool write(Context& ctx, uint64_t p, int64_t count, const std::byte* in, int64_t lane) const;
    /// Bounds and alignment only. Null where the access is not allowed (and found).
    LaunchBuffer* check(Context& ctx, uint64_t p, int64_t count, int64_t lane, int64_t& offset) const;

    /// Reports elements that nothing has written. Under the page's lock where the kernel may write the
    /// buffer.
    void check_written(Context& ctx, LaunchBuffer& b, int64_t offset, int64_t bytes, int64_t lane) const;

    int64_t poison = -1;   ///< Builder::poison_key of the pointer
    Expand poison_expand;  ///< from the pointer's lanes to those of the access
    /// Reports unmasked lanes whose address was computed by 32-bit arithmetic that wrapped.
    void check_overflow(Context& ctx, const uint8_t* mask, int64_t n) const;

    /// Blocks of lanes: mask null means all. `other` null means zeros.
    void load(Context& ctx, const uint64_t* p, const uint8_t* mask, const std::byte* other, std::byte* out,
              int64_t n) const;
    void store(Context& ctx, const uint64_t* p, const uint8_t* mask, const std::byte* in, int64_t n) const;

    /// A scalar access that sees the same as the last one, many times: the program waits for another one.
    void look_again(Context& ctx, uint64_t p, const std::byte* seen) const;

    /// "load through x". @param verb_override null: the access's own
    std::string text(const char* verb_override) const;

    /// An atomic operation on one granule, as note_atomic sees it.
    void note_lanes_atomic(Context& ctx, LaunchBuffer& b, int64_t granule, int64_t lane) const;

  private:
    /// An access of a pipelined loop: a load that comes too early is a finding.
    void note_issue(Context& ctx, LaunchBuffer& b, int64_t offset, int64_t bytes, int64_t lane) const;
    void gather(Context& ctx, const uint64_t* p, std::byte* out, int64_t n, int64_t lane) const;
    void conflict(Context& ctx, LaunchBuffer& b, int index, int64_t offset, int64_t bytes,
                  const std::byte* value, int64_t lane) const;
    /// Races inside the program, for granules from byte `offset` on. A write comes before the data is
    /// changed.
    void note_lanes_read(Context& ctx, LaunchBuffer& b, int64_t offset, int64_t bytes, int64_t lane) const;
    void note_stored_again(Context& ctx, LaunchBuffer& b, int64_t offset, int64_t bytes,
                           const std::byte* value, int64_t lane) const;
    void note_lanes_write(Context& ctx, LaunchBuffer& b, int64_t offset, int64_t bytes,
                          const std::byte* value, int64_t lane) const;
    void report_lanes(Context& ctx, LaunchBuffer& b, int64_t offset, int64_t lane, const char* what,
                      uint64_t other) const;
};

/// The race check of an atomic operation on one element (under the page lock). `acquire`: what others
/// released before is ordered from now on.
void note_atomic(Context& ctx, const Access& access, LaunchBuffer& b, int64_t offset, int size, bool acquire,
                 bool release, int64_t lane);

}  // namespace tritonsmith::ttir
