#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/metrics/outcome.h"
#include "bench/metrics/statistics.h"

namespace tritonsmith::bench {

/// The thresholds of fast_p.
inline constexpr double kSpeeds[] = {0, 0.8, 1, 1.2, 1.5, 2};

/// What an answer may be: one row of the headline table.
struct Criterion {
    std::string name;  ///< "valid", "compiled", "correct", "fast_1.2", "fast_1_compile"
    std::function<bool(const Outcome&)> holds;
};

/// valid, compiled, correct, and where any answer was timed fast_p (correct and more than p times as fast)
/// against eager PyTorch and against torch.compile. Of programs with tests also call and execution accuracy,
/// the latter by values and by TritonBench's published rule, what is printed.
std::vector<Criterion> criteria_of(const std::vector<Outcome>& outcomes);

/// How many answers of each task fulfil a criterion, of `samples` each. A missing answer fulfils none.
class Counts {
  public:
    Counts(const std::vector<std::string>& problems, int samples) : problems_(problems), samples_(samples) {}

    /// By problem, in order. @param k at most `samples`
    std::vector<double> pass_at(const std::vector<Outcome>& outcomes, const Criterion& criterion,
                                int k) const;

  private:
    std::vector<std::string> problems_;
    int samples_;
};

/// 1, 5, 10 and 100 as far as there are samples, and all of them.
std::vector<int> attempts_of(int samples);

}  // namespace tritonsmith::bench
