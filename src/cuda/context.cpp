#include "cuda/context.h"

namespace tritonsmith::cuda {

PrimaryContext::PrimaryContext(int ordinal) {
    TRITONSMITH_CU(cuDeviceGet, &device_, ordinal);
    TRITONSMITH_CU(cuDevicePrimaryCtxRetain, &context_, device_);
    if (CUresult result = driver().cuCtxSetCurrent(context_); result != CUDA_SUCCESS) {
        driver().cuDevicePrimaryCtxRelease(device_);
        throw Error(result, "cuCtxSetCurrent");
    }
}

PrimaryContext::~PrimaryContext() {
    CUcontext current = nullptr;
    if (driver().cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == context_)
        driver().cuCtxSetCurrent(nullptr);
    driver().cuDevicePrimaryCtxRelease(device_);
}

void PrimaryContext::make_current() const {
    TRITONSMITH_CU(cuCtxSetCurrent, context_);
}

}  // namespace tritonsmith::cuda
