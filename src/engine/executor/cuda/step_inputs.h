#pragma once

#include <ATen/core/Tensor.h>

#include <cstring>
#include <span>
#include <vector>

namespace tritonsmith::engine {

/// Small arrays that a step needs on the device, in one buffer that is copied at once. Addresses are the same
/// in every step, so that graphs can refer to them.
class StepInputs {
  public:
    /// @param bytes of all arrays, with alignment
    StepInputs(int64_t bytes, at::Device device);

    void clear() { used_ = 0; }
    /// Appends an array. @return its address on the device, valid after upload()
    template <typename T>
    T* add(std::span<const T> values) {
        char* to = reserve(static_cast<int64_t>(values.size_bytes()));
        std::memcpy(host_ + (to - device_), values.data(), values.size_bytes());
        return reinterpret_cast<T*>(to);
    }
    /// The same, as a tensor that refers to it. @param dtype of T
    template <typename T>
    at::Tensor add(std::span<const T> values, at::ScalarType dtype) {
        return view(add(values), static_cast<int64_t>(values.size()), dtype);
    }
    /// Enqueues the copy on the current stream. The buffer must not change before it is complete.
    void upload();

  private:
    char* reserve(int64_t bytes);
    at::Tensor view(void* at, int64_t count, at::ScalarType dtype) const;

    at::Tensor host_bytes_, device_bytes_;
    char *host_, *device_;
    int64_t used_ = 0;
};

}  // namespace tritonsmith::engine
