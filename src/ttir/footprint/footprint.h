#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "ttir/interp/interpreter.h"
#include "ttir/ir/byte_ranges.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

using BufferBytes = std::map<const Buffer*, ByteRanges>;

bool meet(const BufferBytes& a, const BufferBytes& b);

/// Which bytes the programs of a launch may touch, found without running them: the arithmetic of addresses is
/// done on ranges (lane_range.h), loops with a known number of rounds are run, the ways that a branch may
/// take are all taken. An answer never has too few bytes; where an address depends on what memory holds, it
/// is the whole buffer.
class Footprint {
  public:
    /// @param buffers those that are of interest; what happens to others is left out
    /// @param arguments as for Program::launch; they and the module must outlive this
    Footprint(const Module& module, const std::array<int64_t, 3>& grid,
              const std::vector<Argument>& arguments, const std::set<const Buffer*>& buffers);
    ~Footprint();

    /// False: the kernel's pointers cannot be followed, and nothing may be asked.
    bool followed() const;

    struct Bytes {
        BufferBytes read;     ///< by loads, and atomics whose result is used
        BufferBytes written;  ///< by stores and atomics
    };
    /// Of one program (linear index x + gx*(y + gy*z)).
    Bytes of(int64_t program);
    /// What all programs may write, by ranges of whole boxes of programs: as many as there is work for.
    BufferBytes written_by_all(int64_t work);

    /// Programs that may write some of the bytes, in rising order. Nothing where there may be more than
    /// `most`, or more than `work` operations (some 50 ns each) would have to be looked at, which are counted
    /// down.
    std::optional<std::vector<int64_t>> writers(const BufferBytes& bytes, size_t most, int64_t& work);
    /// Whether some program may read some of the bytes. Nothing where there is not enough work to tell.
    std::optional<bool> reads(const BufferBytes& bytes, int64_t& work);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tritonsmith::ttir
