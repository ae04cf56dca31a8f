#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/process/files.h"
#include "base/process/process.h"
#include "trace/compiler.h"
#include "trace/testing.h"

namespace tritonsmith::trace {
namespace {

namespace fs = std::filesystem;

const std::string kAdd = R"(module {
  tt.func public @add(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) attributes {noinline = false} {
    %one = arith.constant dense<1.000000e+00> : tensor<128xf32>
    %block = arith.constant 128 : i32
    %p = tt.get_program_id x : i32
    %start = arith.muli %p, %block : i32
    %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %s = tt.splat %start : i32 -> tensor<128xi32>
    %i = arith.addi %s, %r : tensor<128xi32>
    %ns = tt.splat %n : i32 -> tensor<128xi32>
    %mask = arith.cmpi slt, %i, %ns : tensor<128xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %xp = tt.addptr %xs, %i : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %v = tt.load %xp, %mask : tensor<128x!tt.ptr<f32>>
    %w = arith.addf %v, %one : tensor<128xf32>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %yp = tt.addptr %ys, %i : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %yp, %w, %mask : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
)";

/// A product of two tiles of 256 × 256 f16, which wgmma wants in shared memory: 256 KiB.
const std::string kLargeTile = R"(module {
  tt.func public @product(%x: !tt.ptr<f16>, %o: !tt.ptr<f32>) attributes {noinline = false} {
    %zero = arith.constant dense<0.000000e+00> : tensor<256x256xf32>
    %n = arith.constant dense<256> : tensor<256x1xi32>
    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %row = tt.expand_dims %r {axis = 1 : i32} : tensor<256xi32> -> tensor<256x1xi32>
    %column = tt.expand_dims %r {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %m = arith.muli %row, %n : tensor<256x1xi32>
    %mb = tt.broadcast %m : tensor<256x1xi32> -> tensor<256x256xi32>
    %cb = tt.broadcast %column : tensor<1x256xi32> -> tensor<256x256xi32>
    %i = arith.addi %mb, %cb : tensor<256x256xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<256x256x!tt.ptr<f16>>
    %xp = tt.addptr %xs, %i : tensor<256x256x!tt.ptr<f16>>, tensor<256x256xi32>
    %a = tt.load %xp : tensor<256x256x!tt.ptr<f16>>
    %xq = tt.addptr %xp, %i : tensor<256x256x!tt.ptr<f16>>, tensor<256x256xi32>
    %b = tt.load %xq : tensor<256x256x!tt.ptr<f16>>
    %d = tt.dot %a, %b, %zero, inputPrecision = tf32 : tensor<256x256xf16> * tensor<256x256xf16> -> tensor<256x256xf32>
    %os = tt.splat %o : !tt.ptr<f32> -> tensor<256x256x!tt.ptr<f32>>
    %op = tt.addptr %os, %i : tensor<256x256x!tt.ptr<f32>>, tensor<256x256xi32>
    tt.store %op, %d : tensor<256x256x!tt.ptr<f32>>
    tt.return
  }
}
)";

/// Products of neighbours, which are brought together by a reshape.
std::string neighbours(int count, const std::string& leave) {
    const std::string n = std::to_string(count), half = std::to_string(count / 2);
    return "module {\n  tt.func public @neighbours(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, "
           "%y: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {\n"
           "    %i = tt.make_range {end = " +
           n + " : i32, start = 0 : i32} : tensor<" + n +
           "xi32>\n"
           "    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<" +
           n +
           "x!tt.ptr<f32>>\n"
           "    %xp = tt.addptr %xs, %i : tensor<" +
           n + "x!tt.ptr<f32>>, tensor<" + n +
           "xi32>\n"
           "    %v = tt.load %xp : tensor<" +
           n +
           "x!tt.ptr<f32>>\n"
           "    %w = tt.reshape %v " +
           leave + " : tensor<" + n + "xf32> -> tensor<" + half +
           "x2xf32>\n"
           "    %a, %b = tt.split %w : tensor<" +
           half + "x2xf32> -> tensor<" + half +
           "xf32>\n"
           "    %p = arith.mulf %a, %b : tensor<" +
           half +
           "xf32>\n"
           "    %j = tt.make_range {end = " +
           half + " : i32, start = 0 : i32} : tensor<" + half +
           "xi32>\n"
           "    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<" +
           half +
           "x!tt.ptr<f32>>\n"
           "    %yp = tt.addptr %ys, %j : tensor<" +
           half + "x!tt.ptr<f32>>, tensor<" + half +
           "xi32>\n"
           "    tt.store %yp, %p : tensor<" +
           half + "x!tt.ptr<f32>>\n    tt.return\n  }\n}\n";
}

plan::Value value(int64_t number) {
    return plan::Value{number};
}

class CompilerTest : public ::testing::Test {
  protected:
    std::variant<Compiled, Finding> compile(const std::string& ttir, const std::string& target = "sm_90",
                                            const std::map<std::string, plan::Value>& options = {}) {
        return compiler_.compile(ttir, target, options);
    }
    std::string reason(const std::variant<Compiled, Finding>& result) {
        const auto* finding = std::get_if<Finding>(&result);
        return finding ? finding->reason : "none";
    }
    TemporaryFolder folder_;
    Compiler compiler_{testing::options(), folder_.path().string()};
};

TEST_F(CompilerTest, EveryTarget) {
    for (const char* target : {"sm_80", "sm_90", "sm_100"}) {
        const auto result = compile(kAdd, target);
        ASSERT_EQ(reason(result), "none") << std::get<Finding>(result).message;
        const auto& compiled = std::get<Compiled>(result);
        EXPECT_EQ(compiled.name, "add");
        EXPECT_EQ(compiled.num_warps, 4);
        EXPECT_GT(compiled.registers, 4);
        EXPECT_LT(compiled.registers, 64);
        EXPECT_EQ(compiled.spills, 0);
        ASSERT_GT(compiled.cubin.size(), 1000u);
        EXPECT_EQ(std::string(compiled.cubin.begin() + 1, compiled.cubin.begin() + 4), "ELF");
    }
}

TEST_F(CompilerTest, OptionsReachTheCompiler) {
    const auto wide = compile(kAdd, "sm_90", {{"num_warps", value(8)}, {"num_stages", value(2)}});
    EXPECT_EQ(std::get<Compiled>(wide).num_warps, 8);
    for (const auto& [name, option] :
         std::map<std::string, plan::Value>{{"ptx_options", {std::string("--help")}},
                                            {"ir_override", {std::string("/x.ptx")}},
                                            {"extern_libs", {plan::Dict{}}},
                                            {"num_warps", value(3)},
                                            {"num_ctas", value(1000)},
                                            {"maxnreg", {std::string("1")}}}) {
        EXPECT_EQ(reason(compile(kAdd, "sm_90", {{name, option}})), "compile_failed") << name;
    }
}

TEST_F(CompilerTest, TellsWhetherAReshapeReorders) {
    const auto reorders = [&](const std::string& text) {
        const auto result = compile(text);
        EXPECT_EQ(reason(result), "none") << text;
        return std::holds_alternative<Compiled>(result) && std::get<Compiled>(result).reorders;
    };
    EXPECT_TRUE(reorders(neighbours(1024, "allow_reorder")));
    EXPECT_FALSE(reorders(neighbours(1024, "")));
    EXPECT_FALSE(reorders(neighbours(128, "allow_reorder")))
        << "each thread has one element: nothing to gain";
    EXPECT_FALSE(reorders(kAdd));
}

TEST_F(CompilerTest, TooMuchSharedMemory) {
    const auto result = compile(kLargeTile, "sm_90", {{"num_warps", value(8)}});
    ASSERT_EQ(reason(result), "out_of_resources");
    EXPECT_NE(std::get<Finding>(result).message.find("shared memory"), std::string::npos);
}

TEST_F(CompilerTest, WhatDoesNotCompileIsTheKernelsFault) {
    std::string two = kAdd;
    two.insert(two.rfind('}'), "  tt.func public @other() { tt.return }\n");
    EXPECT_EQ(reason(compile(two)), "compile_failed");
    EXPECT_EQ(reason(compile("module {")), "compile_failed");
    EXPECT_EQ(reason(compile("")), "compile_failed");
    EXPECT_EQ(reason(compile(std::string(100'000, '('))), "compile_failed");
    EXPECT_EQ(reason(compile(kAdd, "sm_10")), "compile_failed");
    EXPECT_EQ(reason(compile(kAdd, "gfx942")), "compile_failed");
    EXPECT_EQ(reason(compile(kAdd)), "none") << "the service serves on";
}

TEST_F(CompilerTest, KeepsResultsAndRedoesDamagedOnes) {
    const auto first = std::get<Compiled>(compile(kAdd));
    std::vector<fs::path> entries;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
        if (entry.is_regular_file()) entries.push_back(entry.path());
    }
    ASSERT_EQ(entries.size(), 1u);
    const auto written = fs::last_write_time(entries[0]);
    EXPECT_EQ(std::get<Compiled>(compile(kAdd)).cubin, first.cubin);
    EXPECT_EQ(fs::last_write_time(entries[0]), written);
    std::ofstream(entries[0], std::ios::app) << "x" << std::flush;
    EXPECT_EQ(std::get<Compiled>(compile(kAdd)).cubin, first.cubin)
        << "the same text compiles to the same bytes";
    EXPECT_NE(fs::last_write_time(entries[0]), written);
}

TEST_F(CompilerTest, ADeadlineEndsACompile) {
    TracerOptions hurried = testing::options();
    hurried.compile_seconds = 2;
    Compiler compiler(hurried, "");
    // For one warp: LLVM alone would work on it for half a minute.
    const auto start = Clock::now();
    const auto result = compiler.compile(kLargeTile, "sm_80", {{"num_warps", value(1)}});
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(15));
    // That is what is wrong with it; but nobody knows what it would have become.
    ASSERT_EQ(reason(result), "out_of_resources");
    const Finding& finding = std::get<Finding>(result);
    EXPECT_NE(finding.message.find("within 2 s"), std::string::npos) << finding.message;
    EXPECT_NE(finding.message.find("2048 registers in each of 32 threads"), std::string::npos)
        << finding.message;
    EXPECT_TRUE(finding.evidence.contains("unfinished"));
}

TEST_F(CompilerTest, KernelsShareABudget) {
    CompileBudget budget(20);
    Compiler compiler(testing::options(), "");
    EXPECT_EQ(reason(compiler.compile(kAdd, "sm_90", {}, &budget)), "none");
    EXPECT_LT(budget.left(), 20);
    EXPECT_GT(budget.left(), 0);
    budget.take(20, 0);
    const auto late = compiler.compile(kAdd, "sm_90", {}, &budget);
    ASSERT_EQ(reason(late), "compile_timeout");
    EXPECT_NE(std::get<Finding>(late).message.find("together take longer to compile than the 20 s"),
              std::string::npos);
    // Time on the clock counts as well, where it is long.
    CompileBudget slow(20);
    slow.take(1, 30);
    EXPECT_EQ(slow.left(), 10);
}

TEST_F(CompilerTest, ACancelledCompileEnds) {
    CompileBudget budget(100);
    Compiler compiler(testing::options(), "");
    EXPECT_EQ(reason(compiler.compile(kAdd, "sm_90", {})), "none");  // it has started
    std::thread cancel([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        budget.cancel();
    });
    const auto start = Clock::now();
    const auto result = compiler.compile(kLargeTile, "sm_80", {{"num_warps", value(1)}}, &budget);
    cancel.join();
    EXPECT_TRUE(std::holds_alternative<Finding>(result));
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(15));
}

TEST_F(CompilerTest, SeveralAtOnce) {
    std::vector<std::thread> threads;
    std::array<std::string, 4> reasons;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
            reasons[i] = reason(compile(kAdd, "sm_90", {{"num_stages", value(i + 1)}}));
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::string& each : reasons) EXPECT_EQ(each, "none");
}

}  // namespace
}  // namespace tritonsmith::trace
