#include "ttir/footprint/data_constants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ttir/parse/parser.h"

namespace tritonsmith::ttir {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

/// Of a kernel that loads %v and %u, with a number %n.
DataConstants of(const std::string& body) {
    const Module module = parse(
        "module {\n tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: f32) {\n"
        "  %v = tt.load %x : !tt.ptr<f32>\n  %u = tt.load %y : !tt.ptr<f32>\n" +
        body + "  tt.return\n }\n}\n");
    return data_constants(module, {PointerArgument{}, PointerArgument{}, 3.0}, 8);
}

TEST(DataConstants, AComparisonWithANumberGivesItAsItWouldLieInMemory) {
    const DataConstants found = of(R"(  %two = arith.constant 2.0 : f32
  %w = arith.mulf %v, %two : f32
  %c = arith.cmpf ogt, %w, %n : f32
)");
    EXPECT_THAT(found.reals, Contains(1.5));
    EXPECT_FALSE(found.with_each_other);
}

TEST(DataConstants, TwoLoadedNumbersAreComparedWithEachOther) {
    EXPECT_TRUE(of("  %c = arith.cmpf oge, %v, %u : f32\n").with_each_other);
    const DataConstants difference = of(R"(  %zero = arith.constant 0.0 : f32
  %d = arith.subf %v, %u : f32
  %c = arith.cmpf ogt, %d, %zero : f32
)");
    EXPECT_TRUE(difference.with_each_other);
    const DataConstants none = of("  %s = arith.addf %v, %u : f32\n");
    EXPECT_FALSE(none.with_each_other);
    EXPECT_THAT(none.reals, IsEmpty());
}

}  // namespace
}  // namespace tritonsmith::ttir
