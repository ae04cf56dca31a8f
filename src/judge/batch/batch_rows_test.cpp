#include "judge/batch/batch_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/process/files.h"
#include "base/text.h"

namespace tritonsmith::judge {
namespace {

using ::testing::HasSubstr;

class BatchRows : public ::testing::Test {
  protected:
    std::vector<BatchRow> read(const std::string& lines, bool keep_going = false) {
        write_file(folder_.path() / "task.py",
                   "class Model:\n    pass\n\n\ndef get_inputs():\n    return []\n");
        std::string text = lines;
        for (size_t at; (at = text.find("TASK")) != std::string::npos;)
            text.replace(at, 4, (folder_.path() / "task.py").string());
        write_file(folder_.path() / "rows.jsonl", text);
        return read_batch(folder_.path() / "rows.jsonl", keep_going);
    }
    std::string error(const std::string& lines) {
        try {
            read(lines);
        } catch (const InputError& wrong) {
            return wrong.what();
        }
        return "";
    }
    TemporaryFolder folder_;
};

TEST_F(BatchRows, CodeIsTakenAsItIs) {
    const auto rows = read(
        "{\"task\": \"TASK\", \"code\": \"x = '\\u957f\\ud83d\\ude00\\\\u\\\"'\"}\n\n"
        "{\"task\": \"TASK\", \"code\": \"\"}\n");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].text(), "x = '长😀\\u\"'");
    EXPECT_EQ(rows[0].sha(), sha256(rows[0].text()));
    EXPECT_EQ(rows[1].text(), "");
    EXPECT_EQ(rows[1].line, 3);
    EXPECT_EQ(rows[0].task, rows[1].task) << "read once";
}

/// A program that is no text is a candidate all the same.
TEST_F(BatchRows, CodeThatIsNoTextIsARow) {
    for (const std::string& code :
         {std::string("x\\ud83d"), std::string("x\\udc00\\ud83d"), std::string("x\xff"),
          std::string("\xed\xa0\x80"), std::string("\\\\\\ud83d \xc3")}) {
        const auto rows = read("{\"task\": \"TASK\", \"code\": \"" + code + "\"}\n");
        ASSERT_EQ(rows.size(), 1u);
        EXPECT_FALSE(rows[0].wrong);
        EXPECT_FALSE(is_utf8(rows[0].text())) << code;
    }
    // Elsewhere in the row it does not matter.
    EXPECT_EQ(read("{\"task\": \"TASK\", \"code\": \"x\", \"prompt\": \"\\ud83d\"}\n")[0].text(), "x");
}

TEST_F(BatchRows, TheFormIsTheBatchsFault) {
    EXPECT_THAT(error("{\n"), HasSubstr("rows.jsonl:1: not a JSON object"));
    EXPECT_THAT(error("{\"task\": \"TASK\\ud83d\", \"code\": \"\"}\n"), HasSubstr("\"task\" is not UTF-8"));
    EXPECT_THAT(error("{\"task\": \"TASK\", \"code\": 7}\n"), HasSubstr("\"code\" must be a string"));
    EXPECT_THAT(error("{\"task\": \"TASK\", \"code\": \"\", \"candidate\": \"x.py\"}\n"),
                HasSubstr("either"));
    EXPECT_THAT(error("{\"task\": \"TASK\"}\n"), HasSubstr("either"));
    EXPECT_THAT(error("\n"), HasSubstr("no rows"));
}

TEST_F(BatchRows, GoingOnMakesRowsOfThem) {
    const auto rows =
        read("{\n{\"task\": \"none.py\", \"code\": \"\"}\n{\"task\": \"TASK\", \"candidate\": \"none.py\"}\n",
             true);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].wrong->reason, "bad_row");
    EXPECT_EQ(rows[1].wrong->reason, "task_error");
    EXPECT_EQ(rows[2].wrong->reason, "bad_row");
    for (const BatchRow& row : rows) EXPECT_EQ(row.sha(), "");
}

}  // namespace
}  // namespace tritonsmith::judge
