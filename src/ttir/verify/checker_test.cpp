#include "ttir/verify/checker.h"

#include <gtest/gtest.h>

#include "ttir/parse/parser.h"

namespace tritonsmith::ttir {
namespace {

/// Empty if the text passes, else the error.
std::string check(const std::string& text) {
    try {
        parse(text);
    } catch (const ParseError& error) {
        return error.what();
    }
    return "";
}

std::string body(const std::string& lines) {
    return "tt.func public @k(%p: !tt.ptr<f32>, %n: i32, %l: i64, %f: f32, %c: i1, %t: tensor<8x16xf32>, %u: "
           "tensor<8x16xi32>, "
           "%m: tensor<8x16xi1>, %d: !tt.tensordesc<tensor<8x16xf32>>, %r: !tt.tensordesc<tensor<1x16xf32>>) "
           "{\n" +
           lines + "\n}\n";
}

void passes(const std::string& lines) {
    EXPECT_EQ(check(body(lines + "\ntt.return")), "") << lines;
}
void fails(const std::string& lines, const std::string& part = "") {
    std::string found = check(body(lines + "\ntt.return"));
    EXPECT_FALSE(found.empty()) << lines;
    EXPECT_NE(found.find(part), std::string::npos) << found << "\n" << lines;
}

TEST(Checker, Casts) {
    passes("%x = arith.extsi %n : i32 to i64");
    fails("%x = arith.extsi %l : i64 to i32", "wider");
    fails("%x = arith.trunci %n : i32 to i64", "narrower");
    fails("%x = arith.bitcast %n : i32 to f64", "as wide");
    fails("%x = arith.sitofp %t : tensor<8x16xf32> to tensor<8x16xf32>", "element type");
    fails("%x = arith.sitofp %u : tensor<8x16xi32> to tensor<16x8xf32>", "one shape");
    fails("%x = tt.bitcast %f : f32 -> f64", "as wide");
    fails("%x = tt.bitcast %p : !tt.ptr<f32> -> i64", "pointer");
    passes("%x = tt.ptr_to_int %p : !tt.ptr<f32> -> i64\n%y = tt.int_to_ptr %x : i64 -> !tt.ptr<i8>");
    fails("%x = tt.ptr_to_int %p : !tt.ptr<f32> -> i32", "i64");
}

TEST(Checker, Shapes) {
    passes("%x = tt.trans %t {order = array<i32: 1, 0>} : tensor<8x16xf32> -> tensor<16x8xf32>");
    fails("%x = tt.trans %t {order = array<i32: 1, 0>} : tensor<8x16xf32> -> tensor<8x16xf32>", "order");
    fails("%x = tt.trans %t {order = array<i32: 1, 1>} : tensor<8x16xf32> -> tensor<16x16xf32>",
          "permutation");
    fails("%x = tt.trans %t {order = array<i32: 1>} : tensor<8x16xf32> -> tensor<16x8xf32>", "order");
    fails("%x = tt.trans %t {order = array<i32: -1, 0>} : tensor<8x16xf32> -> tensor<16x8xf32>",
          "permutation");
    passes("%x = tt.expand_dims %t {axis = 2 : i32} : tensor<8x16xf32> -> tensor<8x16x1xf32>");
    fails("%x = tt.expand_dims %t {axis = 3 : i32} : tensor<8x16xf32> -> tensor<8x16x1xf32>", "axis");
    fails("%x = tt.expand_dims %t {axis = -1 : i32} : tensor<8x16xf32> -> tensor<8x16x1xf32>", "axis");
    fails("%x = tt.broadcast %t : tensor<8x16xf32> -> tensor<16x16xf32>", "size 1");
    passes(
        "%x = tt.join %t, %t : tensor<8x16xf32> -> tensor<8x16x2xf32>\n%a, %b = tt.split %x : "
        "tensor<8x16x2xf32> -> tensor<8x16xf32>");
    fails("%a, %b = tt.split %t : tensor<8x16xf32> -> tensor<8xf32>", "last dimension");
    fails("%x = tt.cat %t, %t : tensor<8x16xf32> -> tensor<8x32xf32>", "first dimension");
    fails("%x = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<16xi32>", "end - start");
    fails("%x = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi64>", "i32");
    fails("%x = tt.splat %t : tensor<8x16xf32> -> tensor<8x16xf32>");
    fails("%x = tt.splat %d : !tt.tensordesc<tensor<8x16xf32>> -> tensor<4xf32>");
    fails("%x = tt.gather %t[%u] {axis = 2 : i32} : (tensor<8x16xf32>, tensor<8x16xi32>) -> tensor<8x16xf32>",
          "axis");
    fails("%x = tt.gather %t[%t] {axis = 0 : i32} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>",
          "indices");
    fails("%x = tt.histogram %t : tensor<8x16xf32> -> tensor<16xi32>", "integers");
}

TEST(Checker, Dots) {
    std::string b =
        "%b = tt.trans %t {order = array<i32: 1, 0>} : tensor<8x16xf32> -> tensor<16x8xf32>\n%z = "
        "arith.constant dense<0.0> : tensor<8x8xf32>\n";
    passes(b + "%x = tt.dot %t, %b, %z : tensor<8x16xf32> * tensor<16x8xf32> -> tensor<8x8xf32>");
    fails(b + "%x = tt.dot %t, %t, %z : tensor<8x16xf32> * tensor<8x16xf32> -> tensor<8x8xf32>", "multiply");
    fails(b + "%x = tt.dot %u, %b, %z : tensor<8x16xi32> * tensor<16x8xf32> -> tensor<8x8xf32>", "mixed");
}

TEST(Checker, Memory) {
    fails("%x = tt.load %f : f32", "pointer");
    std::string q = "%q = tt.splat %p : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>\n";
    passes(q + "%x = tt.load %q, %m, %t : tensor<8x16x!tt.ptr<f32>>");
    fails(q + "tt.store %q, %u : tensor<8x16x!tt.ptr<f32>>", "type");
    fails(q + "%x = \"tt.load\"(%q, %t) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : "
              "(tensor<8x16x!tt.ptr<f32>>, tensor<8x16xf32>) -> f32",
          "result");
    fails(q + "%x = \"tt.load\"(%q, %m) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : "
              "(tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi1>) -> tensor<8x16xf32>",
          "groups");
    fails(q + "%x = \"tt.load\"(%q, %m) <{operandSegmentSizes = array<i32: -1, 2, 1>}> : "
              "(tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi1>) -> tensor<8x16xf32>",
          "groups");
    fails(q + "%x = tt.addptr %q, %n : tensor<8x16x!tt.ptr<f32>>, i32", "one shape");
    fails("%x = tt.atomic_rmw add, relaxed, gpu, %p, %f : (!tt.ptr<f32>, f32) -> f32", "does not fit");
    passes("%x = tt.atomic_rmw fadd, relaxed, gpu, %p, %f, %c : (!tt.ptr<f32>, f32, i1) -> f32");
    fails("%x = tt.atomic_cas relaxed, gpu, %p, %n, %n : (!tt.ptr<f32>, i32, i32) -> i32", "points to");
    passes("%x = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<8x16xf32>> -> tensor<8x16xf32>");
    fails("%x = tt.descriptor_load %d[%n] : !tt.tensordesc<tensor<8x16xf32>> -> tensor<8x16xf32>",
          "one index");
    fails("%x = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<8x16xf32>> -> tensor<8x8xf32>",
          "block");
    fails("tt.descriptor_store %d[%n, %n], %u : !tt.tensordesc<tensor<8x16xf32>>, tensor<8x16xi32>", "block");
    fails(
        "%x = tt.descriptor_gather %d[%n, %n] : (!tt.tensordesc<tensor<8x16xf32>>, i32, i32) -> "
        "tensor<8x16xf32>",
        "one row");
    fails("%x = tt.make_tensor_descriptor %p, [%n], [%l, %l] : <f32>, <tensor<8x16xf32>>", "dimension");
    fails(
        "%x = tt.make_tensor_ptr %p, [%l, %l], [%l, %l], [%n, %n] {order = array<i32: 0>} : "
        "<tensor<8x8xf32>>",
        "order");
}

TEST(Checker, Regions) {
    std::string reduce = "%x = \"tt.reduce\"(%t) <{axis = 1 : i32}> ({\n^bb0(%a: f32, %b: f32):\n";
    passes(reduce + "tt.reduce.return %a : f32\n}) : (tensor<8x16xf32>) -> tensor<8xf32>");
    fails(reduce + "tt.reduce.return %n : i32\n}) : (tensor<8x16xf32>) -> tensor<8xf32>", "one value");
    fails(reduce + "tt.scan.return %a : f32\n}) : (tensor<8x16xf32>) -> tensor<8xf32>", "end in");
    fails(reduce + "tt.reduce.return %a : f32\n}) : (tensor<8x16xf32>) -> tensor<16xf32>",
          "without the axis");
    fails("scf.for %i = %f to %f step %f : f32 {\n}", "integers");
    fails("scf.if %c {\n tt.return\n}", "scf.yield");
    fails("%x = scf.if %c -> (i32) {\n scf.yield %n : i32\n}", "else");
    fails("%x = scf.if %c -> (i32) {\n scf.yield %f : f32\n} else {\n scf.yield %n : i32\n}", "results");
    fails(
        "%x = scf.while (%a = %n) : (i32) -> (i32) {\n scf.condition(%c) %f : f32\n} do {\n^bb0(%b: i32):\n "
        "scf.yield %b : i32\n}",
        "results");
    passes("%x = scf.execute_region -> i32 {\n cf.br ^a(%n : i32)\n^a(%b: i32):\n scf.yield %b : i32\n}");
    fails("%x = scf.execute_region -> i32 {\n cf.br ^a(%f : f32)\n^a(%b: i32):\n scf.yield %b : i32\n}",
          "another type");
    fails("%x = scf.execute_region -> i32 {\n cf.br ^a\n^a(%b: i32):\n scf.yield %b : i32\n}",
          "wrong number of block arguments");
    fails("\"arith.addi\"(%n, %n) ({\n}) : (i32, i32) -> i32", "region");
}

TEST(Checker, Dominance) {
    fails("scf.if %c {\n %x = arith.constant 1 : i32\n scf.yield\n}\n%y = arith.addi %x, %x : i32",
          "not defined");
    std::string diamond =
        "cf.cond_br %c, ^a, ^b\n^a:\n%x = arith.constant 1 : i32\ncf.br ^e\n^b:\ncf.br ^e\n^e:\n";
    fails(diamond + "%y = arith.addi %x, %x : i32", "used by arith.addi");
    passes("cf.br ^a\n^a:\n%x = arith.constant 1 : i32\ncf.br ^e\n^e:\n%y = arith.addi %x, %x : i32");
    fails("%y = arith.addi %y, %n : i32", "not defined");
    fails("cf.br ^a\n^a:\n%y = arith.addi %x, %n : i32\n%x = arith.addi %n, %n : i32", "used by arith.addi");
    EXPECT_NE(check(body("cf.br ^a\n^a:\ncf.br ^a")), "no");
    EXPECT_NE(check(body("^bb0:\ntt.return")), "");
    // What only unreachable blocks use may come from anywhere; it never runs.
    passes("tt.return\n^a:\n%y = arith.addi %x, %n : i32\n%x = arith.addi %n, %n : i32");
}

TEST(Checker, Calls) {
    std::string entry = "tt.func public @k(%n: i32) { %x = tt.call @f(%n) : (i32) -> i32\n tt.return }\n";
    EXPECT_EQ(check(entry + "tt.func private @f(%n: i32) -> i32 { tt.return %n : i32 }"), "");
    EXPECT_NE(check(entry).find("unknown function @f"), std::string::npos);
    EXPECT_NE(
        check(entry +
              "tt.func private @f(%n: i64) -> i32 { %x = arith.trunci %n : i64 to i32\n tt.return %x : i32 }")
            .find("does not fit"),
        std::string::npos);
    EXPECT_NE(
        check(
            entry +
            "tt.func private @f(%n: i32) -> i32 { %x = tt.call @f(%n) : (i32) -> i32\n tt.return %x : i32 }")
            .find("recursive"),
        std::string::npos);
    EXPECT_NE(check(entry + "tt.func private @f(%n: i32) -> i32").find("no body"), std::string::npos);
    EXPECT_NE(
        check(entry +
              "tt.func private @f(%n: i32) -> i32 { tt.return %n : i32 }\ntt.func private @f() { tt.return }")
            .find("two functions"),
        std::string::npos);
    EXPECT_NE(check("tt.func public @a() { tt.return }\ntt.func public @b() { tt.return }")
                  .find("exactly one public"),
              std::string::npos);
    EXPECT_NE(check("tt.func private @a() { tt.return }").find("exactly one public"), std::string::npos);
    EXPECT_NE(check("tt.func public @a() -> i32 { tt.return }").find("function's results"),
              std::string::npos);
    std::string chain = "tt.func public @f0() { tt.call @f1() : () -> ()\n tt.return }\n";
    for (int i = 1; i < 100; ++i)
        chain += "tt.func private @f" + std::to_string(i) + "() { tt.call @f" + std::to_string(i + 1) +
                 "() : () -> ()\n tt.return }\n";
    EXPECT_NE(check(chain + "tt.func private @f100() { tt.return }").find("nested too deeply"),
              std::string::npos);
}

}  // namespace
}  // namespace tritonsmith::ttir
