#include "ttir/ir/location.h"

#include <gtest/gtest.h>

#include "ttir/parse/parser.h"
#include "ttir/parse/printer.h"

namespace tritonsmith::ttir {
namespace {

constexpr const char* kLocatedText = R"(
#loc = loc("/tmp/x/candidate.py":10:0)
module {
  tt.func public @k(%n: i32 loc("n"(#loc))) {
    %a = arith.addi %n, %n : i32 loc(#loc6)
    %b = arith.addi %n, %a : i32 loc(callsite(callsite("y"("standard.py":5:1) at "standard.py":9:2) at #loc2))
    %c = arith.addi %n, %b : i32 loc(unknown)
    %d = arith.addi %n, %c : i32
    %e = arith.addi %n, %d : i32 loc(fused["other.py":3:4, #loc2])
    %f = arith.addi %n, %e : i32 loc(fused<"merged">[#loc2, "/tmp/x/candidate.py":12:9])
    tt.return loc(#loc2)
  } loc(#loc)
} loc(#loc)
#loc1 = loc("/lib/triton/language/standard.py":263:15)
#loc2 = loc("/tmp/x/candidate.py":12:34)
#loc5 = loc("acc"(#loc1))
#loc6 = loc(callsite(#loc5 at #loc2))
)";

class Locations : public ::testing::Test {
  protected:
    const Module module_ = parse(kLocatedText);
    const Operation& op(size_t i) const { return module_.functions[0].body.blocks[0].operations[i]; }
};

TEST_F(Locations, InlinedFrames) {
    const Location& at = module_.locations.at(op(0).location);
    EXPECT_EQ(at.file, "/lib/triton/language/standard.py");
    EXPECT_EQ(at.line, 263);
    EXPECT_EQ(at.column, 15);
    EXPECT_EQ(at.name, "acc");
    ASSERT_EQ(at.callers.size(), 1u);
    EXPECT_EQ(at.callers[0].line, 12);
    const Location& deep = module_.locations.at(op(1).location);
    ASSERT_EQ(deep.callers.size(), 2u);
    EXPECT_EQ(deep.line, 5);
    EXPECT_EQ(deep.callers[0].line, 9);
    EXPECT_EQ(deep.callers[1].line, 12);
}

TEST_F(Locations, OwnFrame) {
    for (size_t i : {0, 1}) {
        const Location* own = own_frame(module_, op(i).location, "candidate.py");
        ASSERT_NE(own, nullptr);
        EXPECT_EQ(own->line, 12);
        EXPECT_EQ(own, own_frame(module_, op(i).location, "/tmp/x/candidate.py"));
    }
    EXPECT_EQ(own_frame(module_, op(2).location, "candidate.py"), nullptr);
    EXPECT_EQ(own_frame(module_, op(3).location, "candidate.py"), nullptr);
    EXPECT_EQ(op(3).location, -1);
    EXPECT_EQ(own_frame(module_, op(0).location, "date.py"), nullptr);
    EXPECT_EQ(own_frame(module_, op(0).location, ""), nullptr);
    EXPECT_EQ(own_frame(module_, 1000, "candidate.py"), nullptr);
}

TEST_F(Locations, FusedPositions) {
    EXPECT_EQ(module_.locations.at(op(4).location).file, "other.py");
    EXPECT_EQ(module_.locations.at(op(5).location).line, 12);
    EXPECT_EQ(module_.locations.at(op(5).location).column, 0);
}

TEST_F(Locations, SurvivePrinting) {
    Module again = parse(print(module_));
    EXPECT_TRUE(again.locations == module_.locations);
    EXPECT_EQ(again.functions[0].location, module_.functions[0].location);
}

std::string error_of_locations(const std::string& locations) {
    try {
        parse("module { tt.func public @k() { tt.return loc(#a0) } }\n" + locations);
    } catch (const ParseError& error) {
        return error.what();
    }
    return "no error";
}

TEST(LocationLimits, CirclesAndGrowthAreRefused) {
    EXPECT_NE(error_of_locations("#a0 = loc(\"x\"(#a0))").find("too deeply"), std::string::npos);
    EXPECT_NE(error_of_locations("#a0 = loc(callsite(#b at #b))\n#b = loc(callsite(#a0 at #a0))")
                  .find("too deeply"),
              std::string::npos);
    std::string doubling, fused;
    for (int i = 0; i < 60; ++i) {
        std::string from = std::to_string(i), to = std::to_string(i + 1);
        doubling += "#a" + from + " = loc(callsite(#a" + to + " at #a" + to + "))\n";
        fused += "#a" + from + " = loc(fused[#a" + to + ", #a" + to + "])\n";
    }
    std::string end = "#a60 = loc(\"f.py\":1:1)";
    EXPECT_NE(error_of_locations(doubling + end).find("too many inlined frames"), std::string::npos);
    EXPECT_NE(error_of_locations(fused + end).find("too much memory"), std::string::npos);
    EXPECT_NE(error_of_locations("#a0 = loc(\"f.py\":99999999999999999999:1)").find("too large"),
              std::string::npos);
    EXPECT_EQ(error_of_locations("#a0 = loc(\"f.py\":1:1)"), "no error");
}

}  // namespace
}  // namespace tritonsmith::ttir
