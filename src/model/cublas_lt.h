#pragma once

#include <cublasLt.h>

namespace tritonsmith::model {

/// cuBLASLt's functions, from the library that torch has brought along: this room links no CUDA.
struct CublasLt {
#define TRITONSMITH_CUBLAS_LT(X)       \
    X(cublasLtCreate)                  \
    X(cublasLtMatmul)                  \
    X(cublasLtMatmulAlgoGetHeuristic)  \
    X(cublasLtMatmulDescCreate)        \
    X(cublasLtMatmulDescDestroy)       \
    X(cublasLtMatmulDescSetAttribute)  \
    X(cublasLtMatrixLayoutCreate)      \
    X(cublasLtMatrixLayoutDestroy)     \
    X(cublasLtMatmulPreferenceCreate)  \
    X(cublasLtMatmulPreferenceDestroy) \
    X(cublasLtMatmulPreferenceSetAttribute)
#define X(function) decltype(&::function) function = nullptr;
    TRITONSMITH_CUBLAS_LT(X)
#undef X
    /// cudaStreamIsCapturing
    int (*is_capturing)(void* stream, int* status) = nullptr;

    /// Null where the process has not loaded it, or it is another version. Thread-safe.
    static const CublasLt* find();
};

}  // namespace tritonsmith::model
