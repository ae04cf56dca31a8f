#include "forge/module/task_text.h"

#include <gtest/gtest.h>

namespace tritonsmith::forge {
namespace {

TEST(TaskText, KeepsWhatTheConstructorTakesFromOutsideOfIt) {
    const TaskText text = read_task_text(
        "import torch\nimport torch.nn as nn\n\n\ndef unused(x):\n    return x\n\n\n"
        "class Model(nn.Module):\n"
        "    def __init__(self, width, heads=default_heads):\n        super().__init__()\n"
        "        self.width = width\n        self.state = torch.zeros(batch, width, dtype=torch.float32)\n\n"
        "    def forward(self, x):\n        return x + self.state * scale\n\n\n"
        "width = 64\nbatch, scale = 8, 2\ndefault_heads = 4\ndtype = torch.float32\n",
        "Model", "ModelNew");
    EXPECT_EQ(text.definitions, (std::vector<std::string>{"batch, scale = 8, 2", "default_heads = 4"}));
    EXPECT_EQ(text.constructor, (std::vector<std::string>{"width", "heads"}));
}

}  // namespace
}  // namespace tritonsmith::forge
