#include "judge/compare/tf32.h"

#include <gtest/gtest.h>

namespace tritonsmith::judge {
namespace {

bool named(double found, bool has_products, const std::string& reason = "wrong_result") {
    Finding finding{reason, "output/0[3] is wrong", 0, {{"expected", 2.0}, {"found", found}, {"rms", 10.0}}};
    name_tf32(finding, has_products);
    return finding.message.find("input_precision=\"ieee\"") != std::string::npos;
}

TEST(Tf32, IsNamedWhereItIsThereAndExplainsTheError) {
    EXPECT_TRUE(named(2.01, true));
    EXPECT_FALSE(named(2.01, false));
    EXPECT_FALSE(named(2.5, true)) << "far more than TF32 loses";
    EXPECT_FALSE(named(2.01, true, "race"));
}

TEST(Tf32, NumbersThatAreNoneExplainNothing) {
    Finding finding{"wrong_result", "wrong", 0, {{"expected", 2.0}, {"found", "nan"}}};
    name_tf32(finding, true);
    EXPECT_EQ(finding.message, "wrong");
}

}  // namespace
}  // namespace tritonsmith::judge
