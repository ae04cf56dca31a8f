#include "kernels/kernels.h"

#include <dlfcn.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "base/error.h"
#include "base/process/process.h"
#include "kernels/abi.h"

namespace tritonsmith::kernels {
namespace {

constexpr const char* file_name = "libtritonsmith-kernels.so";

struct Library {
    std::string why;  ///< empty: it was found
    const char* (*error_text)() = nullptr;
#define X(function, arguments) int (*function)(const arguments*, void*) = nullptr;
#include "kernels/functions.inc"
#undef X
};

template <typename Function>
bool look_up(void* library, Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

Library load() {
    namespace fs = std::filesystem;
    Library loaded;
    const fs::path program = program_folder();
    fs::path path = program / file_name;
    if (!fs::exists(path)) path = program.parent_path() / "lib" / file_name;
    if (!fs::exists(path)) {
        loaded.why =
            std::string(file_name) + " was not built (cmake -DTRITONSMITH_CUDA=ON builds it; it needs nvcc)";
        return loaded;
    }
    void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* said = ::dlerror();
        loaded.why = path.string() + " cannot be loaded: " + (said ? said : "no reason given");
        return loaded;
    }
    uint64_t (*version)() = nullptr;
    bool whole = look_up(library, version, "tritonsmith_kernels_interface_version") &&
                 version() == interface_version() &&
                 look_up(library, loaded.error_text, "tritonsmith_kernels_error_text");
#define X(function, arguments) whole = whole && look_up(library, loaded.function, "tritonsmith_" #function);
#include "kernels/functions.inc"
#undef X
    if (!whole) loaded.why = path.string() + " is of another version: build it again";
    return loaded;
}

const Library& library() {
    static const Library loaded = load();
    return loaded;
}

const Library& library_or_throw() {
    const Library& found = library();
    if (!found.why.empty()) throw MachineError("CUDA kernels are missing: " + found.why);
    return found;
}

void check(int status, const Library& from) {
    if (status == 0) return;
    if (status == refused) throw std::invalid_argument(from.error_text());
    throw MachineError(from.error_text());
}

}  // namespace

bool find_library(std::string* why) {
    if (why) *why = library().why;
    return library().why.empty();
}

#define X(function, arguments)                        \
    void function(const arguments& a, void* stream) { \
        const Library& from = library_or_throw();     \
        check(from.function(&a, stream), from);       \
    }
#include "kernels/functions.inc"
#undef X

}  // namespace tritonsmith::kernels
