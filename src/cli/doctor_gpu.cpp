#include <fmt/format.h>

#include "cli/doctor.h"
#include "cuda/device_info.h"
#include "cuda/driver.h"

namespace tritonsmith::cli {
namespace {

Check without_gpu(const std::string& text, const std::string& fix) {
    Check check{"gpu", State::note, text, fix};
    check.details = {{"devices", Json::array()}};
    return check;
}

const char* kSeeWhetherThere =
    "see whether nvidia-smi lists a GPU, and whether the container passes it through";

Check without_driver(cuda::Absence absence, const std::string& why) {
    switch (absence) {
        case cuda::Absence::no_library:
            return without_gpu("none: " + why,
                               "judging runs on the CPU; timing needs an NVIDIA GPU and its driver");
        case cuda::Absence::unusable:
            return without_gpu(why, "install NVIDIA's driver for CUDA 12 or newer");
        default:
            return without_gpu("none: " + why, kSeeWhetherThere);
    }
}

Json describe(const cuda::DeviceInfo& device) {
    return {{"name", device.name},
            {"target", device.target},
            {"memory_gib", static_cast<double>(device.memory_bytes) / (1 << 30)},
            {"multiprocessors", device.multiprocessors}};
}

Check check_devices(const cuda::Driver& driver) {
    const std::vector<cuda::DeviceInfo> devices = cuda::devices();
    if (devices.empty())
        return without_gpu(fmt::format("none: driver for {} says no device", driver.version_text()),
                           kSeeWhetherThere);
    Check check{"gpu"};
    check.details = {{"driver", driver.version_text()}, {"devices", Json::array()}};
    for (const cuda::DeviceInfo& device : devices) {
        check.text += fmt::format("{}{} ({}, {:.0f} GiB)", check.text.empty() ? "" : ", ", device.name,
                                  device.target, static_cast<double>(device.memory_bytes) / (1 << 30));
        check.details["devices"].push_back(describe(device));
    }
    check.text += ", driver for " + driver.version_text();
    return check;
}

}  // namespace

Check check_gpu() {
    std::string why;
    cuda::Absence absence = cuda::Absence::none;
    const cuda::Driver* driver = cuda::find_driver(&why, &absence);
    if (!driver) return without_driver(absence, why);
    try {
        return check_devices(*driver);
    } catch (const cuda::Error& error) {
        return without_gpu(std::string("none: ") + error.what(), kSeeWhetherThere);
    }
}

}  // namespace tritonsmith::cli
