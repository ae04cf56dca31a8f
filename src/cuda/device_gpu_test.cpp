#include <gmock/gmock.h>

#include "cuda/device_info.h"
#include "cuda/gpu_testing.h"

namespace tritonsmith::cuda {
namespace {

class Device : public OnDevice {};

TEST_F(Device, IsDescribed) {
    for (const DeviceInfo& device : devices()) {
        EXPECT_FALSE(device.name.empty());
        EXPECT_THAT(device.uuid,
                    ::testing::MatchesRegex("GPU-[0-9a-f]+-[0-9a-f]+-[0-9a-f]+-[0-9a-f]+-[0-9a-f]+"));
        EXPECT_GE(device.major, 7);
        EXPECT_EQ(device.target, "sm_" + std::to_string(device.major * 10 + device.minor));
        EXPECT_GT(device.multiprocessors, 0);
        EXPECT_GT(device.memory_bytes, int64_t{1} << 30);
        EXPECT_GT(device.l2_bytes, 0);
        EXPECT_GE(device.max_shared_bytes, 48 << 10);
        EXPECT_TRUE(device.bytes_per_second == 0 || device.bytes_per_second > 1e11)
            << device.bytes_per_second;
    }
}

}  // namespace
}  // namespace tritonsmith::cuda
