#pragma once

#include <optional>
#include <vector>

#include "base/error.h"
#include "judge/compare/compare.h"
#include "run/client/client.h"

namespace tritonsmith::judge {

/// One draw of hidden inputs and weights, and what the reference makes of it.
struct InputSet {
    uint64_t seed = 0, weights_seed = 0;
    run::Variant variant;
    run::Pack inputs;                ///< "input/i" and "weight/name"
    std::vector<Expected> expected;  ///< one for each output tensor
    bool numbers_only = false;       ///< InputSetting::numbers_only: all outputs are left out
};

/// Whether it is what a call leaves in a buffer of its module, and no output.
bool is_kept_buffer(const std::string& name);

/// Compares all outputs, and buffers that both modules keep up, of an answer with one input set. The first
/// one out of bound decides.
struct Answer {
    std::optional<Finding> finding;  ///< wrong_result with the worst mismatch
    double worst_ratio = 0;          ///< largest error / allowed error over all outputs
    std::string worst_output;        ///< where that is
    double worst_error = 0;
};
Answer check_answer(const InputSet& set, const run::Pack& outputs);

/// Whether two answers to one input set lie further apart than the bound allows.
bool differ(const InputSet& set, const run::Pack& one, const run::Pack& other);

/// docs/judge.md, Guarantees: a task that accepts zeros, one constant for all input sets, a copy of an input,
/// or the outputs that belong to another input set proves nothing. Returns task_degenerate with what was
/// accepted.
std::optional<Finding> find_degeneracy(const std::vector<InputSet>& sets);

}  // namespace tritonsmith::judge
