#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "engine/executor/executor.h"

namespace tritonsmith::engine {

/// The `count` most probable tokens, for all draws from the same logits. @param logits [1, vocabulary]
/// float32
void add_top_logprobs(const at::Tensor& logits, int count, std::vector<Draw>& draws);

}  // namespace tritonsmith::engine
