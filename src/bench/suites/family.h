#pragma once

#include <string>
#include <string_view>

namespace tritonsmith::bench {

/// The family of the operator that dominates a PyTorch program, by the names that it calls: "attention",
/// "recurrent", "convolution", "matmul", "norm", "pooling", "softmax", "scan", "loss", "reduction",
/// "activation" or "other". The first that occurs, in this order: a convolution with a ReLU is one of the
/// convolutions. For grouping results, nothing else.
std::string family_of(std::string_view source);

}  // namespace tritonsmith::bench
