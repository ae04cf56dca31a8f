#include "ttir/analysis/kernel_form.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ttir/parse/parser.h"

namespace tritonsmith::ttir {
namespace {

/// y = max(x, floor) over blocks.
std::string relu(int block, const std::string& floor, const std::string& name = "relu") {
    return fmt::format(
        R"(module {{
  tt.func public @{1}(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {{
    %floor = arith.constant dense<{2}> : tensor<{0}xf32>
    %size = arith.constant {0} : i32
    %pid = tt.get_program_id x : i32
    %first = arith.muli %pid, %size : i32
    %lane = tt.make_range {{end = {0} : i32, start = 0 : i32}} : tensor<{0}xi32>
    %at = tt.splat %first : i32 -> tensor<{0}xi32>
    %i = arith.addi %at, %lane : tensor<{0}xi32>
    %px = tt.splat %x : !tt.ptr<f32> -> tensor<{0}x!tt.ptr<f32>>
    %pi = tt.addptr %px, %i : tensor<{0}x!tt.ptr<f32>>, tensor<{0}xi32>
    %v = tt.load %pi : tensor<{0}x!tt.ptr<f32>>
    %r = arith.maxnumf %v, %floor : tensor<{0}xf32>
    %py = tt.splat %y : !tt.ptr<f32> -> tensor<{0}x!tt.ptr<f32>>
    %po = tt.addptr %py, %i : tensor<{0}x!tt.ptr<f32>>, tensor<{0}xi32>
    tt.store %po, %r : tensor<{0}x!tt.ptr<f32>>
    tt.return
  }}
}}
)",
        block, name, floor);
}

TEST(KernelForm, SizesAndNamesDoNotCount) {
    EXPECT_EQ(kernel_form(parse(relu(128, "0.0"))), kernel_form(parse(relu(4096, "0.0"))));
    EXPECT_EQ(kernel_form(parse(relu(128, "0.0"))), kernel_form(parse(relu(128, "0.0", "other"))));
}

TEST(KernelForm, FloatingConstantsAndOperationsCount) {
    const std::string text = relu(128, "0.0");
    EXPECT_NE(kernel_form(parse(text)), kernel_form(parse(relu(128, "-1.0e30"))));
    std::string other = text;
    other.replace(other.find("maxnumf"), 7, "minnumf");
    EXPECT_NE(kernel_form(parse(text)), kernel_form(parse(other)));
    other = text;  // what is stored is not what was computed
    other.replace(other.find("tt.store %po, %r"), 16, "tt.store %po, %v");
    EXPECT_NE(kernel_form(parse(text)), kernel_form(parse(other)));
}

/// y[row, col] of tiles, the compiler having merged what is computed twice, or not.
std::string tile(int rows, int cols, bool merged) {
    const std::string columns =
        merged ? ""
               : fmt::format(
                     "    %c = tt.make_range {{end = {0} : i32, start = 0 : i32}} : tensor<{0}xi32>\n", cols);
    return fmt::format(
        R"(module {{
  tt.func public @tile(%y: !tt.ptr<i32>, %n: i32) {{
    %r = tt.make_range {{end = {0} : i32, start = 0 : i32}} : tensor<{0}xi32>
{2}    %row = tt.expand_dims %r {{axis = 1 : i32}} : tensor<{0}xi32> -> tensor<{0}x1xi32>
    %col = tt.expand_dims {3} {{axis = 0 : i32}} : tensor<{1}xi32> -> tensor<1x{1}xi32>
    %rows = tt.broadcast %row : tensor<{0}x1xi32> -> tensor<{0}x{1}xi32>
    %cols = tt.broadcast %col : tensor<1x{1}xi32> -> tensor<{0}x{1}xi32>
    %i = arith.addi %rows, %cols : tensor<{0}x{1}xi32>
    %py = tt.splat %y : !tt.ptr<i32> -> tensor<{0}x{1}x!tt.ptr<i32>>
    %po = tt.addptr %py, %i : tensor<{0}x{1}x!tt.ptr<i32>>, tensor<{0}x{1}xi32>
    tt.store %po, %i : tensor<{0}x{1}x!tt.ptr<i32>>
    tt.return
  }}
}}
)",
        rows, cols, columns, merged ? "%r" : "%c");
}

TEST(KernelForm, WhatIsMergedWhereTwoTilesAreOfOneSizeIsTheSame) {
    const std::string merged = tile(64, 64, true), apart = tile(64, 16, false);
    EXPECT_EQ(kernel_form(parse(merged)), kernel_form(parse(apart)));
    std::string other = apart;  // the second of two that the compiler has merged is another one
    other.replace(other.find("addi %rows, %cols"), 17, "addi %rows, %rows");
    EXPECT_NE(kernel_form(parse(merged)), kernel_form(parse(other)));
    // Numbers are all of the text's.
    EXPECT_EQ(kernel_numbers(parse(apart)).constants.size(),
              kernel_numbers(parse(merged)).constants.size() + 2);
}

