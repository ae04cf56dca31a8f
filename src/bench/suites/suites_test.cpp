#include "bench/suites/suites.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "base/process/files.h"
#include "bench/suites/family.h"

namespace tritonsmith::bench {
namespace {

const std::string kModel =
    "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return "
    "torch.relu(x)\n\n\ndef get_inputs():\n    return [torch.rand(4)]\n";

std::vector<std::string> ids(const std::vector<Problem>& problems) {
    std::vector<std::string> out;
    for (const Problem& one : problems) out.push_back(one.id);
    return out;
}

class Suites : public testing::Test {
  protected:
    std::filesystem::path write(const std::string& name, const std::string& text) {
        write_file(folder_.path() / name, text);
        return folder_.path() / name;
    }
    TemporaryFolder folder_;
};

TEST_F(Suites, KernelBenchCheckout) {
    write("KernelBench/level1/2_Two.py", kModel);
    write("KernelBench/level1/10_Ten.py", kModel);
    write("KernelBench/level1/README.md", "no problem");
    write("KernelBench/level2/14_Fused.py", kModel);
    const std::vector<Problem> all = read_suite({"kernelbench", folder_.path()});
    EXPECT_THAT(ids(all), testing::ElementsAre("L1-2", "L1-10", "L2-14"));
    EXPECT_EQ(all[0].name, "2_Two");
    EXPECT_EQ(all[0].family, "activation");
    EXPECT_FALSE(all[0].flawed());
    EXPECT_TRUE(all[2].flawed());
    EXPECT_EQ(all[0].task->source, kModel);
    EXPECT_THAT(ids(read_suite({"kernelbench", folder_.path(), {2}})), testing::ElementsAre("L2-14"));
    EXPECT_THROW(read_suite({"kernelbench", folder_.path(), {4}}), InputError);
}

TEST_F(Suites, KernelBenchRows) {
    const auto file =
        write("rows.jsonl", dump(Json{{"level", 1}, {"problem_id", 3}, {"name", "x"}, {"code", kModel}}) +
                                "\n\n" + dump(Json{{"level", 3}, {"problem", 5}, {"code", kModel}}) + "\n");
    EXPECT_THAT(ids(read_suite({"kernelbench", file})), testing::ElementsAre("L1-3", "L3-5"));
    EXPECT_THROW(read_suite({"kernelbench", write("bad.jsonl", "{\"code\": \"x\"}\n")}), InputError);
    EXPECT_THROW(read_suite({"kernelbench", write("worse.jsonl", "no json\n")}), InputError);
    EXPECT_THROW(read_suite({"kernelbench",
                             write("twice.jsonl",
                                   dump(Json{{"level", 1}, {"problem", 1}, {"code", kModel}}) + "\n" +
                                       dump(Json{{"level", 1}, {"problem", 1}, {"code", kModel}}) + "\n")}),
                 InputError);
}

TEST_F(Suites, TritonBenchHasTasksWhereTheyAreGiven) {
    const Json one = {{"file", "add_one.py"},
                      {"difficulty", "2"},
                      {"output", "def add_one(x): return x + 1"},
                      {"comp_instru", "Add one."}};
    const Json two = {{"file", "scale.py"}, {"difficulty", "4"}, {"output", "def scale(x): return x * 2"}};
    write("data/TritonBench_G_v1.json", dump(Json{one, two}));
    write("tasks/G-scale.py", kModel);
    const std::vector<Problem> all =
        read_suite({"tritonbench-g", folder_.path(), {}, folder_.path() / "tasks"});
    ASSERT_THAT(ids(all), testing::ElementsAre("G-add_one", "G-scale"));
    EXPECT_EQ(all[0].task, nullptr);
    EXPECT_NE(all[0].no_task, "");
    EXPECT_EQ(all[0].difficulty, "2");
    EXPECT_THAT(all[0].keys, testing::Contains("Add one."));
    ASSERT_NE(all[1].task, nullptr);
    EXPECT_EQ(all[1].no_task, "");
    EXPECT_THROW(read_suite({"tritonbench-t", folder_.path()}), InputError);
}

TEST_F(Suites, TritonBenchHasProgramsWithTests) {
    const std::string rule = std::string(146, '#') + "\n";
    const Json repaired = {
        {"file", "a.py"},
        {"code", "import old\n" + rule + "old()\n"},
        {"code_repaired", "from triton.language.extra.hip.libdevice import pow\n" + rule + "r = new()\n"}};
    const Json own = {{"file", "b.py"}, {"output", "import b\n" + rule + "r = b()\n"}},
               in_file = {{"file", "c.py"}, {"output", "import c\n"}},
               none = {{"file", "d.py"}, {"output", "import d\n"}};
    write("data/TritonBench_G_v1.json", dump(Json{repaired, own, in_file, none}));
    write("data/TritonBench_G_v1/c.py", "import c\n" + rule + "r = c()\n");
    const std::vector<Problem> all = read_suite({"tritonbench-g", folder_.path()});
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[0].tested->tests, "r = new()\n");
    EXPECT_EQ(all[0].tested->golden, "from triton.language.extra.cuda.libdevice import pow\n")
        << "NVIDIA's functions";
    EXPECT_EQ(all[1].tested->golden, "import b\n");
    EXPECT_EQ(all[2].tested->tests, "r = c()\n");
    EXPECT_EQ(all[3].tested, nullptr);
}

TEST_F(Suites, OwnTasks) {
    write("own/b.py", kModel);
    write("own/a.py", kModel);
    EXPECT_THAT(ids(read_suite({"tasks", folder_.path() / "own"})), testing::ElementsAre("a", "b"));
    const auto rows = write("own.jsonl", dump(Json{{"id", "r1"}, {"level", 2}, {"code", kModel}}) + "\n");
    EXPECT_EQ(read_suite({"tasks", rows})[0].level, 2);
    EXPECT_THROW(
        read_suite({"tasks", write("none.jsonl", dump(Json{{"id", "r1"}, {"code", "x = 1"}}) + "\n")}),
        InputError);
    EXPECT_THROW(read_suite({"tasks", folder_.path() / "missing"}), InputError);
}

TEST(Family, IsThatOfTheDominatingCall) {
    EXPECT_EQ(family_of("self.conv = nn.Conv2d(3, 4, 1)\ntorch.relu(x)"), "convolution");
    EXPECT_EQ(family_of("return A @ B"), "matmul");
    EXPECT_EQ(family_of("\"\"\"conv matmul softmax\"\"\"\nreturn torch.cumsum(x, 1)"), "scan");
    EXPECT_EQ(family_of("nn.LSTM(4, 4)"), "recurrent");
    EXPECT_EQ(family_of("return x"), "other");
}

}  // namespace
}  // namespace tritonsmith::bench
