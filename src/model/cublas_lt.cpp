#include "model/cublas_lt.h"

#include <dlfcn.h>

#include <optional>
#include <string>

namespace tritonsmith::model::cublas_lt {
namespace {

template <class Function>
bool look_up(void* library, Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

std::optional<Library> load() {
    for (const std::string version : {".13", ".12"}) {
        void* products = ::dlopen(("libcublasLt.so" + version).c_str(), RTLD_NOW | RTLD_NOLOAD);
        void* runtime = ::dlopen(("libcudart.so" + version).c_str(), RTLD_NOW | RTLD_NOLOAD);
        if (products == nullptr || runtime == nullptr) continue;
        Library out;
        bool whole = true;
#define X(library, function) whole = whole && look_up(library, out.function, #function)
        X(products, cublasLtCreate);
        X(products, cublasLtMatmulDescCreate);
        X(products, cublasLtMatmulDescDestroy);
        X(products, cublasLtMatmulDescSetAttribute);
        X(products, cublasLtMatrixLayoutCreate);
        X(products, cublasLtMatrixLayoutDestroy);
        X(products, cublasLtMatmulPreferenceCreate);
        X(products, cublasLtMatmulPreferenceDestroy);
        X(products, cublasLtMatmulPreferenceSetAttribute);
        X(products, cublasLtMatmulAlgoGetHeuristic);
        X(products, cublasLtMatmul);
        X(runtime, cudaStreamIsCapturing);
#undef X
        if (whole) return out;
    }
    return std::nullopt;
}

}  // namespace

const Library* Library::find() {
    static const std::optional<Library> found = load();
    return found ? &*found : nullptr;
}

}  // namespace tritonsmith::model::cublas_lt
