#pragma once

#include <ATen/core/Tensor.h>

#include <cstring>
#include <span>
#include <vector>

namespace tritonsmith::engine {

/// Small arrays that a step needs on the device, side by side in one buffer: one copy brings all of them. The
/// addresses are the same in every step, so that graphs can refer to them.
class StepInputs {
  public:
    /// Room for so many bytes, alignment counted.
    StepInputs(int64_t bytes, at::Device device);

    void clear() { used_ = 0; }
    /// Appends an array. @return its place on the device, filled by upload()
    template <typename T>
    T* add(std::span<const T> values) {
        char* to = reserve(static_cast<int64_t>(values.size_bytes()));
        std::memcpy(host_ + (to - device_), values.data(), values.size_bytes());
        return reinterpret_cast<T*>(to);
    }
    /// As add(), as a tensor that refers to it. @param dtype of T
    template <typename T>
    at::Tensor add(std::span<const T> values, at::ScalarType dtype) {
        return view(add(values), static_cast<int64_t>(values.size()), dtype);
    }
    /// Enqueued on the current stream. The buffer must not be changed before that is done.
    void upload();

  private:
    char* reserve(int64_t bytes);
    at::Tensor view(void* at, int64_t count, at::ScalarType dtype) const;

    at::Tensor host_bytes_, device_bytes_;
    char *host_, *device_;
    int64_t used_ = 0;
};

}  // namespace tritonsmith::engine
