#include <gmock/gmock.h>

#include "cuda/kernel.h"
#include "cuda/kernel_testing.h"
#include "cuda/tensor_map.h"

namespace tritonsmith::cuda {
namespace {

const std::string kSources = TRITONSMITH_SOURCE_DIR;

/// What the tests of the label gpu launch, and what Triton says of its descriptor today.
TEST(CompiledKernel, HasWhatALaunchNeeds) {
    const std::string path = kSources + "/src/cuda/testdata/all_parameters_sm90.ttir";
    const CompiledKernel kernel = compile_for_test(read_file(path, path, 1 << 20), "sm_90");
    EXPECT_EQ(kernel.name, "all_parameters");
    EXPECT_EQ(kernel.num_warps, 4);
    EXPECT_GT(kernel.shared, 2048);
    ASSERT_EQ(kernel.tensordesc_meta.size(), 1U);
    ASSERT_GT(kernel.cubin.size(), 64U);
    EXPECT_EQ(std::string(kernel.cubin.begin(), kernel.cubin.begin() + 4),
              "\x7f"
              "ELF");
    plan::Descriptor descriptor;
    descriptor.base.shape = {32, 16};
    descriptor.base.stride = {32, 1};
    const TensorMapRequest map = tensor_map_request(descriptor, kernel.tensordesc_meta[0], 0x1000);
    EXPECT_EQ(map.type, CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
    EXPECT_THAT(map.box, ::testing::ElementsAre(32, 32, 0, 0, 0));
    EXPECT_THAT(map.strides, ::testing::ElementsAre(64, 2048, 0, 0, 0));
}

}  // namespace
}  // namespace tritonsmith::cuda
