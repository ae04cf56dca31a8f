#include "data/synth/schedule.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace tritonsmith::data {
namespace {

const std::string kLaunches =
    "class ModelNew:\n    def forward(self, x):\n"
    "        grid = (triton.cdiv(rows, 64) * triton.cdiv(cols, 64),)\n"
    "        linear_kernel[grid](x, w, h, rows, cols, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32,\n                  "
    "          num_stages=3)\n"
    "        relu_kernel[(triton.cdiv(out.numel(), 1024),)](h, out, out.numel(), BLOCK=1024)\n";

TEST(Schedule, IsWhatTheLaunchesSay) {
    EXPECT_EQ(
        dump(schedule_of(kLaunches)),
        R"({"linear_kernel":{"BLOCK_K":32,"BLOCK_M":64,"BLOCK_N":64,"num_stages":3},"relu_kernel":{"BLOCK":1024}})");
}

TEST(Schedule, AGridFollowsItsBlocks) {
    int different = 0;
    for (uint64_t i = 0; i < 60; ++i) {
        Random random(1, i);
        for (const std::string& code : other_schedules(kLaunches, 2, random)) {
            const Json schedule = schedule_of(code);
            const auto number = [&](const char* kernel, const char* name) {
                return std::to_string(schedule.at(kernel).at(name).get<int64_t>());
            };
            EXPECT_NE(code.find("triton.cdiv(rows, " + number("linear_kernel", "BLOCK_M") +
                                ") * triton.cdiv(cols, " + number("linear_kernel", "BLOCK_N") + ")"),
                      std::string::npos)
                << code;
            EXPECT_NE(code.find("triton.cdiv(out.numel(), " + number("relu_kernel", "BLOCK") + ")"),
                      std::string::npos)
                << code;
            different += code != kLaunches;
        }
    }
    EXPECT_GT(different, 60);
}

TEST(Schedule, LaunchesOfOneGridKeepTheirBlocks) {
    const std::string two =
        "class ModelNew:\n    def forward(self, x):\n"
        "        grid = (triton.cdiv(rows, 64) * triton.cdiv(cols, 64),)\n"
        "        linear_kernel[grid](x, w, h, rows, cols, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32, num_stages=3)\n"
        "        linear_kernel[grid](h, w, out, rows, cols, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32, "
        "num_stages=3)\n";
    for (uint64_t i = 0; i < 30; ++i) {
        Random random(2, i);
        for (const std::string& code : other_schedules(two, 2, random)) {
            EXPECT_NE(code.find("grid = (triton.cdiv(rows, 64) * triton.cdiv(cols, 64),)"), std::string::npos)
                << code;
            EXPECT_EQ(code.find("BLOCK_M=32"), std::string::npos) << code;
            EXPECT_EQ(code.find("BLOCK_M=128"), std::string::npos) << code;
        }
    }
}

TEST(Schedule, WhatLeavesNoChoiceHasNoOther) {
    Random random(1, 1);
    EXPECT_TRUE(other_schedules("class ModelNew:\n    def forward(self, x):\n        row_kernel[(rows,)](x, "
                                "BLOCK=triton.next_power_of_2(cols))\n",
                                3, random)
                    .empty());
}

}  // namespace
}  // namespace tritonsmith::data
