#include "data/synth/run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "base/json.h"
#include "base/process/files.h"
#include "base/zstd.h"

namespace tritonsmith::data {
namespace {

namespace fs = std::filesystem;

class Run : public ::testing::Test {
  protected:
    TemporaryFolder folder;
    std::atomic<bool> stopped = false;

    RunOptions options(const std::string& name, int jobs = 1) {
        RunOptions out;
        out.folder = (folder.path() / name).string();
        out.count = 60;
        out.shard_size = 20;
        out.jobs = jobs;
        out.pairs.seed = 5;
        return out;
    }
    static std::string bytes(const std::string& folder, const char* file) {
        return read_file(folder + "/" + file, "shard", 1 << 30);
    }
};

TEST_F(Run, ProcessesDoNotChangeTheBytes) {
    const RunOptions one = options("one"), three = options("three", 3);
    const Tally tally = run_synth(one, stopped);
    run_synth(three, stopped);
    for (const char* file : {"shard-00000.jsonl.zst", "shard-00001.jsonl.zst", "shard-00002.jsonl.zst",
                             "counts.json", "README.md"})
        EXPECT_EQ(bytes(one.folder, file), bytes(three.folder, file)) << file;
    EXPECT_EQ(tally.sampled, 60);
    EXPECT_GT(tally.pairs, 40);
}

TEST_F(Run, FewOperatorsMakeShortTasks) {
    RunOptions few = options("few");
    few.pairs.operators = 1;
    run_synth(few, stopped);
    int rows = 0, single = 0;
    for (const char* file : {"shard-00000.jsonl.zst", "shard-00001.jsonl.zst", "shard-00002.jsonl.zst"}) {
        std::istringstream lines(decompressed(bytes(few.folder, file), file));
        for (std::string line; std::getline(lines, line); ++rows)
            single += Json::parse(line)["operators"] == 1;
    }
    EXPECT_GT(rows, 30);
    EXPECT_GT(single, rows / 2);  // the others have what belongs to one, or blocks
}

TEST_F(Run, AStoppedRunGoesOnWithWhatIsMissing) {
    const RunOptions all = options("all"), some = options("some");
    run_synth(all, stopped);
    run_synth(some, stopped);
    fs::remove(some.folder + "/shard-00001.json");
    write_file(some.folder + "/shard-00000.jsonl.zst", "kept as it is");
    run_synth(some, stopped);
    EXPECT_EQ(bytes(some.folder, "shard-00000.jsonl.zst"), "kept as it is");
    EXPECT_EQ(bytes(some.folder, "shard-00001.jsonl.zst"), bytes(all.folder, "shard-00001.jsonl.zst"));
}

TEST_F(Run, TheCardSaysHowRowsAreMadeAndCountsThem) {
    const RunOptions run = options("run");
    const Tally tally = run_synth(run, stopped);
    const std::string card = bytes(run.folder, "README.md");
    EXPECT_NE(card.find("--count 60 --seed 5 --shard 20"), std::string::npos);
    for (const char* table : {"| Family | count |", "| Form of the file | count |",
                              "| Tokens of a solution (bytes / 3.5) | count |", "| Dropped | count |"})
        EXPECT_NE(card.find(table), std::string::npos) << table;
    EXPECT_EQ(card.find("judged on the CPU"), std::string::npos);
    Tally judged = tally;
    judged.judged = {{"norm", 8}, {"scan", 2}};
    judged.rejected = {{"norm", 2}};
    EXPECT_NE(judged.card("", "").find("| norm | 8 | 75.0 % |\n| scan | 2 | 100.0 % |"), std::string::npos);
}

TEST_F(Run, StoppingWritesNoCard) {
    const RunOptions run = options("run");
    stopped = true;
    EXPECT_EQ(run_synth(run, stopped).sampled, 0);
    EXPECT_FALSE(fs::exists(run.folder + "/README.md"));
}

TEST_F(Run, AnotherRunsFolderIsRefused) {
    RunOptions run = options("run");
    run_synth(run, stopped);
    run.pairs.seed = 6;
    EXPECT_THROW(run_synth(run, stopped), InputError);
    RunOptions foreign = options("foreign");
    write_file(foreign.folder + "/notes.txt", "mine");
    EXPECT_THROW(run_synth(foreign, stopped), InputError);
}

TEST_F(Run, RowsAreTasksWithSolutions) {
    const RunOptions run = options("run");
    const Tally tally = run_synth(run, stopped);
    std::istringstream rows(decompressed(bytes(run.folder, "shard-00000.jsonl.zst"), "shard"));
    std::string line;
    int64_t count = 0;
    while (std::getline(rows, line)) {
        const std::optional<Json> row = parse_untrusted_json(line);
        ASSERT_TRUE(row);
        EXPECT_NE(row->at("code").get<std::string>().find("class " + row->at("entry").get<std::string>()),
                  std::string::npos);
        EXPECT_NE(row->at("card").get<std::string>().find("operators\n"), std::string::npos);
        for (const Json& solution : row->at("solutions")) {
            EXPECT_NE(solution.at("code").get<std::string>().find("class ModelNew"), std::string::npos);
            EXPECT_NE(solution.at("plan").get<std::string>().find("ModelNew.forward(self"),
                      std::string::npos);
        }
        ++count;
    }
    EXPECT_GT(count, 10);
    EXPECT_LE(count, tally.pairs);
}

}  // namespace
}  // namespace tritonsmith::data
