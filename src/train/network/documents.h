#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace tritonsmith::train {

/// Documents one behind the other, without padding: no token sees another document.
struct Documents {
    at::Tensor tokens;             ///< [n] int64, on the model's device
    std::vector<int64_t> lengths;  ///< of each document, at least 1; their sum is n
};

}  // namespace tritonsmith::train
