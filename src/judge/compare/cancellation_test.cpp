#include "judge/compare/cancellation.h"

#include <gtest/gtest.h>

#include "plan/ir/build.h"

namespace tritonsmith::judge {
namespace {

using B = plan::Builder;

bool told_of(const char* op, bool right_on_own, const char* reason = "wrong_result") {
    B b("reference");
    b.phase(plan::Phase::forward);
    const plan::Tensor x = b.fresh({4, 8});
    b.make(op, B::args(x), {4}, plan::DType::f32);
    Finding finding{reason, "wrong"};
    finding.right_on_own_inputs = right_on_own;
    name_cancellation(finding, b.plan);
    return finding.message.find("Welford") != std::string::npos;
}

TEST(Cancellation, IsNamedWhereTheReferenceComputesAVariance) {
    EXPECT_TRUE(told_of("aten::var.correction", true));
    EXPECT_TRUE(told_of("aten::native_layer_norm", true));
    EXPECT_FALSE(told_of("aten::mean.dim", true));
}

TEST(Cancellation, IsNotNamedWhereTheTasksOwnInputsAreWrongAsWell) {
    EXPECT_FALSE(told_of("aten::var.correction", false));
    EXPECT_FALSE(told_of("aten::var.correction", true, "race"));
}

}  // namespace
}  // namespace tritonsmith::judge
