#pragma once

#include <vector>

namespace tritonsmith::judge {

/// The median of samples, and how well it is known.
struct Estimate {
    double median = 0, low = 0, high = 0;  ///< of 95 % confidence, by order statistics
    int samples = 0;
    /// Half of the interval, relative to the median; infinite while there are too few samples to tell.
    double uncertainty() const;
};

/// Source of the ranks: normal approximation of the binomial distribution, n/2 ± 0.98·√n.
Estimate estimate(std::vector<double> samples);

}  // namespace tritonsmith::judge
