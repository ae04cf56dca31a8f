#include "bench/answers/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "base/process/files.h"

namespace tritonsmith::bench {
namespace {

const std::string kProgram = "import triton\n\nclass ModelNew:\n    pass\n";

std::vector<Problem> two_problems() {
    std::vector<Problem> out(2);
    out[0].id = "L1-1";
    out[0].name = "1_First";
    out[0].keys = {"Write   one.\n", "def golden(): pass\n" + std::string(146, '#') + "\ntest()", "the same"};
    out[1].id = "L1-2";
    out[1].name = "2_Second";
    out[1].keys = {"the same"};
    return out;
}

class Answers : public testing::Test {
  protected:
    std::filesystem::path write(const std::string& name, const std::string& text) {
        write_file(folder_.path() / name, text);
        return folder_.path() / name;
    }
    std::vector<std::string> read(const std::filesystem::path& path, size_t others = 0) {
        std::vector<std::string> out;
        const GivenAnswers given = read_answers(path, problems_);
        EXPECT_EQ(given.others, others);
        for (const Answer& one : given.answers)
            out.push_back(one.problem + "/" + std::to_string(one.sample) + "/" +
                          (one.code.empty() ? one.reason : "code"));
        return out;
    }
    const std::vector<Problem> problems_ = two_problems();
    TemporaryFolder folder_;
};

TEST_F(Answers, KernelBenchRuns) {
    write("runs/level_1_problem_2_sample_1_kernel.py", kProgram);
    write("runs/level_1_problem_1_sample_0_kernel.py", kProgram);
    write("runs/level_2_problem_1_sample_0_kernel.py", kProgram);
    write("runs/eval_results.json", "{}");
    EXPECT_THAT(read(folder_.path() / "runs", 1), testing::ElementsAre("L1-1/0/code", "L1-2/1/code"));
}

TEST_F(Answers, FilesByIdAndByName) {
    write("files/L1-1.py", kProgram);
    write("files/L1-1.3.py", kProgram);
    write("files/2_Second.py", kProgram);
    EXPECT_THAT(read(folder_.path() / "files"),
                testing::ElementsAre("L1-1/0/code", "L1-1/3/code", "L1-2/0/code"));
}

TEST_F(Answers, Rows) {
    write("own.py", kProgram);
    const auto rows = write(
        "rows.jsonl", dump(Json{{"task", "L1-2"}, {"code", kProgram}}) + "\n" +
                          dump(Json{{"task", "rows.jsonl#L1-2"}, {"code", kProgram}}) + "\n" +
                          dump(Json{{"task", "tasks/1_First.py"}, {"candidate", "own.py"}, {"sample", 4}}) +
                          "\n" + dump(Json{{"task", "L9-9"}, {"code", kProgram}}) + "\n");
    EXPECT_THAT(read(rows, 1), testing::ElementsAre("L1-1/4/code", "L1-2/0/code", "L1-2/1/code"));
    EXPECT_THROW(read(write("bad.jsonl", "{\"code\": \"x\"}\n")), InputError);
    EXPECT_THROW(read(write("twice.jsonl", dump(Json{{"task", "L1-2"}, {"code", "a"}, {"sample", 0}}) + "\n" +
                                               dump(Json{{"task", "L1-2"}, {"code", "b"}, {"sample", 0}}))),
                 InputError);
    EXPECT_THROW(read(write("others.jsonl", dump(Json{{"task", "L9-9"}, {"code", kProgram}}))), InputError);
}

TEST_F(Answers, TritonBenchRows) {
    const std::string fenced = "Here it is:\n```python\n" + kProgram + "```\n";
    const auto rows =
        write("tb.jsonl",
              dump(Json{{"instruction", "Write one."}, {"label", "?"}, {"predict", fenced}}) + "\n" +
                  dump(Json{{"instruction", ""}, {"label", "def golden(): pass"}, {"predict", "I cannot."}}) +
                  "\n" + dump(Json{{"instruction", "the same"}, {"predict", fenced}}) + "\n");
    EXPECT_THAT(read(rows, 1), testing::ElementsAre("L1-1/0/code", "L1-1/1/no_code"))
        << "a text of two problems names neither";
}

TEST_F(Answers, ProgramsAreTakenOutOfProse) {
    Answer answer;
    take_program(answer, "```python\n" + kProgram + "```");
    EXPECT_EQ(answer.code, kProgram);
    Answer bare;
    take_program(bare, kProgram);
    EXPECT_EQ(bare.code, kProgram);
    Answer cut;
    take_program(cut, "<think>First I would");
    EXPECT_EQ(cut.reason, "answer_cut");
    Answer none;
    take_program(none, "");
    EXPECT_EQ(none.reason, "no_code");
}

}  // namespace
}  // namespace tritonsmith::bench
