#pragma once

#include <cstdint>
#include <vector>

#include "model/config.h"

namespace tritonsmith::train {

/// Floating-point operations of the products in one forward and backward pass: what MFU counts (PaLM, arXiv
/// 2204.02311, appendix B, with causal attention counted once). A multiplication and an addition are two;
/// what recomputation repeats is not counted.
/// @param lengths of the documents  @param targets rows that the head's product has  @param frozen whether
/// weights have no gradients (adapters are too small to count)
double arithmetic_of(const model::Config& config, const std::vector<int64_t>& lengths, int64_t targets,
                     bool frozen = false);

}  // namespace tritonsmith::train
