#pragma once

#include <cuda.h>

#include <string>

#include "cuda/error.h"

namespace tritonsmith::cuda {

/// The functions of libcuda.so.1 under cuda.h's own names, whose macros reach the members too: where cuda.h
/// makes cuMemAlloc into cuMemAlloc_v2, `driver().cuMemAlloc(...)` calls that. Loaded once, never unloaded.
struct Driver {
#define X(function) decltype(&::function) function = nullptr;
#include "cuda/driver_functions.inc"
#undef X
    /// cuEventElapsedTime, of whichever version there is (milliseconds).
    CUresult (*elapsed_time)(float*, CUevent, CUevent) = nullptr;
    // Null where the driver is older than CUDA 12.4.
    CUresult (*load_function)(CUfunction) = nullptr;  ///< cuFuncLoad
    /// cuFuncGetParamInfo: offset and bytes of a kernel's parameter.
    CUresult (*parameter_info)(CUfunction, size_t index, size_t* offset, size_t* bytes) = nullptr;
    int version = 0;  ///< of CUDA that it serves: 13000
    /// "CUDA 13.0"
    std::string version_text() const;
};

/// Why there is no driver to call.
enum class Absence {
    none,        ///< there is one
    no_library,  ///< no libcuda.so.1
    unusable,    ///< it lacks functions: not NVIDIA's, or older than CUDA 12
    no_device,   ///< cuInit failed
};

/// The driver, after cuInit; null where there is none, and then `why` is one clause that says so. The answer
/// does not change while the process lives. Thread-safe.
const Driver* find_driver(std::string* why = nullptr, Absence* absence = nullptr);

/// The driver. @throws MachineError that says why there is none.
const Driver& driver();

/// check(driver().FUNCTION(arguments...)): TRITONSMITH_CU(cuMemFree, address). The error names FUNCTION.
#define TRITONSMITH_CU(function, ...) \
    ::tritonsmith::cuda::check(::tritonsmith::cuda::driver().function(__VA_ARGS__), #function)

/// For error texts, which are made also while the driver is being loaded: null where unknown.
struct ErrorFunctions {
    decltype(&::cuGetErrorName) name = nullptr;
    decltype(&::cuGetErrorString) string = nullptr;
};
ErrorFunctions error_functions();

}  // namespace tritonsmith::cuda
