#pragma once

#include "ttir/interp/lower/exec_launch.h"

namespace tritonsmith::ttir {

/// The programs of a launch in random order: ordinal 0, 1, ... in the order of starting. A permutation that
/// is computed, not stored (Feistel network with cycle walking).
class ProgramOrder {
  public:
    ProgramOrder(const LaunchOptions& options, int64_t programs);
    int64_t count() const { return count_; }
    /// Which of the programs (or of the sample) runs at this turn.
    int64_t at(int64_t turn) const;

  private:
    int64_t count_ = 0;
    int half_bits_ = 1;
    uint64_t seed_ = 0;
    bool in_order_ = false;
};

/// Runs all programs over threads; programs that wait for others are set aside and resumed. Fills the
/// report's counts. `initial`: arena contents at a program's start (constants, arguments).
void run_programs(Launch& launch, const Code& code,
                  const std::vector<std::pair<int64_t, std::vector<std::byte>>>& initial,
                  const ProgramOrder& order, uint32_t base, LaunchReport& report);

}  // namespace tritonsmith::ttir
