#include "generate/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/process/files.h"

namespace tritonsmith::generate {
namespace {

using testing::HasSubstr;

RecordHead head(double temperature = 0.5) {
    return {"softmax", "aa", "bb", "m", {{"temperature", temperature}}, {{"device", ""}}};
}

Attempt attempt(int round, int sample, const std::string& content) {
    Attempt out;
    out.round = round;
    out.sample = sample;
    out.answer = {content, "hm", "stop"};
    read_answer(out);
    return out;
}

std::string program(const std::string& name) {
    return "```python\nimport torch\n\nclass " + name + ":\n    pass\n```\n";
}

std::string refusal(const std::filesystem::path& file, const RecordHead& wanted) {
    try {
        Record record(file, wanted);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

class GenerateRecord : public testing::Test {
  protected:
    std::filesystem::path file() const { return folder_.path() / "r.jsonl"; }
    void append(const std::string& text) const { std::ofstream(file(), std::ios::app) << text; }
    void write_two() const {
        Record record(file(), head());
        EXPECT_TRUE(record.kept().empty());
        Attempt judged = attempt(1, 0, program("A"));
        record.add_answer(judged);
        judged.verdict = {{"status", "accepted"}, {"speedup", 1.5}};
        record.add_verdict(judged);
        record.add_answer(attempt(2, 3, program("B")));
    }
    TemporaryFolder folder_;
};

TEST_F(GenerateRecord, KeepsAnswersAndVerdicts) {
    write_two();
    const Record again(file(), head());
    ASSERT_EQ(again.kept().size(), 2U);
    const Attempt& judged = again.kept().at({1, 0});
    EXPECT_TRUE(judged.accepted());
    EXPECT_EQ(judged.speedup(), 1.5);
    EXPECT_EQ(judged.code, "import torch\n\nclass A:\n    pass\n");
    EXPECT_EQ(judged.answer.reasoning, "hm");
    EXPECT_FALSE(again.kept().at({2, 3}).judged());
}

TEST_F(GenerateRecord, DropsWhatAKillLeftOfALine) {
    write_two();
    size_t whole = 2;
    for (const char* torn : {"{", "{\"answer\": {\"round\"", "{\"round\": 1, \"sample\": 0, \"verdict\""}) {
        append(torn);
        Record again(file(), head());
        EXPECT_EQ(again.kept().size(), whole);
        again.add_answer(attempt(1, static_cast<int>(++whole), "x"));
    }
    EXPECT_EQ(Record(file(), head()).kept().size(), whole);
}

TEST_F(GenerateRecord, RefusesAnothersSamples) {
    write_two();
    EXPECT_THAT(refusal(file(), head(0.7)), HasSubstr("\"sampling\" differs"));
    const Record open(file(), head());
    EXPECT_THAT(refusal(file(), head()), HasSubstr("another run writes it"));
}

TEST_F(GenerateRecord, RefusesOtherFilesAndLeavesThem) {
    for (const char* text :
         {"hello\n", "{}\n", "[]\n", "{\"tritonsmith\":\"generate 2\"}\n", "import torch"}) {
        write_file(file(), text);
        EXPECT_THAT(refusal(file(), head()), HasSubstr("not a record of generate")) << text;
        EXPECT_EQ(read_file(file(), "record", 1000), text);
    }
    std::filesystem::remove(file());
    write_two();
    const std::string good = read_file(file(), "record", 10000);
    for (const char* line : {"{\"answer\":{\"round\":0,\"sample\":0}}\n", "{\"answer\":5}\n",
                             "{\"verdict\":{}}\n", "{\"round\":1,\"sample\":-1,\"verdict\":{}}\n",
                             "{\"round\":99999999999,\"sample\":1,\"verdict\":{}}\n"}) {
        write_file(file(), good + line);
        EXPECT_THAT(refusal(file(), head()), HasSubstr("r.jsonl:5")) << line;
    }
}

TEST(Attempt, SaysWhyThereIsNoProgram) {
    EXPECT_EQ(attempt(1, 0, "no program").reason(), "no_code");
    Attempt cut;
    cut.answer = {"```python\nimport torch\n\nclass ModelNew:\n", "", "length"};
    read_answer(cut);
    EXPECT_EQ(cut.reason(), "answer_cut");
    EXPECT_THAT(feedback_for_model(cut), HasSubstr("[answer_cut]"));
    Attempt whole = attempt(1, 0, program("ModelNew"));
    EXPECT_EQ(whole.reason(), "not judged");
    whole.answer.finish = "length";  // cut off behind the program
    read_answer(whole);
    EXPECT_EQ(whole.reason(), "not judged");
}

}  // namespace
}  // namespace tritonsmith::generate
