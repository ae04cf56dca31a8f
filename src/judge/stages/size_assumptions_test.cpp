#include "judge/stages/size_assumptions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "judge/candidate/launch_forms.h"
#include "judge/candidate/size_functions.h"
#include "ttir/parse/parser.h"

namespace tritonsmith::judge {
namespace {

/// A program at one size: one kernel that copies blocks of a row, and its launch.
struct CopyProgram {
    CopyProgram(int block, bool masked, int64_t constant, std::array<int64_t, 3> grid, plan::List more = {}) {
        const std::string text = fmt::format(
            R"(module {{
  tt.func public @copy(%x: !tt.ptr<f32>, %n: i32, %f: f32) {{
    %c = arith.constant {1} : i32
    %lane = tt.make_range {{end = {0} : i32, start = 0 : i32}} : tensor<{0}xi32>
    %p = tt.splat %x : !tt.ptr<f32> -> tensor<{0}x!tt.ptr<f32>>
    %q = tt.addptr %p, %lane : tensor<{0}x!tt.ptr<f32>>, tensor<{0}xi32>
    %s = tt.splat %n : i32 -> tensor<{0}xi32>
    %m = arith.cmpi slt, %lane, %s : tensor<{0}xi32>
    %v = tt.load %q{2} : tensor<{0}x!tt.ptr<f32>>
    tt.store %q, %v{2} : tensor<{0}x!tt.ptr<f32>>
    tt.return
  }}
}}
)",
            block, constant, masked ? ", %m" : "");
        plan.kernels.push_back({"copy", text, {}, 1});
        modules.push_back(std::make_shared<const ttir::Module>(ttir::parse(text)));
        plan::LaunchStep launch;
        launch.kernel = 0;
        launch.grid = grid;
        launch.args = {{plan::Pointer{0, 0}}};
        launch.args.insert(launch.args.end(), more.begin(), more.end());
        const auto* cols = more.empty() ? nullptr : std::get_if<int64_t>(&more.front().v);
        plan.inputs = {
            {plan::Tensor{0, plan::DType::f32, {grid[0], cols ? *cols : 1}, {cols ? *cols : 1, 1}, 0}}};
        plan.steps.push_back({launch, plan::Phase::forward, 7});
    }
    void add(const std::string& op, plan::List args) {
        plan::AtenStep step;
        step.op = op;
        step.args = std::move(args);
        plan.steps.push_back({step, plan::Phase::forward, 8});
    }
    AtSize at() const { return {plan, modules}; }

    plan::Plan plan;
    std::vector<std::shared_ptr<const ttir::Module>> modules;
};

plan::List size(int64_t n, double f = 1.5) {
    return {{n}, {f}};
}

bool rests(const CopyProgram& full, const CopyProgram& small) {
    return rests_on_own_size(full.at(), small.at(), {{"rows", 6144}, {"cols", 3072}, {"seed", 5}},
                             {{"rows", 256}, {"cols", 768}});
}

TEST(SizeAssumptions, WhatFollowsTheSizesRestsOnNone) {
    EXPECT_FALSE(rests({1024, true, 3, {6144, 1, 1}, size(3072)}, {1024, true, 3, {256, 1, 1}, size(768)}));
    EXPECT_FALSE(rests({256, false, 5, {6144, 1, 1}, size(3072)}, {256, false, 5, {256, 1, 1}, size(768)}))
        << "its tiles divide both";
}

TEST(SizeAssumptions, SizesThatAreWrittenIn) {
    EXPECT_TRUE(rests({1024, true, 3072, {6144, 1, 1}, size(1)}, {1024, true, 3072, {256, 1, 1}, size(1)}));
    EXPECT_TRUE(rests({1024, true, 3, {6144, 1, 1}, size(3072)}, {1024, true, 3, {256, 1, 1}, size(3072)}));
    EXPECT_TRUE(rests({1024, true, 3, {96, 1, 1}, size(3072)}, {1024, true, 3, {96, 1, 1}, size(768)}))
        << "the grid stays";
    EXPECT_FALSE(rests({1024, true, 3, {1, 1, 1}, size(3072)}, {1024, true, 3, {1, 1, 1}, size(768)}))
        << "one program is no number of programs";
}

TEST(SizeAssumptions, ProgramsThatTakeTilesInTurnCoverAnySize) {
    const auto program = [](const std::string& first) {
        const std::string text = R"(module {
  tt.func public @turns(%x: !tt.ptr<f32>, %n: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 7 : i32
    %p = tt.get_program_id x : i32
    %q = arith.addi %p, %zero : i32
    scf.for %i = )" + first + R"( to %n step %step  : i32 {
      %a = tt.addptr %x, %i : !tt.ptr<f32>, i32
      %v = tt.load %a : !tt.ptr<f32>
      tt.store %a, %v : !tt.ptr<f32>
    }
    tt.return
  }
}
)";
        CopyProgram made(256, true, 4, {96, 1, 1}, size(5));
        made.modules = {std::make_shared<const ttir::Module>(ttir::parse(text))};
        return made;
    };
    EXPECT_FALSE(rests(program("%q"), program("%q")));
    EXPECT_TRUE(rests(program("%zero"), program("%zero"))) << "all programs do the same";
}

TEST(SizeAssumptions, TilesThatDivideOneOfTheSizes) {
    EXPECT_TRUE(rests({1024, false, 3, {6144, 1, 1}, size(3072)}, {1024, false, 3, {256, 1, 1}, size(768)}));
    EXPECT_TRUE(rests({128, false, 16, {6144, 1, 1}, size(3072)}, {128, false, 16, {256, 1, 1}, size(768)}))
        << "groups of sixteen tiles";
    EXPECT_FALSE(rests({1024, false, 3, {6144, 1, 1}, size(3072)}, {512, false, 3, {256, 1, 1}, size(768)}))
        << "a tile that follows the size";
}

