#include "plan/analysis/stream_order.h"

#include <gtest/gtest.h>

#include <string>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using B = Builder;
using Clock = std::vector<int64_t>;

/// One parameter is read, the next is written.
const KernelEffects kEffects{{{.reads = true, .writes = false}, {.reads = false, .writes = true}}};

struct Call {
    B b;
    Tensor x = b.input({64}), t = b.fresh({64}), out = b.fresh({64});

    void launch(const Tensor& from, const Tensor& to, int stream, Clock behind) {
        b.launch(B::args(from, to));
        b.plan.steps.back().stream = stream;
        b.plan.steps.back().behind = std::move(behind);
    }
    std::string found(Clock ends_behind, const LaunchesApart& apart = {}) {
        b.plan.ends_behind = std::move(ends_behind);
        const auto finding = unordered_access(b.plan, kEffects, apart);
        return finding ? finding->message : "";
    }
};

bool tells(const std::string& message, const std::string& text) {
    return message.find(text) != std::string::npos;
}

TEST(StreamOrder, WhatIsWaitedForIsInOrder) {
    Call c;
    c.launch(c.x, c.t, 1, {1, 0});
    c.launch(c.t, c.out, 0, {0, 1});
    EXPECT_EQ(c.found({2, 1}), "");
}

TEST(StreamOrder, AReadWithoutAnOrder) {
    Call c;
    c.launch(c.x, c.t, 1, {1, 0});
    c.launch(c.t, c.out, 0, {0, 0});
    EXPECT_TRUE(tells(c.found({2, 1}), "reads memory"));
}

TEST(StreamOrder, TheCallersWorkIsTheFirst) {
    Call c;
    c.launch(c.x, c.out, 1, {0, 0});
    EXPECT_TRUE(tells(c.found({1, 1}), "the caller's work"));
}

TEST(StreamOrder, TheEndIsBehindAll) {
    Call c;
    c.launch(c.x, c.out, 1, {1, 0});
    EXPECT_TRUE(tells(c.found({1, 0}), "returns while"));
}

TEST(StreamOrder, ReadsNeedNoOrder) {
    Call c;
    c.launch(c.x, c.t, 1, {1, 0});
    c.launch(c.x, c.out, 0, {0, 0});
    EXPECT_EQ(c.found({2, 1}), "");
}

TEST(StreamOrder, ViewsApartNeedNoOrder) {
    Call c;
    Tensor low = c.out, high = c.out;
    low.shape = high.shape = {32};
    high.offset = 32;
    c.launch(c.x, low, 1, {1, 0});
    c.launch(c.x, high, 0, {0, 0});
    EXPECT_EQ(c.found({2, 1}), "");
    c.b.plan.steps.back().what = LaunchStep{0, {1, 1, 1}, B::args(c.x, c.out)};
    EXPECT_TRUE(tells(c.found({2, 1}), "writes memory"));
    EXPECT_EQ(c.found({2, 1}, [](const auto&, const auto&, int) { return true; }), "");
}

TEST(StreamOrder, OneStreamIsNotLookedAt) {
    Call c;
    c.launch(c.x, c.t, 0, {});
    c.launch(c.t, c.out, 0, {});
    EXPECT_EQ(c.found({}), "");
}

}  // namespace
}  // namespace tritonsmith::plan
