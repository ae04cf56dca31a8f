#include "judge/timing/timing_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tritonsmith::judge {

double Estimate::uncertainty() const {
    if (samples < 6 || median <= 0) return std::numeric_limits<double>::infinity();
    return (high - low) / 2 / median;
}

Estimate estimate(std::vector<double> samples) {
    Estimate out;
    out.samples = static_cast<int>(samples.size());
    if (samples.empty()) return out;
    std::sort(samples.begin(), samples.end());
    const size_t n = samples.size();
    out.median = n % 2 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
    const double half = static_cast<double>(n) / 2, spread = 0.98 * std::sqrt(static_cast<double>(n));
    const auto rank = [&](double r) {
        return static_cast<size_t>(std::clamp(r, 0.0, static_cast<double>(n - 1)));
    };
    out.low = samples[rank(std::floor(half - spread))];
    out.high = samples[rank(std::ceil(half + spread))];
    return out;
}

}  // namespace tritonsmith::judge
