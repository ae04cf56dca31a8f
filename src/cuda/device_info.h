#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tritonsmith::cuda {

/// What the driver says of one device. Numbers are 0 where it does not say.
struct DeviceInfo {
    int ordinal = 0;   ///< the driver's, after CUDA_VISIBLE_DEVICES
    std::string name;  ///< "NVIDIA H100 80GB HBM3"
    std::string uuid;  ///< as nvidia-smi writes it: "GPU-1b4e28ba-2fa1-11d2-883f-0016d3cca427"
    int major = 0, minor = 0;
    std::string target;  ///< "sm_90"
    int multiprocessors = 0;
    int64_t memory_bytes = 0, l2_bytes = 0;
    int64_t memory_clock_khz = 0, core_clock_khz = 0;  ///< the highest
    int bus_width_bits = 0;
    double bytes_per_second = 0;   ///< of its memory in theory: two transfers a clock on the whole bus
    int64_t max_shared_bytes = 0;  ///< of a block that asks for more than the usual 48 KiB (opt-in)
    bool shares_memory = false;    ///< its memory can be handed to processes as file descriptors
};

/// Every device, without making a context on any; empty where there is no driver or no device.
/// @throws Error if the driver fails at it.
std::vector<DeviceInfo> devices();

}  // namespace tritonsmith::cuda
