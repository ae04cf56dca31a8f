#include "cuda/tensor_map.h"

#include <gmock/gmock.h>

namespace tritonsmith::cuda {
namespace {

using ::testing::HasSubstr;

plan::Descriptor described(std::vector<int64_t> shape, std::vector<int64_t> stride) {
    plan::Descriptor descriptor;
    descriptor.base.buffer = 0;
    descriptor.base.dtype = plan::DType::f16;
    descriptor.base.shape = std::move(shape);
    descriptor.base.stride = std::move(stride);
    return descriptor;
}

Json meta(std::vector<int> block, int type = 6, bool fp4_padded = false) {
    return {{"swizzle", 2},
            {"elem_size", 2},
            {"elem_type", type},
            {"block_size", std::move(block)},
            {"fp4_padded", fp4_padded}};
}

TEST(TensorMap, HasTheInnermostDimensionFirstAndStridesInBytes) {
    const TensorMapRequest map =
        tensor_map_request(described({4, 100, 64}, {6400, 64, 1}), meta({1, 32, 16}), 0x1000);
    EXPECT_EQ(map.rank, 3U);
    EXPECT_EQ(map.address, 0x1000U);
    EXPECT_EQ(map.type, CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
    EXPECT_EQ(map.swizzle, CU_TENSOR_MAP_SWIZZLE_64B);
    EXPECT_EQ(map.fill, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    EXPECT_THAT(map.sizes, ::testing::ElementsAre(64, 100, 4, 0, 0));
    EXPECT_THAT(map.strides, ::testing::ElementsAre(128, 12800, 51200, 0, 0));
    EXPECT_THAT(map.box, ::testing::ElementsAre(16, 32, 1, 0, 0));
    EXPECT_THAT(map.steps, ::testing::Each(1));
}

TEST(TensorMap, OfOneDimensionHasItsExtentForAStride) {
    plan::Descriptor descriptor = described({100}, {1});
    descriptor.padding = "nan";
    const TensorMapRequest map = tensor_map_request(descriptor, meta({32}), 0);
    EXPECT_EQ(map.strides[0], 200U);
    EXPECT_EQ(map.fill, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
}

TEST(TensorMap, TranslatesTheTypesThatTheDeviceNumbersOtherwise) {
    const auto type = [](int device) {
        return tensor_map_request(described({8}, {1}), meta({8}, device), 0).type;
    };
    EXPECT_EQ(type(7), CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
    EXPECT_EQ(type(8), 10);
    EXPECT_EQ(type(9), 8);
    EXPECT_EQ(type(10), 9);
    EXPECT_EQ(type(13), 13);
}

TEST(TensorMap, DoublesTheInnermostSizeOfPaddedFp4) {
    EXPECT_EQ(tensor_map_request(described({8, 64}, {64, 1}), meta({8, 64}, 14, true), 0).sizes[0], 128U);
}

void expect_refused(const plan::Descriptor& descriptor, const Json& meta, const char* text) {
    try {
        tensor_map_request(descriptor, meta, 0);
        FAIL() << "not refused: " << text;
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr(text));
    }
}

TEST(TensorMap, IsRefusedWhereItCannotBeMeant) {
    expect_refused(described({8, 8}, {8, 2}), meta({8, 8}), "last stride is 2");
    expect_refused(described({8}, {1}), meta({8, 8}), "rank 1");
    expect_refused(described({8}, {1}), Json(), "no tensordesc_meta");
    expect_refused(described({8}, {1}), meta({-1}), "block_size");
    expect_refused(described({-8}, {1}), meta({8}), "negative");
    expect_refused(described({8, int64_t{1} << 40}, {int64_t{1} << 62, 1}), meta({8, 8}), "overflows");
    Json foreign = meta({8});
    foreign["elem_size"] = "2";
    expect_refused(described({8}, {1}), foreign, "elem_size");
}

}  // namespace
}  // namespace tritonsmith::cuda
