#include "train/policy/advantages.h"

#include <cmath>
#include <numeric>

namespace tritonsmith::train {

std::vector<double> group_advantages(std::span<const double> rewards, const AdvantageSettings& settings) {
    std::vector<double> advantages(rewards.size(), 0);
    const auto n = static_cast<double>(rewards.size());
    if (rewards.size() < 2) return advantages;
    const double mean = std::accumulate(rewards.begin(), rewards.end(), 0.0) / n;
    double squares = 0;
    for (const double reward : rewards) squares += (reward - mean) * (reward - mean);
    // r_i less the mean of the others is n / (n - 1) times r_i less the mean of all.
    double scale = settings.baseline == AdvantageSettings::Baseline::leave_one_out ? n / (n - 1) : 1;
    if (settings.deviation) scale /= std::sqrt(squares / (n - 1)) + 1e-6;
    for (size_t i = 0; i < rewards.size(); ++i) advantages[i] = (rewards[i] - mean) * scale;
    return advantages;
}

}  // namespace tritonsmith::train
