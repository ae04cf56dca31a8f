#include "engine/executor/cuda/step_inputs.h"

#include <ATen/Functions.h>
#include <fmt/format.h>

#include "base/error.h"

namespace tritonsmith::engine {

StepInputs::StepInputs(int64_t bytes, at::Device device)
    : host_bytes_(at::empty({bytes}, at::TensorOptions().dtype(at::kByte).pinned_memory(true))),
      device_bytes_(at::empty({bytes}, at::TensorOptions().dtype(at::kByte).device(device))),
      host_(static_cast<char*>(host_bytes_.mutable_data_ptr())),
      device_(static_cast<char*>(device_bytes_.mutable_data_ptr())) {}

char* StepInputs::reserve(int64_t bytes) {
    const int64_t at = used_;
    used_ += (bytes + 255) / 256 * 256;
    if (used_ > device_bytes_.numel())
        throw MachineError(
            fmt::format("a step's inputs take {} bytes, and {} were planned", used_, device_bytes_.numel()));
    return device_ + at;
}

at::Tensor StepInputs::view(void* at, int64_t count, at::ScalarType dtype) const {
    return at::from_blob(at, {count}, at::TensorOptions().dtype(dtype).device(device_bytes_.device()));
}

void StepInputs::upload() {
    device_bytes_.narrow(0, 0, used_).copy_(host_bytes_.narrow(0, 0, used_), /*non_blocking=*/true);
}

}  // namespace tritonsmith::engine
