#include "judge/feedback.h"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "base/files.h"
#include "base/mends.h"

namespace tritonsmith::judge {
namespace {

TEST(Feedback, EveryDocumentedReasonHasAMend) {
    std::istringstream document(
        read_file(TRITONSMITH_SOURCE_DIR "/docs/reasons.md", "document", int64_t{1} << 20));
    const std::regex row(R"(\| ([a-z, ]+) \| ((?:`[a-z_]+` ?)+)\|.*)"), code("`([a-z_]+)`");
    int codes = 0;
    for (std::string line; std::getline(document, line);) {
        std::smatch cells;
        if (!std::regex_match(line, cells, row)) continue;
        const std::string names = cells[2];
        for (std::sregex_iterator it(names.begin(), names.end(), code), end; it != end; ++it, ++codes)
            EXPECT_NE(mend((*it)[1]), "") << (*it)[1];
    }
    EXPECT_GT(codes, 40) << "the table was not found";
    EXPECT_EQ(mend("no_such_reason"), "");
}

TEST(Feedback, SaysWhatWhereAndWhatWouldMendIt) {
    Verdict verdict;
    verdict.status = Status::rejected;
    verdict.reason = "out_of_bounds";
    verdict.message = "load through x at element 10 of 10";
    verdict.line = 2;
    const Json lesson = feedback(verdict, "first\n    x = tl.load(p)\nthird\n");
    EXPECT_EQ(lesson["model"],
              "[out_of_bounds] line 2 `x = tl.load(p)` load through x at element 10 of 10 FIX: " +
                  mend("out_of_bounds"));
    EXPECT_NE(lesson["person"].get<std::string>().find("In line 2: x = tl.load(p)"), std::string::npos);
    EXPECT_NE(lesson["person"].get<std::string>().find(mend("out_of_bounds")), std::string::npos);
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
    EXPECT_NO_THROW(Json(model).dump());
    verdict.status = Status::accepted;
    EXPECT_TRUE(feedback(verdict, "").is_null());
}

}  // namespace
}  // namespace tritonsmith::judge
