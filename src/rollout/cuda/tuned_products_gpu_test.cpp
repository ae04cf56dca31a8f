#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "cuda/device_info.h"
#include "model/tuned_products.h"

namespace tritonsmith::model {
namespace {

class TunedProducts : public ::testing::Test {
  protected:
    void SetUp() override {
        if (cuda::devices().empty()) GTEST_SKIP() << "no GPU";
    }
    static double distance(const at::Tensor& found, const at::Tensor& exact) {
        return ((found.to(at::kDouble) - exact).abs().max() / exact.abs().max()).item<double>();
    }
};

TEST_F(TunedProducts, AreProducts) {
    const auto on = at::TensorOptions().device(at::Device("cuda:0"));
    for (const at::ScalarType dtype : {at::kBFloat16, at::kHalf})
        for (const auto& [rows, outputs, inputs] : std::vector<std::array<int64_t, 3>>{{64, 512, 256},
                                                                                       {65, 384, 1024},
                                                                                       {256, 1000, 4096},
                                                                                       {200, 6144, 1024},
                                                                                       {1000, 2048, 776},
                                                                                       {63, 512, 256},
                                                                                       {128, 500, 250}})
            for (const bool with_bias : {false, true})
                for (const at::ScalarType result : {dtype, at::kFloat}) {
                    const at::Tensor x = at::randn({rows, inputs}, on).to(dtype),
                                     weight = at::randn({outputs, inputs}, on).to(dtype),
                                     bias = with_bias ? at::randn({outputs}, on).to(result) : at::Tensor();
                    int asked = 0;
                    // Slow, so that one of cuBLASLt's is taken.
                    const auto plain = [&] {
                        ++asked;
                        at::Tensor exact = at::mm(x.to(at::kDouble), weight.to(at::kDouble).t());
                        return (with_bias ? exact.add_(bias) : exact).to(result);
                    };
                    const at::Tensor exact = plain().to(at::kDouble);
                    asked = 0;
                    // The first call chooses, the second uses what was chosen.
                    for (int call = 0; call < 2; ++call) {
                        const at::Tensor found = tuned_product(x, weight, bias, result, plain);
                        ASSERT_EQ(found.scalar_type(), result);
                        ASSERT_EQ(found.sizes(), exact.sizes());
                        EXPECT_LT(distance(found, exact), result == at::kFloat ? 1e-5 : 5e-3)
                            << rows << " x " << outputs << " x " << inputs << (with_bias ? ", bias" : "");
                    }
                    if (rows < 64 || outputs % 8 != 0) {
                        EXPECT_EQ(asked, 2) << "PyTorch's: nothing is timed";
                    }
                }
}

/// plain() is slow here, so that one of cuBLASLt's is taken, by each number of rows of the bucket alike.
TEST_F(TunedProducts, TakesWhatIsFaster) {
    const auto on = at::TensorOptions().device(at::Device("cuda:0")).dtype(at::kBFloat16);
    const at::Tensor x = at::randn({500, 264}, on), weight = at::randn({520, 264}, on);
    int asked = 0;
    const auto plain = [&] {
        ++asked;
        return at::mm(x.to(at::kDouble), weight.to(at::kDouble).t()).to(at::kBFloat16);
    };
    tuned_product(x, weight, {}, at::kBFloat16, plain);
    EXPECT_GT(asked, 1) << "it was timed";
    const int timed = asked;
    const at::Tensor all = tuned_product(x, weight, {}, at::kBFloat16, plain);
    for (const int64_t rows : {257, 300, 499}) {
        const at::Tensor some = tuned_product(x.narrow(0, 0, rows), weight, {}, at::kBFloat16, plain);
        EXPECT_LT(distance(some, all.narrow(0, 0, rows).to(at::kDouble)), 1e-2);
    }
    EXPECT_EQ(asked, timed);
    EXPECT_THAT(tuned_products(), ::testing::Contains(::testing::HasSubstr("500 x 520 x 264: ")));
}

}  // namespace
}  // namespace tritonsmith::model
