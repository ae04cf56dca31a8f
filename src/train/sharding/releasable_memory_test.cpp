#include "train/sharding/releasable_memory.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>

namespace tritonsmith::train {
namespace {

TEST(ReleasableMemory, IsReleasedAndTakenAgainUnderItsViews) {
    ReleasableMemory memory(1000, at::kFloat);
    EXPECT_EQ(memory.flat().storage().nbytes(), 0U);
    memory.take();
    EXPECT_EQ(memory.flat().storage().nbytes(), 4000U);
    const at::Tensor view = memory.view(512, {3, 4});
    memory.flat().copy_(at::arange(1000));
    EXPECT_TRUE(at::equal(view, at::arange(512, 524, at::kFloat).view({3, 4})));
    memory.release();
    EXPECT_EQ(view.storage().nbytes(), 0U);
    EXPECT_EQ(view.sizes(), at::IntArrayRef({3, 4}));
    memory.take();
    memory.flat().fill_(7);
    EXPECT_TRUE(at::equal(view, at::full({3, 4}, 7.0)));
}

TEST(ReleasableMemory, AdoptsATensorWithAllItsHandles) {
    ReleasableMemory memory(100, at::kFloat);
    const at::Tensor tensor = at::ones({2, 5}), handle = tensor;
    memory.adopt(tensor, 20);
    EXPECT_EQ(handle.storage().nbytes(), 0U);
    memory.take();
    memory.flat().copy_(at::arange(100));
    EXPECT_TRUE(at::equal(handle, at::arange(20, 30, at::kFloat).view({2, 5})));
    EXPECT_THROW(memory.adopt(at::ones({2}), 99), std::logic_error);
    EXPECT_THROW(memory.adopt(at::ones({2}, at::kBFloat16), 0), std::logic_error);
}

}  // namespace
}  // namespace tritonsmith::train
