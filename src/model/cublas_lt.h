#pragma once

#include <cstddef>
#include <cstdint>

/// The part of cuBLASLt that is used here, from the library that torch has brought along: this room links no
/// CUDA, and machines with torch's wheel need not have cuBLASLt's header. Names and values are the header's
/// (cublas_lt_test.cpp compares them).
namespace tritonsmith::model::cublas_lt {

using Handle = void*;
using Operation = void*;
using Layout = void*;
using Preference = void*;

struct Algorithm {  ///< cublasLtMatmulAlgo_t
    uint64_t data[8];
};
struct Found {  ///< cublasLtMatmulHeuristicResult_t
    Algorithm algorithm;
    size_t workspace;
    int status;
    float waves;
    int reserved[4];
};

constexpr int kSuccess = 0;
constexpr int kComputeFloat32 = 68;
constexpr int kFloat32 = 0, kFloat16 = 2, kBFloat16 = 14;  ///< cudaDataType_t
constexpr int32_t kTransposed = 1;                         ///< cublasOperation_t
constexpr uint32_t kEpilogueBias = 4;
constexpr int kOperationTransA = 3, kOperationEpilogue = 7, kOperationBiasPointer = 8;
constexpr int kPreferenceWorkspaceBytes = 1;

struct Library {
    int (*cublasLtCreate)(Handle*) = nullptr;
    int (*cublasLtMatmulDescCreate)(Operation*, int compute, int scale) = nullptr;
    int (*cublasLtMatmulDescDestroy)(Operation) = nullptr;
    int (*cublasLtMatmulDescSetAttribute)(Operation, int attribute, const void*, size_t) = nullptr;
    int (*cublasLtMatrixLayoutCreate)(Layout*, int type, uint64_t rows, uint64_t columns,
                                      int64_t stride) = nullptr;
    int (*cublasLtMatrixLayoutDestroy)(Layout) = nullptr;
    int (*cublasLtMatmulPreferenceCreate)(Preference*) = nullptr;
    int (*cublasLtMatmulPreferenceDestroy)(Preference) = nullptr;
    int (*cublasLtMatmulPreferenceSetAttribute)(Preference, int attribute, const void*, size_t) = nullptr;
    int (*cublasLtMatmulAlgoGetHeuristic)(Handle, Operation, Layout a, Layout b, Layout c, Layout d,
                                          Preference, int wanted, Found*, int* count) = nullptr;
    int (*cublasLtMatmul)(Handle, Operation, const void* alpha, const void* a, Layout, const void* b, Layout,
                          const void* beta, const void* c, Layout, void* d, Layout, const Algorithm*,
                          void* workspace, size_t workspace_bytes, void* stream) = nullptr;
    int (*cudaStreamIsCapturing)(void* stream, int* status) = nullptr;

    /// Null where the process has not loaded it, or it is another version. Thread-safe.
    static const Library* find();
};

}  // namespace tritonsmith::model::cublas_lt
