#include "plan/analysis/reduction.h"

#include <gtest/gtest.h>

namespace tritonsmith::plan {
namespace {

AtenStep named(const std::string& op) {
    return {op, {}, {}, {}};
}

TEST(Reduction, SumsOfProductsAreProductsConvolutionsSumsAndMeans) {
    for (const char* op : {"aten::mm", "aten::addmm_", "aten::baddbmm", "aten::convolution", "aten::cudnn_convolution",
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

}  // namespace
}  // namespace tritonsmith::plan
