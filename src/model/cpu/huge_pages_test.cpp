#include "model/cpu/huge_pages.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <vector>

namespace tritonsmith::model {
namespace {

TEST(HugePages, TensorsShareThemAndNothingElse) {
    std::vector<at::Tensor> tensors;
    for (int64_t i = 0; i < 40; ++i)  // of 1 to 8 MiB and a bit: several mappings, shared and not
        tensors.push_back(
            empty_in_huge_pages({i % 8 + 1, (1 << 18) + i}, at::kFloat).fill_(static_cast<double>(i)));
    for (int64_t i = 0; i < 40; ++i) {
        const at::Tensor& tensor = tensors[static_cast<size_t>(i)];
        ASSERT_EQ(reinterpret_cast<uintptr_t>(tensor.const_data_ptr()) % 64, 0);
        ASSERT_TRUE(tensor.is_contiguous());
        ASSERT_EQ(tensor.scalar_type(), at::kFloat);
        ASSERT_TRUE(at::all(tensor == i).item<bool>()) << i;
    }
}

TEST(HugePages, StayUntilTheLastTensorIsGone) {
    at::Tensor first = empty_in_huge_pages({100}, at::kChar).fill_(7);
    {
        const at::Tensor second = empty_in_huge_pages({100}, at::kChar).fill_(8);
        first = second.narrow(0, 50, 50);
    }
    EXPECT_TRUE(at::all(first == 8).item<bool>());
    const at::Tensor next = empty_in_huge_pages({100}, at::kChar).fill_(9);
    EXPECT_TRUE(at::all(first == 8).item<bool>());
}

TEST(HugePages, EmptyTensors) {
    EXPECT_EQ(empty_in_huge_pages({0, 16}, at::kBFloat16).numel(), 0);
}

}  // namespace
}  // namespace tritonsmith::model
