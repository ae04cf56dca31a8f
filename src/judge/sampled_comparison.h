#pragma once

#include <chrono>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "judge/compare.h"
#include "judge/element_oracle.h"
#include "plan/plan.h"
#include "ttir/interp/memory/memory.h"
#include "ttir/ir/byte_ranges.h"

namespace tritonsmith::judge {

/// A tensor that the reference makes and the candidate has to make too.
struct SampledOutput {
    std::string name;  ///< "output/0", or "input/0" where the reference changes an input
    plan::Tensor want, got;
};

/// The outputs whose elements can be compared one by one, and the inputs that the reference changes in place
/// and does not return. Integers only where nothing but floating inputs lie behind them: their sums and
/// products do not wrap in the oracle.
std::vector<SampledOutput> sampled_outputs(const plan::Plan& reference, const plan::Plan& candidate);

struct SampledComparison {
    int64_t compared = 0;
    std::optional<Finding> finding;
};

/// Compares elements (linear, row major) with the oracle until the deadline; nothing is compared where it
/// lacks an operator.
SampledComparison compare_sampled(const SampledOutput& output, const std::vector<int64_t>& elements,
                                  const ttir::Buffer& buffer, ElementOracle& oracle,
                                  const Tolerance& tolerance, std::chrono::steady_clock::time_point deadline);

/// The offset in its buffer, in elements, of an element.
int64_t storage_offset(const plan::Tensor& tensor, int64_t element);
/// Position as the verdict tells it.
std::vector<int64_t> position_of(const plan::Tensor& tensor, int64_t element);

/// Random elements of a tensor that lie in the bytes of its buffer, `most` at most; the first and the last
/// of each of a few ranges among them.
std::vector<int64_t> elements_within(const ttir::ByteRanges& bytes, const plan::Tensor& tensor, int most,
                                     std::mt19937_64& random);

}  // namespace tritonsmith::judge
