#include "judge/verdict/feedback.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "base/reasons.h"

namespace tritonsmith::judge {
namespace {

TEST(Feedback, SaysWhatWhereAndWhatWouldFixIt) {
    Verdict verdict;
    verdict.status = Status::rejected;
    verdict.reason = "out_of_bounds";
    verdict.message = "load through x at element 10 of 10";
    verdict.line = 2;
    const Json lesson = feedback(verdict, "first\n    x = tl.load(p)\nthird\n");
    EXPECT_EQ(lesson["model"],
              "[out_of_bounds] line 2 `x = tl.load(p)` load through x at element 10 of 10 FIX: " +
                  std::string(fix_of("out_of_bounds")));
    EXPECT_NE(lesson["person"].get<std::string>().find("In line 2: x = tl.load(p)"), std::string::npos);
    EXPECT_NE(lesson["person"].get<std::string>().find(std::string(fix_of("out_of_bounds"))),
              std::string::npos);
}

TEST(Feedback, StaysShortAndWhole) {
    Verdict verdict;
    verdict.status = Status::rejected;
    verdict.reason = "trace_error";
    verdict.line = 99;  // beyond the end
    for (int i = 0; i < 1000; ++i) verdict.message += "é\n";
    const std::string model = feedback(verdict, "one line")["model"];
    EXPECT_LT(model.size(), 1000u);
    EXPECT_EQ(model.find('\n'), std::string::npos);
    EXPECT_NO_THROW((void)Json(model).dump());
    verdict.status = Status::accepted;
    EXPECT_TRUE(feedback(verdict, "").is_null());
}

TEST(Feedback, CutsTheSourceBetweenCharacters) {
    Verdict verdict;
    verdict.status = Status::rejected;
    verdict.reason = "trace_error";
    verdict.line = 1;
    for (size_t before = 0; before < 4; ++before) {
        std::string line = std::string(before, 'x') + "# ";
        for (int i = 0; i < 100; ++i) line += "长";
        EXPECT_NO_THROW((void)feedback(verdict, line).dump()) << before;
    }
    EXPECT_NO_THROW((void)feedback(verdict, "x = '\xff\xfe'").dump());
    EXPECT_NO_THROW((void)dump(to_json(verdict)));
}

}  // namespace
}  // namespace tritonsmith::judge
