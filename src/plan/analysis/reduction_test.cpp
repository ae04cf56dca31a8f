#include "plan/analysis/reduction.h"

#include <gtest/gtest.h>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

AtenStep named(const std::string& op) {
    return {op, {}, {}, {}};
}

TEST(Reduction, SumsOfProductsAreProductsConvolutionsSumsAndMeans) {
    for (const char* op :
         {"aten::mm", "aten::addmm_", "aten::baddbmm", "aten::convolution", "aten::cudnn_convolution",
          "aten::_conv_depthwise2d", "aten::sum.dim_IntList", "aten::mean", "aten::cumsum",
          "aten::avg_pool2d", "aten::_adaptive_avg_pool2d", "aten::index_add_"})
        EXPECT_TRUE(sums_products(named(op))) << op;
    for (const char* op : {"aten::_cdist_forward", "aten::amax", "aten::var.correction", "aten::_softmax",
                           "aten::native_layer_norm", "aten::add.Tensor", "aten::prod"})
        EXPECT_FALSE(sums_products(named(op))) << op;
}

TEST(Reduction, MeansAreDividedByTheirNumberOfTerms) {
    for (const char* op : {"aten::mean.dim", "aten::avg_pool2d", "aten::_adaptive_avg_pool3d"})
        EXPECT_TRUE(averages(named(op))) << op;
    for (const char* op : {"aten::sum", "aten::mm"}) EXPECT_FALSE(averages(named(op))) << op;
}

TEST(Reduction, TheLongestAverageIsTheLongestSumThatIsDividedByItsTerms) {
    using B = Builder;
    const auto average = [](const auto& add_steps) {
        B b("reference");
        const Tensor x = b.input({4, 1000});
        b.phase(Phase::forward);
        add_steps(b, x);
        return longest_average(b.plan);
    };
    const auto over_rows = [](const std::string& op) {
        return [op](B& b, const Tensor& x) { b.make(op, B::args(x, B::list({1})), {4}); };
    };
    for (const char* op : {"aten::mean.dim", "aten::var.correction", "aten::std.correction"})
        EXPECT_EQ(average(over_rows(op)), 1000) << op;
    EXPECT_EQ(average(over_rows("aten::sum.dim_IntList")), 1);
    const auto batch_norm = [&](bool training) {
        return average([&](B& b, const Tensor& x) {
            b.make("aten::native_batch_norm", B::args(x, x, x, x, x, training, 0.1, 1e-5), {4, 1000});
        });
    };
    EXPECT_EQ(batch_norm(true), 4);
    EXPECT_EQ(batch_norm(false), 1);
    const auto divided = [&](const std::string& op, double by) {
        return average([&](B& b, const Tensor& x) {
            const Tensor sum = b.make("aten::sum.dim_IntList", B::args(x, B::list({1})), {4});
            b.make(op, B::args(sum, by), {4});
        });
    };
    EXPECT_EQ(divided("aten::div.Tensor", 1000), 1000);
    EXPECT_EQ(divided("aten::div.Tensor", 999), 1000);
    EXPECT_EQ(divided("aten::mul.Tensor", 0.001), 1000);
    EXPECT_EQ(divided("aten::div.Tensor", 7), 1);
}

}  // namespace
}  // namespace tritonsmith::plan
