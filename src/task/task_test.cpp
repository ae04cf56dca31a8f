#include "task/task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "task/text_file.h"

namespace tritonsmith::task {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kProgram =
    "import torch\nclass Model(torch.nn.Module):\n    pass\ndef get_inputs():\n    return []\n";

class TaskFiles : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  (std::string("tritonsmith_task_") + std::to_string(getpid()) + "_" +
                   testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return (folder_ / name).string();
    }
    template <typename Call>
    static std::string error_of(Call call) {
        try {
            call();
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    }
    static std::string load_error(const std::string& spec) {
        return error_of([&] { load(spec); });
    }
    std::filesystem::path folder_;
};

std::string row(const std::string& id, const std::string& code) {
    return Json{{"id", id}, {"level", 2}, {"suite", "mine"}, {"code", code}}.dump() + "\n";
}

TEST_F(TaskFiles, APythonFileIsATask) {
    std::string path = write("gelu.py", kProgram);
    Task task = load(path);
    EXPECT_EQ(task.id, "gelu");
    EXPECT_EQ(task.display, path);
    EXPECT_EQ(task.source, kProgram);
    EXPECT_EQ(task.entry, "Model");
    EXPECT_EQ(task.level, 0);
}

TEST_F(TaskFiles, ARowIsATask) {
    std::string path = write("rows.jsonl", row("L1-1", "bad") + "\n" + row("L1-11", kProgram) + "{broken\n");
    Task task = load(path + "#L1-11");
    EXPECT_EQ(task.id, "L1-11");
    EXPECT_EQ(task.level, 2);
    EXPECT_EQ(task.suite, "mine");
    EXPECT_EQ(task.source, kProgram);
    EXPECT_EQ(task.display, path + "#L1-11");
}

TEST_F(TaskFiles, RowsMayNameTheirEntryAndNumberTheirIds) {
    Json json{{"id", 7}, {"entry", "Net"}, {"code", "class Net:\n  pass\ndef get_inputs(): return []\n"}};
    Task task = load(write("rows.jsonl", json.dump()) + "#7");
    EXPECT_EQ(task.entry, "Net");
    json["entry"] = "Other";
    EXPECT_THAT(load_error(write("rows.jsonl", json.dump()) + "#7"), HasSubstr("no class Other"));
}

TEST_F(TaskFiles, WhatIsMissingIsNamed) {
    EXPECT_THAT(load_error((folder_ / "none.py").string()), HasSubstr("none.py: no such file"));
    EXPECT_THAT(load_error(folder_.string()), HasSubstr("not a file"));
    EXPECT_THAT(load_error(write("a.py", "def get_inputs(): return []\n")),
                HasSubstr("a.py: no class Model"));
    EXPECT_THAT(load_error(write("a.py", "class Model: pass\n")), HasSubstr("no function get_inputs"));
    EXPECT_THAT(load_error(write("a.py", "class ModelNew: pass\ndef get_inputs(): pass\n")),
                HasSubstr("no class Model"));
    EXPECT_THAT(load_error(write("a.py", "# class Model\nx = 'class Model'\ndef get_inputs(): pass\n")),
                HasSubstr("no class Model"));
    EXPECT_EQ(load(write("a.py", "class Net: pass\nModel = Net\nget_inputs = lambda: []\n")).id, "a");
}

TEST_F(TaskFiles, RowsThatAreNotThereNameTheirNeighbours) {
    std::string path = write("rows.jsonl", row("L1-11", kProgram) + row("L1-13", kProgram) +
                                               row("wholly-different-name", kProgram));
    std::string error = load_error(path + "#L1-12");
    EXPECT_THAT(error, HasSubstr("no row with id \"L1-12\" among its 3 rows; near: L1-11, L1-13"));
    EXPECT_THAT(error, Not(HasSubstr("wholly")));
    EXPECT_THAT(load_error(path), HasSubstr("name a row"));
    EXPECT_THAT(load_error(path + "#"), HasSubstr("name a row"));
    EXPECT_THAT(load_error((folder_ / "none.jsonl").string() + "#x"), HasSubstr("none.jsonl: no such file"));
}

TEST_F(TaskFiles, BadRowsAreNamedByLine) {
    EXPECT_THAT(load_error(write("r.jsonl", row("a", kProgram) + "\n{\"id\": \"b\",,}\n") + "#b"),
                HasSubstr("r.jsonl:3: not JSON at column 12"));
    EXPECT_THAT(load_error(write("r.jsonl", "[1]\n") + "#b"),
                HasSubstr("r.jsonl:1: must be a JSON object, found array"));
    EXPECT_THAT(load_error(write("r.jsonl", "{\"code\":\"\"}\n") + "#b"),
                HasSubstr("r.jsonl:1: has no \"id\""));
    EXPECT_THAT(load_error(write("r.jsonl", "{\"id\":\"b\"}\n") + "#b"), HasSubstr("no \"code\""));
    EXPECT_THAT(load_error(write("r.jsonl", "{\"id\":\"b\",\"code\":3}\n") + "#b"),
                HasSubstr("\"code\" must be a string"));
    EXPECT_THAT(load_error(write("r.jsonl", "{\"id\":\"b\",\"code\":\"\",\"level\":\"x\"}\n") + "#b"),
                HasSubstr("\"level\""));
}

TEST_F(TaskFiles, CandidatesAreUtf8OfAtMostOneMebibyte) {
    EXPECT_EQ(load_candidate(write("c.py", "x = 'é€😀'\n")), "x = 'é€😀'\n");
    EXPECT_THAT(error_of([&] { load_candidate(write("c.py", "ok\n\xff\n")); }),
                HasSubstr("c.py:2: not UTF-8"));
    EXPECT_THAT(error_of([&] { load_candidate(write("c.py", std::string((1 << 20) + 1, ' '))); }),
                HasSubstr("1 MiB"));
    EXPECT_EQ(load_candidate(write("c.py", std::string(1 << 20, ' '))).size(), 1u << 20);
    EXPECT_THAT(error_of([&] { load_candidate(folder_ / "none.py"); }), HasSubstr("candidate"));
}

TEST(Utf8, IllFormedSequencesAreFound) {
    for (std::string bad :
         {"\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5", "\x80", "\xe2\x82", "\xc3"})
        EXPECT_EQ(bad_utf8_line("\n\n" + bad), 3) << testing::PrintToString(bad);
    EXPECT_EQ(bad_utf8_line(std::string("a\0b", 3)), 1);
    EXPECT_EQ(bad_utf8_line("\xf0\x9f\x98\x80 \xed\x9f\xbf \xee\x80\x80"), 0);
}

TEST_F(TaskFiles, SuitesOfThisMachineLoad) {
    std::filesystem::path file =
        std::filesystem::path(TRITONSMITH_SOURCE_DIR) / "../shared/data/kernelbench_dev.jsonl";
    if (!std::filesystem::exists(file)) GTEST_SKIP() << "no KernelBench rows on this machine";
    std::ifstream rows(file);
    int count = 0;
    for (std::string line; std::getline(rows, line); ++count) {
        std::string id = Json::parse(line).at("id");
        EXPECT_EQ(load(file.string() + "#" + id).id, id);
    }
    EXPECT_EQ(count, 125);
}

}  // namespace
}  // namespace tritonsmith::task
