#include "cuda/device_info.h"

#include <fmt/format.h>

#include "cuda/driver.h"

namespace tritonsmith::cuda {
namespace {

int64_t attribute(CUdevice device, CUdevice_attribute which) {
    int value = 0;
    // What an older driver does not know stays unknown.
    return driver().cuDeviceGetAttribute(&value, which, device) == CUDA_SUCCESS ? value : 0;
}

std::string uuid_of(CUdevice device) {
    CUuuid uuid{};
    TRITONSMITH_CU(cuDeviceGetUuid, &uuid, device);
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
    }
    return text;
}

DeviceInfo describe(int ordinal) {
    CUdevice device = 0;
    TRITONSMITH_CU(cuDeviceGet, &device, ordinal);
    char name[256] = {};
    TRITONSMITH_CU(cuDeviceGetName, name, static_cast<int>(sizeof name - 1), device);
    size_t memory = 0;
    TRITONSMITH_CU(cuDeviceTotalMem, &memory, device);
    const auto number = [&](CUdevice_attribute which) { return attribute(device, which); };
    DeviceInfo info;
    info.ordinal = ordinal;
    info.name = name;
    info.uuid = uuid_of(device);
    info.major = static_cast<int>(number(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
    info.minor = static_cast<int>(number(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
    info.target = fmt::format("sm_{}{}", info.major, info.minor);
    info.multiprocessors = static_cast<int>(number(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
    info.memory_bytes = static_cast<int64_t>(memory);
    info.l2_bytes = number(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    info.memory_clock_khz = number(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
    info.core_clock_khz = number(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    info.bus_width_bits = static_cast<int>(number(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH));
    info.bytes_per_second = 2.0 * 1e3 * static_cast<double>(info.memory_clock_khz) * info.bus_width_bits / 8;
    info.max_shared_bytes = number(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    info.shares_memory = number(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) &&
                         number(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED);
    return info;
}

}  // namespace

std::vector<DeviceInfo> devices() {
    std::vector<DeviceInfo> found;
    if (!find_driver()) return found;
    int count = 0;
    TRITONSMITH_CU(cuDeviceGetCount, &count);
    for (int ordinal = 0; ordinal < count; ++ordinal) found.push_back(describe(ordinal));
    return found;
}

}  // namespace tritonsmith::cuda
