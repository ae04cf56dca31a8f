#include "ttir/footprint/program_classes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ttir/parse/parser.h"

namespace tritonsmith::ttir {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

/// A kernel of a pointer and a number, after whose `body` the number %w : i32 is stored.
Module storing(const std::string& body, const std::string& functions = "") {
    return parse(
        "module {\n tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {\n  %p = tt.get_program_id x : i32\n" +
        body + "  tt.store %x, %w : !tt.ptr<i32>\n  tt.return\n }\n" + functions + "}\n");
}

std::vector<int64_t> classes(const Module& module, std::array<int64_t, 3> grid, int64_t work = 60'000,
                             std::vector<int64_t>* places = nullptr) {
    const KnownMemory memory = [](size_t, int64_t offset, int) {
        return std::optional<uint64_t>(offset / 4 == 5);
    };
    Buffer x(4096, 0, "x");
    std::mt19937_64 random(3);
    std::vector<int64_t> out;
    for (const ProgramOfClass& one : programs_of_classes(
             module, grid, {PointerArgument{&x, 0}, int64_t{1000}}, memory, 16, work, random)) {
        out.push_back(one.program);
        if (places != nullptr)
            for (const auto& place : one.places) places->push_back(place.offset);
    }
    return out;
}

TEST(ProgramClasses, ProgramsThatAreAlikeAreOneClass) {
    EXPECT_THAT(classes(storing("  %w = arith.addi %p, %n : i32\n"), {16384, 1, 1}), IsEmpty());
    EXPECT_THAT(classes(storing("  %c = arith.cmpi slt, %n, %n : i32\n  %w = arith.extui %c : i1 to i32\n"),
                        {16384, 1, 1}),
                IsEmpty())
        << "the comparison does not depend on the program";
}

TEST(ProgramClasses, OneProgramByAComparison) {
    EXPECT_THAT(classes(storing(R"(  %k = arith.constant 9001 : i32
  %c = arith.cmpi eq, %p, %k : i32
  %w = arith.extui %c : i1 to i32
)"),
                        {16384, 1, 1}),
                Contains(9001));
}

TEST(ProgramClasses, OneProgramByItsBits) {
    EXPECT_THAT(classes(storing(R"(  %k = arith.constant 9001 : i32
  %zero = arith.constant 0 : i32
  %last = arith.constant 31 : i32
  %one = arith.constant 1 : i32
  %z = arith.xori %p, %k : i32
  %m = arith.subi %zero, %z : i32
  %o = arith.ori %z, %m : i32
  %s = arith.shrsi %o, %last : i32
  %w = arith.addi %s, %one : i32
)"),
                        {16384, 1, 1}),
                Contains(9001));
}

TEST(ProgramClasses, LanesAsFloats) {
    EXPECT_THAT(classes(storing(R"(  %b = arith.constant 1024 : i32
  %k = arith.constant dense<9.216002e+06> : tensor<1024xf32>
  %s = arith.muli %p, %b : i32
  %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %t = tt.splat %s : i32 -> tensor<1024xi32>
  %j = arith.addi %t, %i : tensor<1024xi32>
  %f = arith.sitofp %j : tensor<1024xi32> to tensor<1024xf32>
  %c = arith.cmpf oeq, %f, %k : tensor<1024xf32>
  %w = arith.addi %p, %n : i32
)"),
                        {16384, 1, 1}),
                Contains(9000));
}

TEST(ProgramClasses, ElementsWhereAnOutcomeChangesAreTold) {
    std::vector<int64_t> places;
    EXPECT_THAT(classes(storing(R"(  %w = arith.constant 1 : i32
  %b = arith.constant 64 : i32
  %k = arith.constant dense<130> : tensor<64xi32>
  %s = arith.muli %p, %b : i32
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %t = tt.splat %s : i32 -> tensor<64xi32>
  %j = arith.addi %t, %i : tensor<64xi32>
  %c = arith.cmpi eq, %j, %k : tensor<64xi32>
  %v = arith.extui %c : tensor<64xi1> to tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %xa = tt.addptr %xs, %j : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %xa, %v : tensor<64x!tt.ptr<i32>>
)"),
                        {16, 1, 1}, 60'000, &places),
                Contains(2));
    EXPECT_THAT(places, Contains(4 * 130));
}

TEST(ProgramClasses, AFunctionDecides) {
    EXPECT_THAT(
        classes(storing("  %c = tt.call @chosen(%p) : (i32) -> i1\n  %w = arith.extui %c : i1 to i32\n",
                        R"( tt.func private @chosen(%q: i32) -> i1 {
  %k = arith.constant 9001 : i32
  %d = arith.cmpi eq, %q, %k : i32
  tt.return %d : i1
 }
)"),
                {16384, 1, 1}),
        Contains(9001));
}

TEST(ProgramClasses, OneRoundOfALoop) {
    const Module module = storing(R"(  %zero = arith.constant 0 : i32
  %last = arith.constant 16384 : i32
  %k = arith.constant 9001 : i32
  %step = tt.get_num_programs x : i32
  %w = scf.for %t = %p to %last step %step iter_args(%a = %zero) -> (i32) : i32 {
   %c = arith.cmpi eq, %t, %k : i32
   %e = arith.extui %c : i1 to i32
   %s = arith.addi %a, %e : i32
   scf.yield %s : i32
  }
)");
    EXPECT_THAT(classes(module, {128, 1, 1}), Contains(9001 % 128));
}

TEST(ProgramClasses, OneRoundOfAWhileLoop) {
    const Module module = storing(R"(  %last = arith.constant 16384 : i32
  %k = arith.constant 9001 : i32
  %step = tt.get_num_programs x : i32
  %w = scf.while (%t = %p) : (i32) -> i32 {
   %m = arith.cmpi slt, %t, %last : i32
   scf.condition(%m) %t : i32
  } do {
  ^bb0(%u: i32):
   %c = arith.cmpi eq, %u, %k : i32
   %next = arith.addi %u, %step : i32
   scf.yield %next : i32
  }
)");
    EXPECT_THAT(classes(module, {128, 1, 1}), Contains(9001 % 128));
}

/// A store in each of 64 rounds, at 4 times the number of the round; `body` makes of %t what chooses.
std::string rounds(const std::string& body) {
    return R"(  %zero = arith.constant 0 : i32
  %w = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %k = arith.constant 41 : i32
  %last = arith.constant 64 : i32
)" + body;
}

