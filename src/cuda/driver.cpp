#include "cuda/driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <atomic>

#include "base/error.h"

namespace tritonsmith::cuda {
namespace {

#define NAME_OF(function) #function
#define EXPANDED_NAME_OF(function) NAME_OF(function)

std::atomic<decltype(&cuGetErrorName)> name_of_error{nullptr};
std::atomic<decltype(&cuGetErrorString)> string_of_error{nullptr};

struct Loaded {
    Driver driver;
    Absence absence = Absence::none;
    std::string why;
};

template <typename Function>
void look_up(void* library, Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
}

Loaded without(Absence absence, std::string why) {
    return {{}, absence, std::move(why)};
}

Loaded load() {
    void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* said = ::dlerror();
        const std::string why = said ? said : "";
        // Anything but its absence is worth a word: a sandbox that hides it, a library of its own that is
        // missing.
        if (why.empty() || why == "libcuda.so.1: cannot open shared object file: No such file or directory")
            return without(Absence::no_library, "no NVIDIA driver (libcuda.so.1)");
        return without(Absence::no_library, "the NVIDIA driver cannot be loaded: " + why);
    }
    Loaded loaded;
    Driver& driver = loaded.driver;
    const char* missing = nullptr;
#define X(function)                                                \
    look_up(library, driver.function, EXPANDED_NAME_OF(function)); \
    if (!driver.function && !missing) missing = EXPANDED_NAME_OF(function);
#include "cuda/driver_functions.inc"
#undef X
    look_up(library, driver.elapsed_time, "cuEventElapsedTime_v2");
    if (!driver.elapsed_time) look_up(library, driver.elapsed_time, "cuEventElapsedTime");
    if (!driver.elapsed_time && !missing) missing = "cuEventElapsedTime";
    look_up(library, driver.load_function, "cuFuncLoad");
    look_up(library, driver.parameter_info, "cuFuncGetParamInfo");
    if (driver.cuDriverGetVersion) driver.cuDriverGetVersion(&driver.version);
    if (missing) {
        if (!driver.version) return without(Absence::unusable, "libcuda.so.1 is not NVIDIA's driver");
        return without(Absence::unusable,
                       fmt::format("the driver for {} lacks {}", driver.version_text(), missing));
    }
    name_of_error = driver.cuGetErrorName;
    string_of_error = driver.cuGetErrorString;
    if (CUresult result = driver.cuInit(0); result != CUDA_SUCCESS)
        return without(Absence::no_device,
                       fmt::format("driver for {} says {}", driver.version_text(), error_name(result)));
    return loaded;
}

}  // namespace

std::string Driver::version_text() const {
    return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
}

const Driver* find_driver(std::string* why, Absence* absence) {
    static const Loaded loaded = load();
    if (why) *why = loaded.why;
    if (absence) *absence = loaded.absence;
    return loaded.absence == Absence::none ? &loaded.driver : nullptr;
}

const Driver& driver() {
    std::string why;
    const Driver* found = find_driver(&why);
    if (!found) throw MachineError("no GPU can be used: " + why);
    return *found;
}

ErrorFunctions error_functions() {
    return {name_of_error, string_of_error};
}

}  // namespace tritonsmith::cuda
