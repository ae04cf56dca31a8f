#pragma once

/// Host side of the library: refusing sizes, launching, and saying what failed.
#include <cstdarg>
#include <cstdint>
#include <cstdio>

#include "kernels/abi.h"
#include "kernels/cuda/device.h"

namespace tritonsmith::kernels {

/// Of this thread; read through tritonsmith_kernels_error_text().
char* error_text();
constexpr int error_text_size = 512;

__attribute__((format(printf, 1, 2))) inline int refuse(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(error_text(), error_text_size, format, arguments);
    va_end(arguments);
    return refused;
}

#if defined(__CUDACC__)
inline int cuda_error(const char* call, cudaError_t error) {
    std::snprintf(error_text(), error_text_size, "%s failed: %s (%d): %s", call, cudaGetErrorName(error),
                  static_cast<int>(error), cudaGetErrorString(error));
    return static_cast<int>(error);
}

/// One launch; `name` is what errors name.
template <typename... Parameters, typename... Arguments>
int launch(const char* name, void (*kernel)(Parameters...), dim3 grid, int threads, size_t shared_bytes,
           void* stream, const Arguments&... arguments) {
    if (shared_bytes > 47 * 1024) {
        // With what the kernel declares itself, which is less than 1 KiB, more than every kernel may have
        // without asking; and as many blocks at a time as shared memory admits.
        const void* function = reinterpret_cast<const void*>(kernel);
        cudaError_t error = cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                 static_cast<int>(shared_bytes));
        if (error == cudaSuccess)
            error = cudaFuncSetAttribute(function, cudaFuncAttributePreferredSharedMemoryCarveout,
                                         cudaSharedmemCarveoutMaxShared);
        if (error != cudaSuccess) {
            cudaGetLastError();  // reported here, not by the next launch
            return cuda_error("cudaFuncSetAttribute", error);
        }
    }
    kernel<<<grid, threads, shared_bytes, static_cast<cudaStream_t>(stream)>>>(arguments...);
    cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? 0 : cuda_error(name, error);
}
#else
template <typename... Parameters, typename... Arguments>
int launch(const char*, void (*kernel)(Parameters...), dim3 grid, int threads, size_t shared_bytes, void*,
           const Arguments&... arguments) {
    emulation::run_grid(grid, threads, shared_bytes, [&] { kernel(arguments...); });
    return 0;
}
#endif

inline bool aligned16(const void* pointer) {
    return reinterpret_cast<uintptr_t>(pointer) % 16 == 0;
}
inline int64_t element_bytes(DType dtype) {
    return dtype == DType::fp32 ? 4 : 2;
}

/// Calls `f` with a null pointer of the element type.
template <typename F>
int with_dtype(const char* name, DType dtype, F f) {
    switch (dtype) {
        case DType::bf16:
            return f(static_cast<Bf16*>(nullptr));
        case DType::fp16:
            return f(static_cast<Fp16*>(nullptr));
        case DType::fp32:
            return f(static_cast<float*>(nullptr));
    }
    return refuse("%s: dtype code %d is not one of bf16, fp16 and fp32", name, static_cast<int>(dtype));
}

}  // namespace tritonsmith::kernels