std::optional<OnlyHere> only(const CopyProgram& full, const CopyProgram& small) {
    return only_here(full.plan, full.modules, small.plan, small.modules);
}

TEST(LaunchForms, SizesMakeNoDifference) {
    EXPECT_FALSE(only({1024, true, 3, {6144, 1, 1}, size(3072)}, {256, true, 4, {256, 1, 1}, size(768)}));
}

TEST(LaunchForms, AnotherKernelAnotherNumberAnotherOperatorDo) {
    const CopyProgram small(256, true, 4, {256, 1, 1}, size(768));
    const auto other = only({1024, false, 3, {6144, 1, 1}, size(3072)}, small);
    ASSERT_TRUE(other);
    EXPECT_EQ(other->what, "kernel copy");
    EXPECT_EQ(other->line, 7);
    EXPECT_TRUE(only({1024, true, 3, {6144, 1, 1}, size(3072, -3e38)}, small)) << "a floating argument";
    CopyProgram filled(1024, true, 3, {6144, 1, 1}, size(3072)), zeroed(256, true, 3, {256, 1, 1}, size(768));
    filled.add("aten::full", {plan::Value{plan::Sequence{{{int64_t{3072}}}}}, {0.5}});
    EXPECT_EQ(only(filled, zeroed)->what, "aten::full");
    zeroed.add("aten::full", {plan::Value{plan::Sequence{{{int64_t{768}}}}}, {0.0}});
    EXPECT_TRUE(only(filled, zeroed)) << "another value";
    zeroed.add("aten::full", {plan::Value{plan::Sequence{{{int64_t{768}}}}}, {0.5}});
    EXPECT_FALSE(only(filled, zeroed));
}

TEST(LaunchForms, AnIntegerIsTheSameFunctionOfTheSizesAtBoth) {
    const auto program = [](int64_t rows, int64_t cols, int64_t used) {
        CopyProgram made(256, true, 4, {rows, 1, 1}, size(used));
        made.plan.inputs = {{plan::Tensor{0, plan::DType::f32, {rows, cols}, {cols, 1}, 0}}};
        return made;
    };
    const CopyProgram small = program(256, 2048, 2048);
    EXPECT_FALSE(only(program(65536, 2048, 2048), small));
    EXPECT_TRUE(only(program(65536, 2048, 2040), small)) << "fewer columns, though there are as many";
    EXPECT_TRUE(only(program(65536, 2048, 512), small));
    EXPECT_FALSE(only(program(65536, 2048, 2040), program(65536, 128, 120))) << "less eight at both";
}

TEST(SizeFunctions, WhatHostsComputeOfSizes) {
    const std::vector<AtTwoSizes> sizes{{65536, 256}, {3000, 200}};
    for (const AtTwoSizes number : {AtTwoSizes{7, 7},
                                    {65536, 256},
                                    {196608, 768},
                                    {2999, 199},
                                    {94, 7},
                                    {93, 6},
                                    {4096, 256},
                                    {132, 7},
                                    {1, 81}})
        EXPECT_TRUE(is_function_of(number, sizes)) << number.one << " " << number.other;
    for (const AtTwoSizes number :
         {AtTwoSizes{2996, 200}, {65536, 250}, {8192, 256}, {150, 200}, {32760, 256}})
        EXPECT_FALSE(is_function_of(number, sizes)) << number.one << " " << number.other;
}

TEST(SizeFunctions, WhatTheReferenceComputesOnTheWay) {
    const auto convolution = [](int64_t batch, int64_t channels, int64_t side) {
        plan::Plan plan;
        const plan::Tensor made{0,
                                plan::DType::f32,
                                {batch, channels, side, side},
                                {channels * side * side, side * side, side, 1},
                                0};
        plan.steps.push_back({plan::AtenStep{"aten::convolution", {}, {}, {made}}});
        return plan;
    };
    const std::vector<AtTwoSizes> way = sizes_on_the_way(convolution(128, 96, 126), convolution(3, 24, 14));
    const AtTwoSizes rows{128 * 126 * 126, 3 * 14 * 14}, fewer{128 * 126 * 126 - 512, 3 * 14 * 14};
    EXPECT_FALSE(is_function_of(rows, {{128, 3}}));
    EXPECT_TRUE(is_function_of(rows, {{128, 3}}, way)) << "images times pixels";
    EXPECT_FALSE(is_function_of(fewer, {{128, 3}}, way));
    EXPECT_TRUE(sizes_on_the_way(convolution(2, 3, 4), {}).empty());
}

TEST(SizeFunctions, FloatsThatKernelsScaleBy) {
    const std::vector<AtTwoSizes> sizes{{768, 64}, {512, 256}};
    EXPECT_TRUE(is_function_of(std::pow(96, -0.5), std::pow(8, -0.5), sizes)) << "of a head's width";
    EXPECT_TRUE(is_function_of(std::sqrt(512.0), std::sqrt(256.0), sizes));
    EXPECT_TRUE(is_function_of(1 / 768.0, 1 / 64.0, sizes));
    EXPECT_TRUE(is_function_of(1e-5, 1e-5, sizes));
    EXPECT_FALSE(is_function_of(1.0, 0.0, sizes)) << "a switch";
    EXPECT_FALSE(is_function_of(0.0, 1.0, sizes));
    EXPECT_FALSE(is_function_of(2.0, 1.5, sizes));
    EXPECT_FALSE(is_function_of(std::pow(96, -0.5), -std::pow(8, -0.5), sizes));
    EXPECT_FALSE(is_function_of(std::nan(""), 1.0, sizes));
}

}  // namespace
}  // namespace tritonsmith::judge
