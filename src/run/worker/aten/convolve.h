#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

namespace tritonsmith::run {

struct Convolution {
    at::Tensor x;       ///< [N, C, spatial…]
    at::Tensor weight;  ///< [O, C / groups, kernel…]; transposed: [C, O / groups, kernel…]
    std::optional<at::Tensor> bias;
    /// One number for each spatial axis, or one for all.
    std::vector<int64_t> stride, padding, dilation;
    bool transposed = false;
    std::vector<int64_t> output_padding;
    int64_t groups = 1;
};

/// at::convolution. In float64 on the CPU, which ATen computes one group after the other, the many small
/// groups of depthwise layers are computed all at once, one place of the window after the other.
at::Tensor convolve(const Convolution& of);

}  // namespace tritonsmith::run
