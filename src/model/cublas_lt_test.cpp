#include "model/cublas_lt.h"

#include <gtest/gtest.h>

#if __has_include(<cublasLt.h>)
#include <cublasLt.h>

#include <type_traits>

namespace tritonsmith::model::cublas_lt {
namespace {

/// As functions are called: enumerations as whole numbers, handles as pointers.
template <class T>
struct Plain {
    using type =
        std::conditional_t<std::is_enum_v<T>, int, std::conditional_t<std::is_pointer_v<T>, void*, T>>;
};
template <class R, class... A>
struct Plain<R (*)(A...)> {
    using type = typename Plain<R>::type (*)(typename Plain<A>::type...);
};
template <class T>
using PlainOf = typename Plain<T>::type;

TEST(CublasLt, IsDeclaredAsItsHeaderHasIt) {
    static_assert(sizeof(Algorithm) == sizeof(cublasLtMatmulAlgo_t));
    static_assert(sizeof(Found) == sizeof(cublasLtMatmulHeuristicResult_t));
    static_assert(offsetof(Found, workspace) == offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
    static_assert(offsetof(Found, status) == offsetof(cublasLtMatmulHeuristicResult_t, state));
    static_assert(kSuccess == CUBLAS_STATUS_SUCCESS && kComputeFloat32 == CUBLAS_COMPUTE_32F);
    static_assert(kFloat32 == CUDA_R_32F && kFloat16 == CUDA_R_16F && kBFloat16 == CUDA_R_16BF);
    static_assert(kTransposed == CUBLAS_OP_T && kEpilogueBias == CUBLASLT_EPILOGUE_BIAS);
    static_assert(sizeof(kTransposed) == sizeof(cublasOperation_t) &&
                  sizeof(kEpilogueBias) == sizeof(cublasLtEpilogue_t));
    static_assert(kOperationTransA == CUBLASLT_MATMUL_DESC_TRANSA);
    static_assert(kOperationEpilogue == CUBLASLT_MATMUL_DESC_EPILOGUE);
    static_assert(kOperationBiasPointer == CUBLASLT_MATMUL_DESC_BIAS_POINTER);
    static_assert(kPreferenceWorkspaceBytes == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
#define SAME(function)                                                                                  \
    static_assert(std::is_same_v<PlainOf<decltype(Library::function)>, PlainOf<decltype(&::function)>>, \
                  #function)
    SAME(cublasLtCreate);
    SAME(cublasLtMatmulDescCreate);
    SAME(cublasLtMatmulDescDestroy);
    SAME(cublasLtMatmulDescSetAttribute);
    SAME(cublasLtMatrixLayoutCreate);
    SAME(cublasLtMatrixLayoutDestroy);
    SAME(cublasLtMatmulPreferenceCreate);
    SAME(cublasLtMatmulPreferenceDestroy);
    SAME(cublasLtMatmulPreferenceSetAttribute);
    SAME(cublasLtMatmulAlgoGetHeuristic);
    SAME(cublasLtMatmul);
#undef SAME
}

}  // namespace
}  // namespace tritonsmith::model::cublas_lt
#endif

namespace tritonsmith::model::cublas_lt {
namespace {

TEST(CublasLt, IsNotThereWithoutTorchsCuda) {
    EXPECT_EQ(Library::find(), nullptr);  // this program links torch_cpu alone
}

}  // namespace
}  // namespace tritonsmith::model::cublas_lt
