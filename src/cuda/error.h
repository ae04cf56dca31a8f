#pragma once

#include <cuda.h>

#include <stdexcept>
#include <string>

namespace tritonsmith::cuda {

/// A call of the CUDA driver failed. The text names the call, the error and its number:
/// "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2): out of memory".
class Error : public std::runtime_error {
  public:
    Error(int code, const std::string& call);
    const int code;          ///< CUresult
    const std::string name;  ///< "CUDA_ERROR_ILLEGAL_ADDRESS"
    /// True of faults after which every call in this process's context fails: only a new process helps.
    bool context_is_lost() const;
};

/// "CUDA_ERROR_ILLEGAL_ADDRESS", or "error 4711" where the driver does not know the number.
std::string error_name(int code);

/// Stable reason of a failed run: gpu_illegal_address, gpu_misaligned_address, gpu_timeout, out_of_memory,
/// gpu_lost (the device itself), gpu_fault (anything else).
std::string fault_reason(int code);

/// @param call names it in the error. @throws Error unless `result` is CUDA_SUCCESS.
void check(CUresult result, const char* call);

}  // namespace tritonsmith::cuda
