#pragma once

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "plan/ir/plan.h"
#include "run/worker/sample/completion.h"

namespace tritonsmith::run::sample {

/// An input or a weight that the candidate has to leave as it is.
struct Kept {
    std::string name;  ///< "input/0", "weight/linear.weight"
    plan::Tensor tensor;
};
/// Of those that lie in memory as the reference's do, and that the forward phase may write at all.
std::vector<Kept> kept_tensors(const Context& context, const std::vector<plan::Executed>& steps,
                               const Memory& memory);

/// Elements of a buffer that do not hold what they held when they were made, `most` at most: the first, the
/// last and others by chance; only what has been touched is looked at.
std::vector<int64_t> changed_elements(ttir::Buffer& buffer, const plan::Tensor& tensor, size_t most,
                                      std::mt19937_64& random);
/// Elements that host steps write, a few of each step.
std::vector<int64_t> written_by_host(const std::vector<plan::Executed>& steps, const plan::Tensor& tensor,
                                     std::mt19937_64& random);

/// input_mutated
Finding mutated(const Kept& kept, int64_t element);

}  // namespace tritonsmith::run::sample
