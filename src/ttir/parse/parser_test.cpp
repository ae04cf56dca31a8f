#include "ttir/parse/parser.h"

#include <gtest/gtest.h>

#include "ttir/parse/module_equal_testing.h"
#include "ttir/parse/printer.h"

namespace tritonsmith::ttir {
namespace {

/// A function around some lines, with %p: a pointer, %n: i32, %f: f32, %c: i1, %t: 64 floats, %u: 64
/// integers, %m: 64 i1.
std::string around(const std::string& lines, const std::string& results = "",
                   const std::string& end = "tt.return") {
    return "module {\n tt.func public @k(%p: !tt.ptr<f32>, %n: i32, %f: f32, %c: i1, %t: tensor<64xf32>, %u: "
           "tensor<64xi32>, "
           "%m: tensor<64xi1>)" +
           results + " {\n" + lines + "\n" + end + "\n }\n}\n";
}

Operation first(const std::string& line) {
    Module module = parse(around(line));
    return module.functions.at(0).body.blocks.at(0).operations.at(0);
}

/// The error of some lines; they start at line 3 of the text.
std::string error_of(const std::string& text) {
    try {
        parse(text);
    } catch (const ParseError& error) {
        return error.what();
    }
    return "no error";
}

std::string keyword(const Operation& op, const std::string& name) {
    return std::get<EnumAttribute>(op.attributes.at(name).v).value;
}
int64_t number(const Operation& op, const std::string& name) {
    return std::get<TypedInt>(op.attributes.at(name).v).value;
}

TEST(Parser, PrintsWhatItReads) {
    for (const std::string& name : testdata_names()) {
        Module module = parse(read_testdata(name));
        std::string text = print(module);
        Module again = parse(text);
        EXPECT_EQ(difference(module, again), "") << name;
        EXPECT_EQ(print(again), text) << name;
        EXPECT_NE(module.entry(), nullptr) << name;
    }
}

TEST(Parser, LoadsAndStores) {
    Operation plain = first("%x = tt.load %p : !tt.ptr<f32>");
    EXPECT_EQ(plain.segments, (std::vector<int>{1, 0, 0}));
    EXPECT_EQ(keyword(plain, "cache"), "none");
    EXPECT_EQ(keyword(plain, "evict"), "evict_normal");
    EXPECT_FALSE(std::get<bool>(plain.attributes.at("isVolatile").v));
    EXPECT_FALSE(plain.attributes.contains("padding"));
    std::string pointers = "%q = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n";
    Module module = parse(
        around(pointers + "%x = tt.load %q, %m, %t cacheModifier = cg evictionPolicy = evict_last "
                          "{isVolatile = true} : tensor<64x!tt.ptr<f32>>\n"
                          "tt.store %q, %x, %m evictionPolicy = evict_first : tensor<64x!tt.ptr<f32>>"));
    const std::vector<Operation>& ops = module.functions[0].body.blocks[0].operations;
    EXPECT_EQ(ops[1].segments, (std::vector<int>{1, 1, 1}));
    EXPECT_EQ(keyword(ops[1], "cache"), "cg");
    EXPECT_EQ(keyword(ops[1], "evict"), "evict_last");
    EXPECT_TRUE(std::get<bool>(ops[1].attributes.at("isVolatile").v));
    EXPECT_EQ(ops[2].segments, (std::vector<int>{1, 1, 1}));
    EXPECT_EQ(keyword(ops[2], "evict"), "evict_first");
    EXPECT_TRUE(ops[2].results.empty());
}

TEST(Parser, BlockPointers) {
    Module module = parse(around(
        "%w = arith.constant 64 : i64\n%z = arith.constant 0 : i32\n"
        "%b = tt.make_tensor_ptr %p, [%w, %w], [%w, %w], [%z, %z] {order = array<i32: 1, 0>} : "
        "<tensor<16x8xf32>>\n"
        "%d = tt.advance %b, [%z, %z] : <tensor<16x8xf32>>\n"
        "%x = tt.load %d {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<16x8xf32>>\n"
        "tt.store %d, %x {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<16x8xf32>>"));
    const std::vector<Operation>& ops = module.functions[0].body.blocks[0].operations;
    EXPECT_EQ(ops[2].segments, (std::vector<int>{1, 2, 2, 2}));
    EXPECT_EQ(std::get<std::vector<int64_t>>(ops[2].attributes.at("order").v), (std::vector<int64_t>{1, 0}));
    EXPECT_EQ(ops[3].segments, (std::vector<int>{1, 2}));
    EXPECT_EQ(keyword(ops[4], "padding"), "nan");
    EXPECT_EQ(difference(module, parse(print(module))), "");
}

TEST(Parser, GenericFormIsTheSame) {
    auto same = [](const std::string& pretty, const std::string& generic) {
        EXPECT_EQ(difference(parse(around(pretty)), parse(around(generic))), "") << pretty;
    };
    same("%x = arith.cmpi slt, %n, %n : i32",
         "%x = \"arith.cmpi\"(%n, %n) <{predicate = 2 : i64}> : (i32, i32) -> i1");
    same("%x = arith.addf %f, %f : f32",
         "%x = \"arith.addf\"(%f, %f) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32");
    same("%x = arith.addf %f, %f fastmath<nnan,ninf> : f32",
         "%x = \"arith.addf\"(%f, %f) <{fastmath = #arith.fastmath<nnan,ninf>}> : (f32, f32) -> f32");
    same("%x = arith.muli %n, %n overflow<nsw> : i32",
         "%x = \"arith.muli\"(%n, %n) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32");
    same("%x = tt.get_program_id y : i32", "%x = \"tt.get_program_id\"() {axis = 1 : i32} : () -> i32");
    same("%x = tt.load %p : !tt.ptr<f32>",
         "%x = \"tt.load\"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!tt.ptr<f32>) -> f32");
    same("%x = arith.constant dense<[true, false]> : tensor<2xi1>",
         "%x = \"arith.constant\"() <{value = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>");
    same("%x = arith.constant false", "%x = \"arith.constant\"() <{value = false}> : () -> i1");
    same("%x = scf.if %c -> (f32) {\n scf.yield %f : f32\n} else {\n scf.yield %f : f32\n}",
         "%x = \"scf.if\"(%c) ({\n \"scf.yield\"(%f) : (f32) -> ()\n}, {\n scf.yield %f : f32\n}) : (i1) -> "
         "f32");
    same("scf.for %i = %n to %n step %n  : i32 {\n}",
         "\"scf.for\"(%n, %n, %n) ({\n^bb0(%i: i32):\n \"scf.yield\"() : () -> ()\n}) : (i32, i32, i32) -> "
         "()");
    same(
        "%a, %b = scf.while (%x = %f, %y = %n) : (f32, i32) -> (i32, f32) {\n scf.condition(%c) %y, %x : "
        "i32, f32\n} do {\n"
        "^bb0(%v: i32, %w: f32):\n scf.yield %w, %v : f32, i32\n}",
        "%a:2 = \"scf.while\"(%f, %n) ({\n^bb0(%x: f32, %y: i32):\n \"scf.condition\"(%c, %y, %x) : (i1, "
        "i32, f32) -> ()\n}, {\n"
        "^bb0(%v: i32, %w: f32):\n scf.yield %w, %v : f32, i32\n}) : (f32, i32) -> (i32, f32)");
    same("llvm.intr.assume %c : i1",
         "\"llvm.intr.assume\"(%c) <{op_bundle_sizes = array<i32>}> : (i1) -> ()");
}

TEST(Parser, BranchesWithArguments) {
    std::string pretty =
        "cf.cond_br %c, ^a(%f : f32), ^b\n^a(%x: f32):  // pred: ^bb0\n cf.br ^d(%x, %n : f32, i32)\n^b:\n"
        " cf.switch %n : i32, [\n default: ^d(%f, %n : f32, i32),\n -1: ^b2,\n 7: ^a(%f : f32)\n ]\n"
        "^b2:\n tt.return\n^d(%y: f32, %z: i32):";
    std::string generic =
        "\"cf.cond_br\"(%c, %f)[^a, ^b] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, f32) -> "
        "()\n^a(%x: f32):\n"
        " \"cf.br\"(%x, %n)[^d] : (f32, i32) -> ()\n^b:\n"
        " \"cf.switch\"(%n, %f, %n, %f)[^d, ^b2, ^a] <{case_operand_segments = array<i32: 0, 1>, case_values "
        "= dense<[-1, 7]> : "
        "tensor<2xi32>, operandSegmentSizes = array<i32: 1, 2, 1>}> : (i32, f32, i32, f32) -> ()\n"
        "^b2:\n tt.return\n^d(%y: f32, %z: i32):";
    Module module = parse(around(pretty));
    const Operation& branch = module.functions[0].body.blocks[0].operations[0];
    ASSERT_EQ(branch.successors.size(), 2u);
    EXPECT_EQ(branch.operands.size(), 1u);
    EXPECT_EQ(branch.successors[0].block, 1);
    EXPECT_EQ(branch.successors[0].arguments.size(), 1u);
    const Operation& choice = module.functions[0].body.blocks[2].operations[0];
    EXPECT_EQ(choice.successors[0].block, 4);
    EXPECT_EQ(choice.successors[1].block, 3);
    EXPECT_EQ(std::get<Dense>(choice.attributes.at("case_values").v).bits,
              (std::vector<uint64_t>{0xFFFFFFFF, 7}));
    EXPECT_EQ(difference(module, parse(around(generic))), "");
    EXPECT_EQ(difference(module, parse(print(module))), "");
}

TEST(Parser, ValuesMayBeUsedBeforeTheirBlockIsPrinted) {
    std::string text = around(
        "cf.br ^b\n^a:\n %s = arith.addf %r#1, %r#0 : f32\n tt.return\n^b:\n"
        " %r:2 = scf.if %c -> (f32, f32) {\n  scf.yield %f, %f : f32, f32\n } else {\n  scf.yield %f, %f : "
        "f32, f32\n }\n cf.br ^a",
        "", "");
    Module module = parse(text);
    EXPECT_EQ(difference(module, parse(print(module))), "");
    const Block& a = module.functions[0].body.blocks[1];
    const Block& b = module.functions[0].body.blocks[2];
    EXPECT_EQ(a.operations[0].operands,
              (std::vector<ValueId>{b.operations[0].results[1], b.operations[0].results[0]}));
    EXPECT_NE(error_of(around("%x = arith.addf %y, %f : f32")).find("%y#0 is not defined"),
              std::string::npos);
}

TEST(Parser, Constants) {
    auto bits = [](const std::string& text) {
        Operation op = first("%x = arith.constant " + text);
        const Attribute& value = op.attributes.at("value");
        if (const auto* real = std::get_if<TypedFloat>(&value.v)) return real->bits;
        if (const auto* dense = std::get_if<Dense>(&value.v)) return dense->bits.back();
        return static_cast<uint64_t>(std::get<TypedInt>(value.v).value);
    };
    EXPECT_EQ(bits("true"), 1u);
    EXPECT_EQ(bits("-3 : i8"), static_cast<uint64_t>(-3));
    EXPECT_EQ(bits("255 : i8"), static_cast<uint64_t>(-1));
    EXPECT_EQ(bits("-9223372036854775808 : i64"), uint64_t{1} << 63);
    EXPECT_EQ(bits("1.0 : f32"), 0x3F800000u);
    EXPECT_EQ(bits("1.000000e-01 : bf16"), 0x3DCDu);
    EXPECT_EQ(bits("0x7FC00000 : f32"), 0x7FC00000u);
    EXPECT_EQ(bits("0xFF : i8"), static_cast<uint64_t>(-1));
    EXPECT_EQ(bits("dense<-1> : tensor<4xi16>"), 0xFFFFu);
    EXPECT_EQ(bits("dense<0x7E00> : tensor<64xf16>"), 0x7E00u);
    EXPECT_EQ(bits("dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>"), 4u);
    EXPECT_EQ(bits("dense<\"0x0100000002000000\"> : tensor<2xi32>"), 2u);
    EXPECT_EQ(bits("dense<true> : tensor<4xi1>"), 1u);
    Module nested =
        parse(around("%x = arith.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi32>"));
    EXPECT_EQ(difference(nested, parse(print(nested))), "");
    EXPECT_NE(print(nested).find("dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]>"), std::string::npos);
}

TEST(Parser, SelectOfOneConditionAndOfMany) {
    Module module = parse(around(
        "%a = arith.select %c, %t, %t : tensor<64xf32>\n%b = arith.select %m, %t, %t : tensor<64xi1>, "
        "tensor<64xf32>\n"
        "%d = arith.select %m, %m, %m : tensor<64xi1>, tensor<64xi1>\n%e = arith.select %c, %c, %c : i1"));
    EXPECT_EQ(difference(module, parse(print(module))), "");
}

TEST(Parser, KeepsAttributesItDoesNotKnow) {
    Operation loop = first(
        "scf.for %i = %n to %n step %n  : i32 {\n} {tt.num_stages = 3 : i32, tt.flatten, tt.list = [1 : i32, "
        "\"x\"]}");
    EXPECT_EQ(number(loop, "tt.num_stages"), 3);
    EXPECT_TRUE(std::holds_alternative<Unit>(loop.attributes.at("tt.flatten").v));
    Module module =
        parse(around("scf.for %i = %n to %n step %n  : i32 {\n} {tt.num_stages = 3 : i32, tt.flatten, "
                     "tt.list = [1 : i32, \"x\"]}"));
    EXPECT_EQ(difference(module, parse(print(module))), "");
    Module foreign = parse(around("%x:2 = \"some.thing\"(%f, %n) <{a = 1 : i8}> ({\n^bb0(%y: i32):\n "
                                  "\"some.end\"() : () -> ()\n}) : (f32, i32) -> (f32, f32)")
                               .substr(0, 0) +
                           around("%x:2 = \"some.thing\"(%f, %n) {a = 1 : i8} : (f32, i32) -> (f32, f32)"));
    EXPECT_EQ(difference(foreign, parse(print(foreign))), "");
}

TEST(Parser, StringsAndNames) {
    std::string text = around("tt.assert %c, \"a \\\"b\\\" \\5C \\0A 100%\" : i1");
    Operation op = parse(text).functions[0].body.blocks[0].operations[0];
    EXPECT_EQ(std::get<std::string>(op.attributes.at("message").v), "a \"b\" \\ \n 100%");
    EXPECT_EQ(difference(parse(text), parse(print(parse(text)))), "");
    Module quoted =
        parse("tt.func public @\"odd name\"(%x-1.2$: i32 {\"odd.key!\" = 1 : i32}) { tt.return }");
    EXPECT_EQ(quoted.functions[0].name, "odd name");
    EXPECT_EQ(difference(quoted, parse(print(quoted))), "");
}

TEST(Parser, GenericModuleAndFunction) {
    Module generic = parse(
        "\"builtin.module\"() ({\n \"tt.func\"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {}], "
        "function_type = (!tt.ptr<f32>, i32) -> (), "
        "sym_name = \"k\", sym_visibility = \"public\"}> ({\n ^bb0(%p: !tt.ptr<f32>, %n: i32):\n  "
        "\"tt.return\"() : () -> ()\n }) "
        "{noinline = false} : () -> ()\n}) : () -> ()");
    Module pretty = parse(
        "module { tt.func public @k(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) attributes "
        "{noinline = false} { tt.return } }");
    EXPECT_EQ(difference(generic, pretty), "");
}

TEST(Parser, SaysWhatIsWrongAndWhere) {
    auto starts = [](const std::string& lines, const std::string& start, const std::string& part) {
        std::string found = error_of(around(lines));
        EXPECT_TRUE(found.starts_with(start)) << found;
        EXPECT_NE(found.find(part), std::string::npos) << found;
    };
    starts("%x = tt.loat %p : f32", "line 3, column 6", "unknown operation 'tt.loat'");
    starts("%x = arith.addf %n, %n : f32", "line 3, column 17", "%n has type i32 and is used as f32");
    starts("%x = arith.addf %n, %n : i32", "line 3, column 1", "wrong element type");
    starts("%x = arith.constant 300 : i8", "line 3, column 21", "does not fit i8");
    starts("%x = tt.get_program_id w : i32", "line 3, column 24", "'w' is not a axis");
    starts("%x = tt.reshape %t : tensor<64xf32> -> tensor<8x4xf32>", "line 3, column 1", "as many elements");
    starts("%n = arith.constant 1 : i32", "line 3, column 1", "defined twice");
    starts("%x = tt.splat %f : f32 -> tensor<2097152xf32>", "line 3, column 34", "limit is 1048576");
    starts("%x = tt.splat %f : f32 -> tensor<1024x2048xf32>", "line 3, column 39",
           "at most 1048576 elements");
    starts("%x:3 = scf.for %i = %n to %n step %n iter_args(%a = %f) -> (f32) : i32 {\n scf.yield %a : f32\n}",
           "line 3, column 1", "1 results");
    starts("\"arith.cmpi\"(%n, %n) : (i32, i32) -> i1", "line 3", "lacks its attribute predicate");
    starts("tt.return", "line 2", "not the last operation");
    starts("cf.br ^nowhere", "line 3, column 7", "no such block");
    starts("%x = arith.constant dense<[1, 2, 3]> : tensor<2xi32>", "line 3", "3 elements");
    EXPECT_NE(error_of("module {").find("expected"), std::string::npos);
    EXPECT_NE(error_of("").find("exactly one public function"), std::string::npos);
    EXPECT_NE(error_of("module { tt.func public @k() { tt.return } loc(#loc9) }").find("no alias #loc9"),
              std::string::npos);
}

}  // namespace
}  // namespace tritonsmith::ttir
