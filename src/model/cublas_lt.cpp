#if __has_include(<cublasLt.h>)
#include "model/cublas_lt.h"

#include <dlfcn.h>

#include <optional>
#include <string>

namespace tritonsmith::model {
namespace {

template <class Function>
bool look_up(void* library, Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

std::optional<CublasLt> load() {
    const std::string version = "." + std::to_string(CUBLAS_VER_MAJOR);
    void* products = ::dlopen(("libcublasLt.so" + version).c_str(), RTLD_NOW | RTLD_NOLOAD);
    void* runtime = ::dlopen(("libcudart.so" + version).c_str(), RTLD_NOW | RTLD_NOLOAD);
    if (products == nullptr || runtime == nullptr) return std::nullopt;
    CublasLt out;
    bool whole = look_up(runtime, out.is_capturing, "cudaStreamIsCapturing");
#define X(function) whole = whole && look_up(products, out.function, #function);
    TRITONSMITH_CUBLAS_LT(X)
#undef X
    return whole ? std::optional(out) : std::nullopt;
}

}  // namespace

const CublasLt* CublasLt::find() {
    static const std::optional<CublasLt> found = load();
    return found ? &*found : nullptr;
}

}  // namespace tritonsmith::model

#endif
