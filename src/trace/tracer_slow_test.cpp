#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "plan/ir/json.h"
#include "trace/testing.h"
#include "trace/tracer.h"

namespace tritonsmith::trace {
namespace {

namespace fs = std::filesystem;

const std::string kHonest = R"(import torch
import triton
import triton.language as tl
from torch import nn


@triton.jit
def add_one(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) + 1.0, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        add_one[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
        return y
)";

/// Python processes that run our tracer as descendants of this test: there is one zygote for each Tracer.
std::vector<pid_t> zygotes() {
    std::vector<pid_t> result;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        std::ifstream command(entry.path() / "cmdline"), stat(entry.path() / "stat");
        std::string text, skip;
        std::getline(command, text);
        pid_t parent = 0;
        stat >> skip >> skip >> skip >> parent;
        if (parent == getpid() && text.find("tracer.py") != std::string::npos)
            result.push_back(std::stoi(entry.path().filename()));
    }
    return result;
}

TEST(Tracer, WhatWasLoweredServesAnotherTrace) {
    Tracer tracer(testing::options());
    std::shared_ptr<const Json> lowered;
    const Outcome first = tracer.trace(testing::candidate(kHonest), &lowered);
    ASSERT_EQ(testing::text(first), "none");
    ASSERT_TRUE(lowered);
    Request again = testing::candidate(kHonest);
    again.lowered = lowered;
    const Outcome second = tracer.trace(again);
    ASSERT_EQ(testing::text(second), "none");
    EXPECT_EQ(std::get<plan::Plan>(first).kernels[0].ttir, std::get<plan::Plan>(second).kernels[0].ttir);
    // A program can forge what it hands to its own next trace, and gains nothing by it.
    again.lowered = std::make_shared<const Json>(Json::parse(R"([[90, 5], "x"])"));
    EXPECT_EQ(testing::reason(tracer.trace(again)), "trace_error");
}

TEST(Tracer, ServesSeveralAtOnce) {
    Tracer tracer(testing::options());
    std::vector<std::thread> threads;
    std::vector<std::optional<Outcome>> seen(8);
    for (size_t i = 0; i < seen.size(); ++i) {
        threads.emplace_back([&, i] {
            std::string source = kHonest;
            if (i % 2) source += "\nimport os\nos.abort()\n";
            seen[i] = tracer.trace(testing::candidate(source));
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (size_t i = 0; i < seen.size(); ++i) {
        ASSERT_EQ(testing::reason(*seen[i]), i % 2 ? "trace_crash" : "none") << testing::text(*seen[i]);
        if (i % 2) continue;
        const auto& plan = std::get<plan::Plan>(*seen[i]);
        int launches = 0;
        for (const plan::Step& step : plan.steps)
            launches += std::holds_alternative<plan::LaunchStep>(step.what);
        EXPECT_EQ(launches, 1);
        ASSERT_EQ(plan.kernels.size(), 1u);
        EXPECT_EQ(plan.kernels[0].name, "add_one");
    }
    EXPECT_EQ(zygotes().size(), 1u);
}

TEST(Tracer, StartsAnewWhenItsProcessDies) {
    Tracer tracer(testing::options());
    ASSERT_EQ(testing::text(tracer.trace(testing::candidate(kHonest))), "none");
    ASSERT_EQ(zygotes().size(), 1u);
    kill(zygotes()[0], SIGKILL);
    EXPECT_EQ(testing::text(tracer.trace(testing::candidate(kHonest))), "none");
    // And while a program is being traced.
    std::thread killer([] {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        for (pid_t pid : zygotes()) kill(pid, SIGKILL);
    });
    Request slow = testing::candidate("import time\ntime.sleep(3)\n" + kHonest);
    EXPECT_EQ(testing::text(tracer.trace(slow)), "none");
    killer.join();
}

TEST(Tracer, LeavesNothingBehind) {
    { Tracer tracer(testing::options()); }  // not even waited for
    EXPECT_TRUE(zygotes().empty());
    TracerOptions missing = testing::options();
    missing.package_dir = "/nonexistent";
    EXPECT_THROW(Tracer{missing}, MachineError);
}

TEST(Tracer, AFailedStartSaysWhy) {
    TracerOptions other = testing::options();
    other.python = "/usr/bin/python3";
    if (!fs::exists(other.python)) GTEST_SKIP() << "no second Python here";
    try {
        Tracer(other).trace(testing::candidate(kHonest));
        GTEST_SKIP() << "this Python has torch";
    } catch (const MachineError& error) {
        EXPECT_NE(std::string(error.what()).find("torch"), std::string::npos) << error.what();
    }
}

/// Memory that the zygote shares for writing with its children would let one program reach the next; its
/// socket would let it give orders.
TEST(Tracer, AChildHoldsNothingOfOurs) {
    setenv("SECRET_TOKEN", "do not tell", 1);
    Tracer tracer(testing::options());
    const Outcome outcome = tracer.trace(testing::candidate(R"(
import os
shared = [line for line in open("/proc/self/maps") if line.split()[1].startswith("rw") and line.split()[1].endswith("s")]
assert not shared, shared
names = [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if os.path.lexists(f"/proc/self/fd/{fd}")]
# stdout and stderr are one pipe; the result's; and the one on which it may ask for PyTorch's meta kernels (metas.py)
assert len([n for n in names if n.startswith("pipe:")]) == 4, names
assert not [n for n in names if n.startswith("socket:")], names
assert "SECRET_TOKEN" not in os.environ
assert b"do not tell" not in open("/proc/self/environ", "rb").read()
assert os.environ["HOME"] == os.environ["TMPDIR"] == os.getcwd()
)" + kHonest));
    EXPECT_EQ(testing::text(outcome), "none");
}

}  // namespace
}  // namespace tritonsmith::trace
