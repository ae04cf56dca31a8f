#include "judge/timing/device_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tritonsmith::judge {
namespace {

using ::testing::HasSubstr;

run::ComparedAnswer answer(int64_t wrong_in_the_second) {
    run::ComparedAnswer out;
    out.outputs.push_back({"output/0", nullptr, 10, 0, 0});
    out.outputs.push_back({"output/1", nullptr, 1000, 0, 0});
    if (wrong_in_the_second > 0)
        out.outputs[1].mismatch = {{"index", {7}},
                                   {"expected", 1.0},
                                   {"found", 2.0},
                                   {"allowed", 1e-6},
                                   {"out_of_bound", wrong_in_the_second},
                                   {"elements", 1000}};
    return out;
}

TEST(DeviceFindings, RightAnswersAreNone) {
    EXPECT_FALSE(wrong_when_timed(answer(0)));
    EXPECT_FALSE(differs_as_written(answer(0)));
}

TEST(DeviceFindings, WrongOutputsAreNamedWithTheirExtent) {
    const auto timed = wrong_when_timed(answer(3)), written = differs_as_written(answer(3));
    ASSERT_TRUE(timed && written);
    EXPECT_EQ(timed->reason, "wrong_when_timed");
    EXPECT_EQ(written->reason, "as_written_differs");
    for (const auto& finding : {*timed, *written}) {
        EXPECT_THAT(finding.message, HasSubstr("output/1"));
        EXPECT_THAT(finding.message, HasSubstr("wrong in 3 of 1000 elements"));
        EXPECT_EQ(finding.evidence["index"], Json::array({7}));
    }
}

TEST(DeviceFindings, MissingOutputsAreWrong) {
    run::ComparedAnswer none = answer(0);
    none.missing = {"output/2"};
    for (const auto& finding : {wrong_when_timed(none), differs_as_written(none)}) {
        ASSERT_TRUE(finding);
        EXPECT_THAT(finding->message, HasSubstr("no output/2"));
    }
}

TEST(DeviceFindings, NobodyIsFasterThanTheMemory) {
    Roofline roofline;
    EXPECT_FALSE(implausible(roofline, 1e-6)) << "of an unknown device nothing is said";
    roofline.least_ms = 0.5;
    EXPECT_FALSE(implausible(roofline, 0.5));
    const auto finding = implausible(roofline, 0.25);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->reason, "timing_implausible");
    EXPECT_THAT(finding->message, HasSubstr("0.25 ms is less than the 0.5 ms"));
    EXPECT_EQ(finding->evidence["least_ms"], 0.5);
}

}  // namespace
}  // namespace tritonsmith::judge
