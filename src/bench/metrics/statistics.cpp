#include "bench/metrics/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace tritonsmith::bench {

double pass_at_k(int n, int c, int k) {
    if (c <= 0) return 0;
    double none = 1;  // C(n-c, k) / C(n, k) as a product, which neither overflows nor cancels
    for (int i = 0; i < k; ++i) {
        if (n - c - i <= 0) return 1;
        none *= static_cast<double>(n - c - i) / (n - i);
    }
    return 1 - none;
}

Estimate mean_with_interval(const std::vector<double>& by_task, uint64_t seed) {
    Estimate out;
    out.tasks = static_cast<int>(by_task.size());
    if (by_task.empty()) return out;
    const auto n = static_cast<double>(by_task.size());
    out.value = std::accumulate(by_task.begin(), by_task.end(), 0.0) / n;
    std::mt19937_64 random(seed);
    std::vector<double> means(kResamples);
    for (double& mean : means) {
        double sum = 0;
        for (size_t i = 0; i < by_task.size(); ++i) sum += by_task[random() % by_task.size()];
        mean = sum / n;
    }
    std::sort(means.begin(), means.end());
    out.interval = {quantile(means, 0.025), quantile(means, 0.975)};
    return out;
}

double mcnemar_exact(int only_a, int only_b) {
    const int n = only_a + only_b, less = std::min(only_a, only_b);
    if (n == 0) return 1;
    double tail = 0;
    for (int i = 0; i <= less; ++i)
        tail += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0) -
                         n * std::log(2.0));
    return std::min(1.0, 2 * tail);
}

double geometric_mean(const std::vector<double>& values) {
    if (values.empty()) return 0;
    double sum = 0;
    for (const double value : values) sum += std::log(value);
    return std::exp(sum / static_cast<double>(values.size()));
}

double quantile(const std::vector<double>& sorted, double at) {
    if (sorted.empty()) return 0;
    const double place = at * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<size_t>(place);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace tritonsmith::bench
