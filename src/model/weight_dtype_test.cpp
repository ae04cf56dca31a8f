#include "model/weight_dtype.h"

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
        EXPECT_THAT(error.what(), ::testing::HasSubstr("\"fp4\" is not known: give float32"));
    }
}

}  // namespace
}  // namespace tritonsmith::model
