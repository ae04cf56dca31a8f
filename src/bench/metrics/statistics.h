#pragma once

#include <cstdint>
#include <vector>

namespace tritonsmith::bench {

/// The probability that one of k answers drawn from n is right where c of them are: 1 - C(n-c, k) / C(n, k)
/// (Chen et al. 2021, "Evaluating large language models trained on code", equation 1). 0 <= c <= n, 1 <= k <=
/// n.
double pass_at_k(int n, int c, int k);

struct Interval {
    double low = 0, high = 0;
};

/// A mean over tasks.
struct Estimate {
    double value = 0;
    Interval interval;  ///< 95 %, bootstrap over tasks (percentiles)
    int tasks = 0;
};

inline constexpr int kResamples = 2000;

/// The same values give the same interval. Of no tasks all is 0.
Estimate mean_with_interval(const std::vector<double>& by_task, uint64_t seed = 1);

/// Two-sided exact McNemar test: the probability, if both were alike, of a division at least as uneven as
/// this one. @param only_a, only_b tasks that one of both solves
double mcnemar_exact(int only_a, int only_b);

/// exp of the mean of logarithms; 0 of none. Values are positive.
double geometric_mean(const std::vector<double>& values);

/// Linear between order statistics (Hyndman and Fan's type 7); 0 of none. @param sorted ascending
double quantile(const std::vector<double>& sorted, double at);

}  // namespace tritonsmith::bench
