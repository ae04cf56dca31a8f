#pragma once

#include <ATen/core/Tensor.h>

namespace tritonsmith::train {

/// A tensor of the host on a device, by way of pinned memory: the caller does not wait for what the device
/// does meanwhile. On the CPU the tensor itself.
at::Tensor upload(const at::Tensor& host, at::Device device);

}  // namespace tritonsmith::train
