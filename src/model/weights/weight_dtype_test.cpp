#include "model/weights/weight_dtype.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace tritonsmith::model {
namespace {

TEST(WeightDtype, HasTheNamesOfConfigFilesAndUsers) {
    EXPECT_EQ(weight_dtype("float32"), at::kFloat);
    EXPECT_EQ(weight_dtype("bfloat16"), at::kBFloat16);
    EXPECT_EQ(weight_dtype("float16"), at::kHalf);
    EXPECT_EQ(weight_dtype("int8"), at::kChar);
    EXPECT_EQ(weight_dtype("fp8"), at::kFloat8_e4m3fn);
    try {
        weight_dtype("fp4");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("\"fp4\" is unknown: give float32"));
    }
}

TEST(WeightDtype, Fp8IsForGpusThatHaveIt) {
    EXPECT_NO_THROW(check_fp8("--dtype fp8", "NVIDIA L40S", 8, 9));
    EXPECT_NO_THROW(check_fp8("--dtype fp8", "NVIDIA H100", 9, 0));
    try {
        check_fp8("--dtype fp8", "NVIDIA A100", 8, 0);
        ADD_FAILURE() << "taken";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "--dtype fp8 needs a GPU of compute capability 8.9 or later: NVIDIA A100 has 8.0");
    }
}

}  // namespace
}  // namespace tritonsmith::model
