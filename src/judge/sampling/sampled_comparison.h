#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "judge/compare/compare.h"
#include "judge/elements/element_oracle.h"
#include "judge/sampling/sampled_limit.h"
#include "plan/ir/plan.h"
#include "run/client/sample_client.h"

namespace tritonsmith::judge {

/// A tensor that the reference makes and the candidate has to make too.
struct SampledOutput {
    std::string name;  ///< "output/0", or "input/0" where the reference changes an input
    plan::Tensor want, got;
    bool comparable = true;  ///< its elements, one by one
};

/// The outputs, and the inputs that the reference changes in place and does not return. Integers can be
/// compared only where nothing but floating inputs lie behind them: their sums and products do not wrap in
/// the oracle.
std::vector<SampledOutput> sampled_outputs(const plan::Plan& reference, const plan::Plan& candidate);

/// Buffers that operators of the forward phase write.
std::set<int> written_in_forward(const plan::Plan& plan);

struct SampledComparison {
    int64_t compared = 0;
    int64_t drawn = 0;        ///< of these, drawn over the whole output
    int64_t not_known = 0;    ///< elements that the oracle does not have
    std::set<int64_t> tiles;  ///< programs that wrote what was compared
    std::optional<Finding> finding;
};

/// What the reference has at an element of the output.
struct Expecting {
    std::function<std::optional<OracleElement>(int64_t index)> element;    ///< ElementOracle::element
    std::function<std::vector<double>(int64_t index, size_t most)> noisy;  ///< ElementOracle::noisy
};

/// Compares elements with the oracle, a few at least and as many as there is time for until the deadline;
/// nothing is compared where it lacks an operator. What lies beyond the bound is right where computations in
/// float32 may have it (ElementOracle::noisy): ill-conditioned elements, and integers at near ties.
SampledComparison compare_sampled(const SampledOutput& output,
                                  const std::vector<run::SampledElement>& elements, const Expecting& oracle,
                                  const SampledBound& bound, size_t least,
                                  std::chrono::steady_clock::time_point deadline);

/// Elements of so many rows and columns that lie beside each other.
std::vector<int64_t> diagonal_elements(const plan::Tensor& tensor, int most, std::mt19937_64& random);

/// Elements to be compared, drawn over the whole tensor: uniform ones, and the corners among them.
std::vector<int64_t> choose_elements(const plan::Tensor& tensor, int most, std::mt19937_64& random);

}  // namespace tritonsmith::judge