TEST(KernelForm, ConstantsMayStandInAnyOrder) {
    const std::string text =
        "module {\n  tt.func public @k(%n: i32) {\n    %a = arith.constant 0.0 : f32\n"
        "    %b = arith.constant 1.0 : f32\n    %c = arith.subf %a, %b : f32\n    tt.return\n  }\n}\n";
    std::string swapped = text, other = text;
    swapped.replace(swapped.find("%a = arith.constant 0.0"), 23, "%b = arith.constant 1.0");
    swapped.replace(swapped.rfind("%b = arith.constant 1.0"), 23, "%a = arith.constant 0.0");
    EXPECT_EQ(kernel_form(parse(text)), kernel_form(parse(swapped)));
    other.replace(other.find("subf %a, %b"), 11, "subf %b, %a");
    EXPECT_NE(kernel_form(parse(text)), kernel_form(parse(other)));
}

std::string decides(const std::string& body) {
    return "module {\n  tt.func public @decides(%x: !tt.ptr<f32>, %n: i32, %k: i32) {\n"
           "    %many = arith.constant 1000 : i32\n    %pid = tt.get_program_id x : i32\n"
           "    %grid = tt.get_num_programs y : i32\n" +
           body + "    tt.return\n  }\n}\n";
}

std::string decisions(const std::string& body, int64_t n, int64_t k, int64_t grid = 1) {
    return size_decisions(parse(decides(body)), {64, grid, 1}, {std::nullopt, n, k});
}

TEST(SizeDecisions, ComparisonsOfArgumentsAndOfTheGrid) {
    const std::string of_argument = "    %c = arith.cmpi sgt, %n, %many : i32\n";
    EXPECT_EQ(decisions(of_argument, 999, 5), decisions(of_argument, 1000, 7));
    EXPECT_NE(decisions(of_argument, 1000, 5), decisions(of_argument, 1001, 5));
    const std::string of_grid = "    %c = arith.cmpi eq, %grid, %k : i32\n";
    EXPECT_NE(decisions(of_grid, 3, 2, 1), decisions(of_grid, 3, 2, 2));
    const std::string of_lanes =
        "    %s = tt.splat %n : i32 -> tensor<8xi32>\n    %d = arith.constant dense<1000> : tensor<8xi32>\n"
        "    %c = arith.cmpi sgt, %s, %d : tensor<8xi32>\n";
    EXPECT_NE(decisions(of_lanes, 1000, 5), decisions(of_lanes, 1001, 5));
}

TEST(SizeDecisions, WhatIsComputedFromSizesIsFollowed) {
    const std::string text =
        "    %a = arith.divsi %n, %many : i32\n    %b = arith.subi %a, %k : i32\n"
        "    %c = arith.cmpi sgt, %b, %grid : i32\n";
    EXPECT_NE(decisions(text, 5000, 4), decisions(text, 6000, 4));
    const std::string factor =
        "    %a = arith.divsi %n, %many : i32\n    %f = arith.sitofp %a : i32 to f32\n";
    EXPECT_NE(decisions(factor, 500, 1), decisions(factor, 1000, 1));
    EXPECT_EQ(decisions(factor, 5000, 1), decisions(factor, 7000, 1)) << "a mean divides by its size";
    const std::string least = "    %a = arith.minsi %n, %many : i32\n";
    EXPECT_NE(decisions(least, 500, 1), decisions(least, 5000, 1));
}

TEST(SizeDecisions, WhatProgramsDifferInIsNone) {
    const std::string text = "    %c = arith.cmpi slt, %pid, %n : i32\n";
    EXPECT_EQ(decisions(text, 1, 1), "");
    EXPECT_EQ(decisions("    %z = arith.subi %n, %n : i32\n    %q = arith.divsi %k, %z : i32\n", 1, 1), "");
}

/// A kernel that multiplies what it reads by %s, and `body`.
bool float_decides(const std::string& body) {
    return decides_by_floats(
        parse("module {\n  tt.func public @scales(%x: !tt.ptr<f32>, %s: f32, %n: i32) {\n"
              "    %half = arith.constant 0.5 : f32\n    %zero = arith.constant 0.0 : f32\n"
              "    %v = tt.load %x : !tt.ptr<f32>\n    %p = arith.mulf %v, %s : f32\n"
              "    %h = arith.mulf %s, %half : f32\n" +
              body + "    tt.store %x, %p : !tt.ptr<f32>\n    tt.return\n  }\n}\n"));
}

TEST(FloatDecisions, WhatIsMoreThanAFactorOfData) {
    EXPECT_FALSE(float_decides(""));
    EXPECT_FALSE(float_decides("    %c = arith.cmpf ogt, %p, %zero : f32\n")) << "data";
    EXPECT_TRUE(float_decides("    %c = arith.cmpf ogt, %s, %half : f32\n"));
    EXPECT_TRUE(float_decides("    %c = arith.cmpf ogt, %h, %zero : f32\n"));
    EXPECT_TRUE(float_decides("    %c = arith.maxnumf %s, %zero : f32\n"));
    EXPECT_TRUE(float_decides("    %c = arith.fptosi %h : f32 to i32\n"));
    EXPECT_TRUE(float_decides("    %c = arith.addf %h, %half : f32\n"));
    EXPECT_TRUE(float_decides("    %c = math.exp %s : f32\n"));
    EXPECT_FALSE(float_decides("    %c = arith.cmpf ogt, %half, %zero : f32\n")) << "no argument";
}

}  // namespace
}  // namespace tritonsmith::ttir
