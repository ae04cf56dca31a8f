#include <gtest/gtest.h>

#include "judge/services/compiled_baseline.h"

namespace tritonsmith::judge {
namespace {

using namespace std::chrono_literals;

BaselineTask task(const std::string& forward) {
    BaselineTask task;
    task.source =
        "import torch\nimport time\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        " +
        forward + "\ndef get_inputs():\n    return [torch.rand(8, 8)]\n";
    task.filename = "task.py";
    task.device = "cpu";
    return task;
}

trace::TracerOptions options() {
    trace::TracerOptions options;
    options.python = TRITONSMITH_PYTHON;
    options.package_dir = std::string(TRITONSMITH_BINARY_DIR) + "/package";
    return options;
}

TEST(CompiledBaseline, TimesATaskAndStartsAnewAfterADeadline) {
    CompiledBaseline baseline(options());
    EXPECT_EQ(std::get<BaselineError>(baseline.time(3, 1s)).reason, "task_error");

    auto opened = baseline.open(task("return torch.relu(x) + 1"));
    ASSERT_TRUE(std::holds_alternative<OpenedBaseline>(opened)) << std::get<BaselineError>(opened).message;
    EXPECT_FALSE(std::get<OpenedBaseline>(opened).graph);
    auto times = baseline.time(3, 10s);
    ASSERT_TRUE(std::holds_alternative<std::vector<double>>(times));
    EXPECT_EQ(std::get<std::vector<double>>(times).size(), 3u);
    for (double ms : std::get<std::vector<double>>(times)) EXPECT_GT(ms, 0);
    baseline.close();
    EXPECT_EQ(std::get<BaselineError>(baseline.time(3, 1s)).reason, "task_error");

    BaselineTask slow = task("return x");
    slow.source += "time.sleep(60)\n";
    auto late = baseline.open(slow, 500ms);
    ASSERT_TRUE(std::holds_alternative<BaselineError>(late));
    EXPECT_EQ(std::get<BaselineError>(late).reason, "deadline_exceeded");

    BaselineTask dies = task("return x");
    dies.source = "import os\nos.abort()\n";
    auto died = baseline.open(dies);  // by another process
    ASSERT_TRUE(std::holds_alternative<BaselineError>(died));
    EXPECT_EQ(std::get<BaselineError>(died).reason, "process_died");

    auto failed = baseline.open(task("raise ValueError('not today')"));
    ASSERT_TRUE(std::holds_alternative<BaselineError>(failed));
    EXPECT_EQ(std::get<BaselineError>(failed).reason, "compile_failed");
    EXPECT_NE(std::get<BaselineError>(failed).message.find("not today"), std::string::npos);
}

}  // namespace
}  // namespace tritonsmith::judge
