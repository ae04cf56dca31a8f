#include "cuda/error.h"

#include <fmt/format.h>

#include "cuda/driver.h"

namespace tritonsmith::cuda {
namespace {

// Names that the headers of CUDA 12 lack.
constexpr int kContained = 226, kTensorMemoryLeak = 721;

/// The driver's own text; `function` is cuGetErrorName or cuGetErrorString.
std::string text(decltype(&cuGetErrorName) function, int code) {
    const char* found = nullptr;
    if (function && function(static_cast<CUresult>(code), &found) == CUDA_SUCCESS && found) return found;
    return {};
}

std::string sentence(int code, const std::string& call) {
    const std::string meaning = text(error_functions().string, code);
    return fmt::format("{}: {} ({}){}{}", call, error_name(code), code, meaning.empty() ? "" : ": ", meaning);
}

}  // namespace

Error::Error(int code, const std::string& call)
    : runtime_error(sentence(code, call)), code(code), name(error_name(code)) {}

bool Error::context_is_lost() const {
    switch (code) {
        case CUDA_ERROR_DEINITIALIZED:
        case CUDA_ERROR_DEVICE_UNAVAILABLE:
        case CUDA_ERROR_ECC_UNCORRECTABLE:
        case CUDA_ERROR_NVLINK_UNCORRECTABLE:
        case kContained:
        case CUDA_ERROR_ILLEGAL_ADDRESS:
        case CUDA_ERROR_LAUNCH_TIMEOUT:
        case CUDA_ERROR_CONTEXT_IS_DESTROYED:
        case CUDA_ERROR_ASSERT:
        case CUDA_ERROR_HARDWARE_STACK_ERROR:
        case CUDA_ERROR_ILLEGAL_INSTRUCTION:
        case CUDA_ERROR_MISALIGNED_ADDRESS:
        case CUDA_ERROR_INVALID_ADDRESS_SPACE:
        case CUDA_ERROR_INVALID_PC:
        case CUDA_ERROR_LAUNCH_FAILED:
        case kTensorMemoryLeak:
        case CUDA_ERROR_MPS_CLIENT_TERMINATED:
        case CUDA_ERROR_EXTERNAL_DEVICE:
        case CUDA_ERROR_UNKNOWN:
            return true;
        default:
            return false;
    }
}

std::string error_name(int code) {
    std::string name = text(error_functions().name, code);
    return name.empty() ? fmt::format("error {}", code) : name;
}

std::string fault_reason(int code) {
    switch (code) {
        case CUDA_ERROR_OUT_OF_MEMORY:
            return "out_of_memory";
        case CUDA_ERROR_ILLEGAL_ADDRESS:
            return "gpu_illegal_address";
        case CUDA_ERROR_MISALIGNED_ADDRESS:
            return "gpu_misaligned_address";
        case CUDA_ERROR_LAUNCH_TIMEOUT:
            return "gpu_timeout";
        case CUDA_ERROR_DEVICE_UNAVAILABLE:
        case CUDA_ERROR_NO_DEVICE:
        case CUDA_ERROR_INVALID_DEVICE:
        case CUDA_ERROR_ECC_UNCORRECTABLE:
        case CUDA_ERROR_NVLINK_UNCORRECTABLE:
        case kContained:
        case CUDA_ERROR_SYSTEM_NOT_READY:
        case CUDA_ERROR_MPS_CLIENT_TERMINATED:
            return "gpu_lost";
        default:
            return "gpu_fault";
    }
}

void check(CUresult result, const char* call) {
    if (result != CUDA_SUCCESS) throw Error(result, call);
}

}  // namespace tritonsmith::cuda