TEST(ProgramClasses, ElementsOfTheRoundThatACounterChoosesAndOfTheNextAreTold) {
    std::vector<int64_t> places;
    EXPECT_THAT(classes(storing(rounds(R"(  scf.for %t = %zero to %last step %one : i32 {
   %c = arith.cmpi eq, %t, %k : i32
   %e = arith.extui %c : i1 to i32
   %a = tt.addptr %x, %t : !tt.ptr<i32>, i32
   tt.store %a, %e : !tt.ptr<i32>
  }
)")),
                        {16, 1, 1}, 60'000, &places),
                ::testing::Not(IsEmpty()));
    EXPECT_THAT(places, ::testing::AllOf(Contains(4 * 41), Contains(4 * 42)));
}

TEST(ProgramClasses, ElementsOfTheRoundThatAWhileLoopChoosesAreTold) {
    std::vector<int64_t> places;
    (void)classes(storing(rounds(R"(  %end = scf.while (%t = %zero) : (i32) -> i32 {
   %m = arith.cmpi slt, %t, %last : i32
   scf.condition(%m) %t : i32
  } do {
  ^bb0(%u: i32):
   %c = arith.cmpi eq, %u, %k : i32
   %e = arith.extui %c : i1 to i32
   %a = tt.addptr %x, %u : !tt.ptr<i32>, i32
   tt.store %a, %e : !tt.ptr<i32>
   %next = arith.addi %u, %one : i32
   scf.yield %next : i32
  }
)")),
                  {16, 1, 1}, 60'000, &places);
    EXPECT_THAT(places, ::testing::AllOf(Contains(4 * 41), Contains(4 * 42)));
}

TEST(ProgramClasses, RoundsThatAreAlikeAreOneClass) {
    std::vector<int64_t> places;
    EXPECT_THAT(classes(storing(rounds(R"(  scf.for %t = %zero to %last step %one : i32 {
   %a = tt.addptr %x, %t : !tt.ptr<i32>, i32
   tt.store %a, %n : !tt.ptr<i32>
  }
)")),
                        {16, 1, 1}, 60'000, &places),
                IsEmpty());
}

TEST(ProgramClasses, WhatALoopMakesOfTheNumber) {
    // c = 3 c + 1 or c / 2, eight times: few programs end where 777 does.
    const auto last = [](int64_t c) {
        for (int i = 0; i < 8; i++) c = c % 2 == 0 ? c / 2 : 3 * c + 1;
        return c;
    };
    const Module module = storing("  %k = arith.constant " + std::to_string(last(777)) + R"( : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %eight = arith.constant 8 : i32
  %s = scf.for %t = %zero to %eight step %one iter_args(%c = %p) -> (i32) : i32 {
   %r = arith.remsi %c, %two : i32
   %e = arith.cmpi eq, %r, %zero : i32
   %h = arith.divsi %c, %two : i32
   %m = arith.muli %c, %three : i32
   %o = arith.addi %m, %one : i32
   %d = arith.select %e, %h, %o : i32
   scf.yield %d : i32
  }
  %f = arith.cmpi eq, %s, %k : i32
  %w = arith.extui %f : i1 to i32
)");
    std::vector<int64_t> all;
    for (int64_t p = 0; p < 2048; p++)
        if (last(p) == last(777)) all.push_back(p);
    ASSERT_LT(all.size(), 40u);
    EXPECT_THAT(classes(module, {2048, 1, 1}, 400'000), Contains(::testing::AnyOfArray(all)));
}

TEST(ProgramClasses, NumbersFromKnownMemory) {
    // x[p] is one for program 5 alone.
    EXPECT_THAT(classes(storing(R"(  %a = tt.addptr %x, %p : !tt.ptr<i32>, i32
  %v = tt.load %a : !tt.ptr<i32>
  %k = arith.constant 1 : i32
  %c = arith.cmpi eq, %v, %k : i32
  %w = arith.extui %c : i1 to i32
)"),
                        {64, 1, 1}),
                Contains(5));
}

TEST(ProgramClasses, UnknownNumbersAreNoClasses) {
    EXPECT_THAT(classes(storing(R"(  %v = tt.load %x : !tt.ptr<i32>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %s = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %a = tt.addptr %s, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %b = tt.load %a : tensor<64x!tt.ptr<i32>>
  %q = tt.splat %p : i32 -> tensor<64xi32>
  %c = arith.cmpi slt, %b, %q : tensor<64xi32>
  %w = arith.addi %v, %p : i32
)"),
                        {16384, 1, 1}),
                IsEmpty());
}

}  // namespace
}  // namespace tritonsmith::ttir
