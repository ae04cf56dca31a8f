#include <dlfcn.h>
#include <fmt/format.h>

#include "cli/doctor.h"

namespace tritonsmith::cli {
namespace {

/// The few calls of the CUDA driver API that tell what is there; loaded at run time, so that one binary
/// serves machines with and without a driver. Signatures: cuda.h.
struct Driver {
    void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    template <typename Function>
    Function* symbol(const char* name) const {
        return reinterpret_cast<Function*>(::dlsym(library, name));
    }
};

constexpr int kComputeMajor = 75, kComputeMinor = 76, kMultiprocessors = 16;  // CUdevice_attribute

std::string error_name(const Driver& driver, int error) {
    auto* name_of = driver.symbol<int(int, const char**)>("cuGetErrorName");
    const char* name = nullptr;
    if (name_of && name_of(error, &name) == 0 && name) return name;
    return "error " + std::to_string(error);
}

Json describe_device(const Driver& driver, int device) {
    char name[256] = {};
    size_t bytes = 0;
    int major = 0, minor = 0, multiprocessors = 0;
    auto* attribute = driver.symbol<int(int*, int, int)>("cuDeviceGetAttribute");
    auto* name_of = driver.symbol<int(char*, int, int)>("cuDeviceGetName");
    auto* memory_of = driver.symbol<int(size_t*, int)>("cuDeviceTotalMem_v2");
    if (name_of) name_of(name, sizeof name - 1, device);
    if (memory_of) memory_of(&bytes, device);
    if (attribute) {
        attribute(&major, kComputeMajor, device);
        attribute(&minor, kComputeMinor, device);
        attribute(&multiprocessors, kMultiprocessors, device);
    }
    return {{"name", name},
            {"target", fmt::format("sm_{}{}", major, minor)},
            {"memory_gib", static_cast<double>(bytes) / (1 << 30)},
            {"multiprocessors", multiprocessors}};
}

Check without_gpu(const std::string& text, const std::string& mend) {
    Check check{"gpu", State::note, text, mend};
    check.details = {{"devices", Json::array()}};
    return check;
}

}  // namespace

Check check_gpu() {
    Driver driver;
    if (!driver.library)
        return without_gpu("none: no NVIDIA driver (libcuda.so.1)",
                           "judging runs on the CPU; timing needs an NVIDIA GPU and its driver");
    auto* initialise = driver.symbol<int(unsigned)>("cuInit");
    auto* count_of = driver.symbol<int(int*)>("cuDeviceGetCount");
    auto* version_of = driver.symbol<int(int*)>("cuDriverGetVersion");
    if (!initialise || !count_of)
        return without_gpu("libcuda.so.1 is not NVIDIA's driver", "reinstall the driver");
    int version = 0, count = 0;
    if (version_of) version_of(&version);
    std::string driver_version = fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
    int error = initialise(0);
    if (error == 0) error = count_of(&count);
    if (error != 0 || count == 0)
        return without_gpu(fmt::format("none: driver for {} says {}", driver_version,
                                       error ? error_name(driver, error) : "no device"),
                           "see whether nvidia-smi lists a GPU, and whether the container passes it through");
    Check check{"gpu"};
    check.details = {{"driver", driver_version}, {"devices", Json::array()}};
    for (int device = 0; device < count; ++device) {
        Json found = describe_device(driver, device);
        check.text +=
            fmt::format("{}{} ({}, {:.0f} GiB)", device ? ", " : "", found["name"].get<std::string>(),
                        found["target"].get<std::string>(), found["memory_gib"].get<double>());
        check.details["devices"].push_back(std::move(found));
    }
    check.text += ", driver for " + driver_version;
    return check;
}

}  // namespace tritonsmith::cli
