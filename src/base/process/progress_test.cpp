#include "base/process/progress.h"

#include <gtest/gtest.h>

namespace tritonsmith {
namespace {

TEST(Progress, LineSaysRateAndWhatIsLeft) {
    EXPECT_EQ(Progress::line("candidates", 0, 100, 0, ""), "0/100 candidates");
    EXPECT_EQ(Progress::line("candidates", 12, 100, 4, "3 accepted"),
              "12/100 candidates, 3/s, 29 s left, 3 accepted");
    EXPECT_EQ(Progress::line("steps", 2, 10, 60, ""), "2/10 steps, 30 s each, 4 min left");
    EXPECT_EQ(Progress::line("rows", 7, 0, 3.5, ""), "7 rows, 2/s, 4 s in all");
    EXPECT_EQ(Progress::line("rows", 10, 10, 7200, ""), "10/10 rows, 12 min each, 2.0 h in all");
}

TEST(Progress, ToAFileWritesWholeLinesAndAlwaysTheLast) {
    char* text = nullptr;
    size_t size = 0;
    std::FILE* file = std::tmpfile();
    {
        Progress progress("rows", 3, file);
        for (int i = 0; i < 3; ++i) progress.advance();
        progress.note("done");
    }
    std::rewind(file);
    ASSERT_GT(::getline(&text, &size, file), 0);
    std::string line = text;
    EXPECT_EQ(line.rfind("3/3 rows, ", 0), 0u) << line;
    EXPECT_EQ(line.substr(line.size() - 6), " done\n") << line;
    EXPECT_EQ(::getline(&text, &size, file), -1);
    std::free(text);
    std::fclose(file);
}

}  // namespace
}  // namespace tritonsmith
