#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tritonsmith::train {

/// How the rewards of a group, the answers to one prompt, become advantages.
struct AdvantageSettings {
    enum class Baseline : uint8_t {
        mean,           ///< of the group (GRPO, arXiv 2402.03300)
        leave_one_out,  ///< of the others (RLOO, arXiv 2402.14740)
    };
    Baseline baseline = Baseline::mean;
    bool deviation = true;  ///< divided by the group's deviation + 1e-6; false: Dr.GRPO (2503.20783), HRD
};

/// @return one for each reward; 0 for a group of one. The deviation is the unbiased one.
std::vector<double> group_advantages(std::span<const double> rewards, const AdvantageSettings& settings);

}  // namespace tritonsmith::train
