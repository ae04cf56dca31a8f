#include "sanitize/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tritonsmith::sanitize {
namespace {

/// Adds 1 to x[0..3] with one program, at line 7 of kernel.py.
constexpr const char* kAddOne = R"(
module {
  tt.func public @add_one(%x: !tt.ptr<f32> loc("kernel.py":5:0)) attributes {noinline = false} {
    %one = arith.constant dense<1.0> : tensor<4xf32> loc("kernel.py":6:0)
    %i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32> loc("kernel.py":6:0)
    %base = tt.splat %x : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>> loc("kernel.py":7:0)
    %p = tt.addptr %base, %i : tensor<4x!tt.ptr<f32>>, tensor<4xi32> loc("kernel.py":7:0)
    %v = tt.load %p : tensor<4x!tt.ptr<f32>> loc("kernel.py":7:0)
    %sum = arith.addf %v, %one : tensor<4xf32> loc("kernel.py":7:0)
    tt.store %p, %sum : tensor<4x!tt.ptr<f32>> loc("kernel.py":7:0)
    tt.return loc("kernel.py":8:0)
  } loc("kernel.py":5:0)
} loc("kernel.py":5:0)
)";

/// Counts to n.
constexpr const char* kLoop = R"(
module {
  tt.func public @count(%x: !tt.ptr<i32>, %n: i32) attributes {noinline = false} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %total = scf.for %i = %zero to %n step %one iter_args(%t = %zero) -> (i32)  : i32 {
      %next = arith.addi %t, %one : i32
      scf.yield %next : i32
    }
    tt.store %x, %total : !tt.ptr<i32>
    tt.return
  }
}
)";

Json request(int kernel, ttir::Buffer& buffer, const std::string& dtype, Json more = Json::array()) {
    Json args = {{{"tensor", {{"buffer", 0}, {"dtype", dtype}, {"offset", 0}}}}};
    for (const Json& value : more) args.push_back(value);
    return {{"kernel", kernel}, {"grid", {1, 1, 1}},
            {"args", args},     {"buffers", {reinterpret_cast<uintptr_t>(&buffer)}},
            {"launch", 1},      {"reachable", Json::array()},
            {"checks", true},   {"config", ""},
            {"tuning", false},  {"host_file", "main.py"},
            {"host_line", 3}};
}

TEST(Session, RunsOnTheCallersMemory) {
    Session session(false);
    const int kernel = session.add_kernel("add_one", "kernel.py", 5, kAddOne);
    alignas(16) std::array<float, 4> memory{1, 2, 3, 4};
    ttir::Buffer buffer(reinterpret_cast<std::byte*>(memory.data()), sizeof memory, "memory", false);
    auto launch = session.start(request(kernel, buffer, "f32"));
    EXPECT_EQ(session.end(*launch, "")["programs"], 1);
    EXPECT_THAT(memory, testing::ElementsAre(2, 3, 4, 5));
    EXPECT_EQ(session.log().json()["findings"].size(), 0U);
}

TEST(Session, EqualFindingsAreCountedAndNameTheirLine) {
    Session session(false);
    const int kernel = session.add_kernel("add_one", "kernel.py", 5, kAddOne);
    alignas(16) std::array<float, 3> memory{};
    for (int i = 0; i < 3; ++i) {
        ttir::Buffer buffer(reinterpret_cast<std::byte*>(memory.data()), sizeof memory, "float32 [3]", false);
        auto launch = session.start(request(kernel, buffer, "f32"));
        session.end(*launch, "");
    }
    const Json findings = session.log().json()["findings"];
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0]["reason"], "out_of_bounds");
    EXPECT_EQ(findings[0]["count"], 3);
    EXPECT_EQ(findings[0]["file"], "kernel.py");
    EXPECT_EQ(findings[0]["line"], 7);
    EXPECT_EQ(findings[0]["host_line"], 3);
    EXPECT_EQ(session.log().count(Kind::finding), 1);
}

TEST(Session, UnwrittenMemoryOfTheCallersIsFoundUntilItIsWritten) {
    Session session(false);
    const int kernel = session.add_kernel("add_one", "kernel.py", 5, kAddOne);
    alignas(16) std::array<float, 4> memory{};
    ttir::Buffer buffer(reinterpret_cast<std::byte*>(memory.data()), sizeof memory, "memory", true);
    session.end(*session.start(request(kernel, buffer, "f32")), "");
    EXPECT_EQ(session.log().json()["findings"][0]["reason"], "uninitialised_read");
    EXPECT_TRUE(buffer.all_written());
    session.end(*session.start(request(kernel, buffer, "f32")), "");
    EXPECT_EQ(session.log().json()["findings"][0]["count"], 1);
}

TEST(Session, ACancelledLaunchIsNotChecked) {
    Session session(false);
    const int kernel = session.add_kernel("count", "kernel.py", 1, kLoop);
    alignas(16) std::array<int32_t, 4> memory{};
    ttir::Buffer buffer(reinterpret_cast<std::byte*>(memory.data()), sizeof memory, "memory", false);
    auto launch = session.start(request(kernel, buffer, "i32", {2000000000}));
    EXPECT_FALSE(launch->wait(std::chrono::milliseconds(1)));
    launch->cancel();
    session.end(*launch, "ended by the test");
    const Json log = session.log().json();
    EXPECT_EQ(log["findings"].size(), 0U);
    ASSERT_EQ(log["unchecked"].size(), 1U);
    EXPECT_EQ(log["unchecked"][0]["reason"], "interpret_timeout");
    EXPECT_EQ(log["unchecked"][0]["message"], "ended by the test");
    EXPECT_EQ(memory[0], 0);
}

}  // namespace
}  // namespace tritonsmith::sanitize
