#include "bench/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/process/files.h"
#include "bench/run/run_folder.h"

namespace tritonsmith::bench {
namespace {

using testing::HasSubstr;
using testing::Not;

class Report : public testing::Test {
  protected:
    void SetUp() override {
        Problem one;
        one.id = "L1-1";
        one.suite = "kernelbench";
        one.level = 1;
        one.name = "a|b";
        task::Task task;
        task.source = "class Model: '</script>'";
        one.task = std::make_shared<const task::Task>(task);
        RunFolder run(path_, "suite = \"kernelbench\"\n", {one});
        run.add(Answer{"L1-1", 0, "code = '<script>alert(1)</script> {{JS}} <!--'", "f:1", "", ""});
        run.add(Answer{"L1-1", 1, "code = '<script>alert(1)</script> {{JS}} <!--'", "f:2", "", ""});
        run.add({"L1-1", 0, "robust"}, {{"status", "accepted"},
                                        {"accepted", true},
                                        {"stage", "done"},
                                        {"speedup", 1.5},
                                        {"message", "fine"}});
        run.add({"L1-1", 1, "robust"}, {{"status", "rejected"},
                                        {"reason", "wrong_result"},
                                        {"stage", "correctness"},
                                        {"message", "no"},
                                        {"evidence", {{"index", 3}}}});
    }
    TemporaryFolder folder_;
    const std::filesystem::path path_ = folder_.path() / "run";
};

TEST_F(Report, HtmlHoldsEverythingAndTextOpensNothing) {
    const std::string page = report_html(read_run(path_), path_);
    EXPECT_THAT(page, HasSubstr("\\u003cscript>alert(1)\\u003c/script> {{JS}}"));
    EXPECT_THAT(page, Not(HasSubstr("<script>alert(1)")));
    EXPECT_THAT(page, Not(HasSubstr("<!--")));
    EXPECT_THAT(page, Not(HasSubstr("https://"))) << "nothing is loaded from elsewhere";
    EXPECT_THAT(page, Not(HasSubstr("{{DATA}}")));
    size_t programs = 0;
    for (size_t at = page.find("alert(1)"); at != std::string::npos; at = page.find("alert(1)", at + 1))
        ++programs;
    EXPECT_EQ(programs, 1U) << "equal programs once";
}

TEST_F(Report, Markdown) {
    const std::string text = report_markdown(read_run(path_));
    EXPECT_THAT(text, HasSubstr("| correct | 1 | 50.0 % (50.0–50.0) |"));
    EXPECT_THAT(text, HasSubstr("| `wrong_result` | 1 |"));
    EXPECT_THAT(text, HasSubstr("| TritonRL 8B | kernelbench level 1 | 10 |  | 88 | 41 | 22 |"));
}

TEST_F(Report, FigureHasTheRunBesidePublishedNumbers) {
    const std::string figure = report_figure(read_run(path_));
    EXPECT_THAT(figure, HasSubstr("50.0 % (50–50)"));
    EXPECT_THAT(figure, HasSubstr("level 1"));
    EXPECT_THAT(figure, HasSubstr("AutoTriton 8B"));
    EXPECT_THAT(figure, Not(HasSubstr("level 2")));
    RunData empty = read_run(path_);
    empty.outcomes.clear();
    EXPECT_THROW(report_figure(empty), InputError);
}

TEST_F(Report, JsonNamesOnlyNumbersOfItsSuite) {
    const Json report = report_json(read_run(path_));
    EXPECT_EQ(report["samples"], 2);
    EXPECT_EQ(report["config"], "suite = \"kernelbench\"\n");
    for (const Json& row : report["published"]) EXPECT_EQ(row["benchmark"], "kernelbench level 1");
    EXPECT_FALSE(report["published"].empty());
}

}  // namespace
}  // namespace tritonsmith::bench
