#include "ttir/footprint/footprint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ttir/analysis/lane_range.h"
#include "ttir/interp/interp_testing.h"
#include "ttir/parse/parser.h"

namespace tritonsmith::ttir {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Kernel;
using Programs = std::vector<int64_t>;

/// A kernel under test with its module, and what the footprint says of it.
struct Traced : Kernel {
    explicit Traced(const std::string& text) : Kernel(text), module(parse(text)) {}

    Footprint footprint(std::array<int64_t, 3> grid) {
        std::set<const Buffer*> all;
        for (const auto& buffer : buffers) all.insert(buffer.get());
        return {module, grid, arguments, all};
    }
    Programs writers(std::array<int64_t, 3> grid, const Buffer& buffer, int64_t begin, int64_t end) {
        Footprint f = footprint(grid);
        EXPECT_TRUE(f.followed());
        BufferBytes bytes;
        bytes[&buffer].add(begin, end);
        int64_t work = 1 << 22;
        auto found = f.writers(bytes, 1 << 20, work);
        EXPECT_TRUE(found);
        return found.value_or(Programs{});
    }
    /// Runs every program alone on fresh memory: the bytes it writes are those of its footprint, and no
    /// others.
    void expect_exact(std::array<int64_t, 3> grid, size_t output) {
        Footprint f = footprint(grid);
        ASSERT_TRUE(f.followed());
        for (int64_t p = 0; p < grid[0] * grid[1] * grid[2]; p++) {
            Buffer& old = *buffers[output];
            Buffer fresh(old.bytes(), old.address(), "fresh");
            std::vector<Argument> now = arguments;
            std::get<PointerArgument>(now[output]).buffer = &fresh;
            options.sample = Programs{p};
            options.unknown_memory = true;
            const LaunchReport report = program.launch(grid, now, options);
            ASSERT_THAT(report.findings, IsEmpty());
            ByteRanges written;
            for (int64_t i = 0; i < fresh.bytes(); i++)
                if (fresh.written()[i] != 0) written.add(i, i + 1);
            EXPECT_EQ(f.of(p).written[&old].ranges(), written.ranges()) << "program " << p;
        }
    }

    Module module;
};

/// Rows of `n` columns in blocks of 64: program p stores row p, all of it in one block.
const char* const kRows = R"(module {
 tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %p = tt.get_program_id x : i32
  %r = arith.muli %p, %n : i32
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %nn = tt.splat %n : i32 -> tensor<64xi32>
  %m = arith.cmpi slt, %i, %nn : tensor<64xi32>
  %xr = tt.addptr %x, %r : !tt.ptr<f32>, i32
  %xs = tt.splat %xr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %xa = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %xa, %m : tensor<64x!tt.ptr<f32>>
  %yr = tt.addptr %y, %r : !tt.ptr<f32>, i32
  %ys = tt.splat %yr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %ya = tt.addptr %ys, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %ya, %v, %m : tensor<64x!tt.ptr<f32>>
  tt.return
 }
})";

TEST(Footprint, MaskedRowsDoNotReachIntoTheNext) {
    Traced k(kRows);
    k.in(std::vector<float>(500, 1.0f));
    k.out<float>(500);
    k.arg(int64_t{50});
    k.expect_exact({10, 1, 1}, 1);
    EXPECT_THAT(k.writers({10, 1, 1}, *k.buffers[1], 200, 400), ElementsAre(1));
    EXPECT_THAT(k.writers({10, 1, 1}, *k.buffers[1], 396, 404), ElementsAre(1, 2));
    EXPECT_THAT(k.writers({10, 1, 1}, *k.buffers[0], 0, 2000), IsEmpty());
    const Footprint::Bytes bytes = k.footprint({10, 1, 1}).of(3);
    EXPECT_THAT(bytes.read.at(k.buffers[0].get()).ranges(), ElementsAre(ByteRange{600, 800}));
}

TEST(Footprint, WhatAllProgramsMayWrite) {
    Traced k(kRows);
    k.in(std::vector<float>(500, 1.0f));
    k.out<float>(500);
    k.arg(int64_t{50});
    const Buffer* out = k.buffers[1].get();
    EXPECT_THAT(k.footprint({8, 1, 1}).written_by_all(1)[out].ranges(), ElementsAre(ByteRange{0, 1600}))
        << "one box";
    EXPECT_THAT(k.footprint({8, 1, 1}).written_by_all(1 << 20)[out].ranges(),
                ElementsAre(ByteRange{0, 1600}));
}

/// A split product's addresses: pid // splits is the tile (8 columns of tiles of 16×32 in rows of 256), and
/// what pid % splits is does not matter.
const char* const kSplit = R"(module {
 tt.func public @k(%y: !tt.ptr<f32>, %splits: i32, %columns: i32) {
  %eight = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %v = arith.constant dense<1.0> : tensor<16x32xf32>
  %p = tt.get_program_id x : i32
  %tile = arith.divsi %p, %splits : i32
  %split = arith.remsi %p, %splits : i32
  %tm = arith.divsi %tile, %eight : i32
  %tn = arith.remsi %tile, %eight : i32
  %m0 = arith.muli %tm, %c16 : i32
  %n0 = arith.muli %tn, %c32 : i32
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %j = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %ms = tt.splat %m0 : i32 -> tensor<16xi32>
  %ns = tt.splat %n0 : i32 -> tensor<32xi32>
  %mi = arith.addi %ms, %i : tensor<16xi32>
  %nj = arith.addi %ns, %j : tensor<32xi32>
  %me = tt.expand_dims %mi {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ne = tt.expand_dims %nj {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %cs = tt.splat %columns : i32 -> tensor<16x1xi32>
  %rows = arith.muli %me, %cs : tensor<16x1xi32>
  %rb = tt.broadcast %rows : tensor<16x1xi32> -> tensor<16x32xi32>
  %cb = tt.broadcast %ne : tensor<1x32xi32> -> tensor<16x32xi32>
  %o = arith.addi %rb, %cb : tensor<16x32xi32>
  %s = tt.splat %y : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
  %a = tt.addptr %s, %o : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
  %old = tt.atomic_rmw fadd, relaxed, gpu, %a, %v : (tensor<16x32x!tt.ptr<f32>>, tensor<16x32xf32>) -> tensor<16x32xf32>
  tt.return
 }
})";

TEST(Footprint, TilesOfASplitProductAreFoundByTheirRows) {
    Traced k(kSplit);
    k.out<float>(64 * 256);
    k.arg(int64_t{4});
    k.arg(int64_t{256});
    k.expect_exact({4 * 4 * 8, 1, 1}, 0);
    // Row 17, columns 40 to 42: tile (1, 1).
    EXPECT_THAT(k.writers({128, 1, 1}, *k.buffers[0], (17 * 256 + 40) * 4, (17 * 256 + 42) * 4),
                ElementsAre(36, 37, 38, 39));
    // The result of the addition is dropped: nothing is read.
    EXPECT_THAT(k.footprint({128, 1, 1}).of(5).read, IsEmpty());
}

/// Tiles p, p + programs, … below n, through a pointer that moves, and a loop that does not matter.
const char* const kPersistent = R"(module {
 tt.func public @k(%y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %v = arith.constant dense<1.0> : tensor<16xf32>
  %p = tt.get_program_id x : i32
  %g = tt.get_num_programs x : i32
  %o = arith.muli %p, %c16 : i32
  %go = arith.muli %g, %c16 : i32
  %b = tt.addptr %y, %o : !tt.ptr<f32>, i32
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %s = tt.splat %b : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %a = tt.addptr %s, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %gs = tt.splat %go : i32 -> tensor<16xi32>
  %r:2 = scf.for %t = %p to %n step %g iter_args(%at = %a, %w = %v) -> (tensor<16x!tt.ptr<f32>>, tensor<16xf32>) : i32 {
    %w2 = scf.for %u = %c0 to %c16 step %c1 iter_args(%z = %w) -> (tensor<16xf32>) : i32 {
      %z2 = arith.addf %z, %v : tensor<16xf32>
      scf.yield %z2 : tensor<16xf32>
    }
    tt.store %at, %w2 : tensor<16x!tt.ptr<f32>>
    %next = tt.addptr %at, %gs : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    scf.yield %next, %w2 : tensor<16x!tt.ptr<f32>>, tensor<16xf32>
  }
  tt.return
 }
})";

TEST(Footprint, LoopsAreRunForOneProgramAndBoundedForMany) {
    Traced k(kPersistent);
    k.out<float>(16 * 100);
    k.arg(int64_t{100});
    k.expect_exact({7, 1, 1}, 0);
    EXPECT_THAT(k.writers({7, 1, 1}, *k.buffers[0], 64 * 50, 64 * 50 + 4), ElementsAre(1));
    // Too many rounds to run: all at once, from the first tile on.
    Traced many(kPersistent);
    many.out<float>(16 * 100000);
    many.arg(int64_t{100000});
    EXPECT_THAT(many.footprint({2, 1, 1}).of(1).written[many.buffers[0].get()].ranges(),
                ElementsAre(ByteRange{64, 6400000}));
}

TEST(Footprint, AnAddressFromMemoryIsAnywhere) {
    Traced k(R"(module {
 tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<f32>, %z: !tt.ptr<f32>) {
  %v = arith.constant 1.0 : f32
  %p = tt.get_program_id x : i32
  %xp = tt.addptr %x, %p : !tt.ptr<i32>, i32
  %i = tt.load %xp : !tt.ptr<i32>
  %yp = tt.addptr %y, %i : !tt.ptr<f32>, i32
  tt.store %yp, %v : !tt.ptr<f32>
  %zp = tt.addptr %z, %p : !tt.ptr<f32>, i32
  tt.store %zp, %v : !tt.ptr<f32>
  tt.return
 }
})");
    k.in(std::vector<int32_t>(8, 1));
    k.out<float>(8);
    k.out<float>(8);
    Footprint::Bytes bytes = k.footprint({8, 1, 1}).of(2);
    EXPECT_THAT(bytes.written[k.buffers[1].get()].ranges(), ElementsAre(ByteRange{0, 32}));
    EXPECT_THAT(bytes.written[k.buffers[2].get()].ranges(), ElementsAre(ByteRange{8, 12}));
    EXPECT_THAT(bytes.read[k.buffers[0].get()].ranges(), ElementsAre(ByteRange{8, 12}));
    EXPECT_EQ(k.writers({8, 1, 1}, *k.buffers[1], 0, 4).size(), 8u);
    BufferBytes some;
    some[k.buffers[1].get()].add(0, 4);
    int64_t work = 1 << 20, little = 10;
    Footprint f = k.footprint({8, 1, 1});
    EXPECT_FALSE(f.writers(some, 7, work));
    EXPECT_FALSE(f.writers(some, 8, little));
}

TEST(Footprint, BranchesAreTakenWhereTheyMustBe) {
    Traced k(R"(module {
 tt.func public @k(%y: !tt.ptr<f32>, %q: i32) {
  %v = arith.constant 1.0 : f32
  %c4 = arith.constant 4 : i32
  %p = tt.get_program_id x : i32
  %first = arith.cmpi slt, %p, %c4 : i32
  %o = scf.if %first -> (i32) {
    scf.yield %p : i32
  } else {
    %yp = tt.addptr %y, %q : !tt.ptr<f32>, i32
    tt.store %yp, %v : !tt.ptr<f32>
    %two = arith.addi %p, %c4 : i32
    scf.yield %two : i32
  }
  %a = tt.addptr %y, %o : !tt.ptr<f32>, i32
  tt.store %a, %v : !tt.ptr<f32>
  tt.return
 }
})");
    k.out<float>(32);
    k.arg(int64_t{20});
    k.expect_exact({8, 1, 1}, 0);
    EXPECT_THAT(k.writers({8, 1, 1}, *k.buffers[0], 80, 84), ElementsAre(4, 5, 6, 7));
    EXPECT_THAT(k.writers({8, 1, 1}, *k.buffers[0], 12, 36), ElementsAre(3, 4));
}

/// Lanes 0 … 7 of base + 3·i.
LaneRange stepped(int64_t low, int64_t high) {
    LaneRange r = LaneRange::between(low, high);
    r.step[0] = 3;
    return r;
}

/// Each operation on all values that the ranges stand for stays within the range of its result.
TEST(LaneRange, HoldsEveryResult) {
    const std::vector<int64_t> shape{8};
    const std::vector<LaneRange> some{LaneRange::exactly(0),      LaneRange::exactly(5),
                                      LaneRange::exactly(-3),     LaneRange::exactly(7),
                                      LaneRange::between(2, 6),   LaneRange::between(-4, 3),
                                      LaneRange::between(-9, -6), stepped(1, 2),
                                      stepped(-20, -18)};
    const std::map<std::string, int64_t (*)(int64_t, int64_t)> operations{
        {"arith.addi", [](int64_t a, int64_t b) { return a + b; }},
        {"arith.subi", [](int64_t a, int64_t b) { return a - b; }},
        {"arith.muli", [](int64_t a, int64_t b) { return a * b; }},
        {"arith.divsi", [](int64_t a, int64_t b) { return b == 0 ? INT64_MAX : a / b; }},
        {"arith.remsi", [](int64_t a, int64_t b) { return b == 0 ? INT64_MAX : a % b; }},
        {"arith.minsi", [](int64_t a, int64_t b) { return std::min(a, b); }},
        {"arith.maxsi", [](int64_t a, int64_t b) { return std::max(a, b); }},
        {"arith.andi", [](int64_t a, int64_t b) { return a & b; }},
        {"arith.ori", [](int64_t a, int64_t b) { return a | b; }},
        {"arith.xori", [](int64_t a, int64_t b) { return a ^ b; }},
        {"arith.shli", [](int64_t a, int64_t b) { return b < 0 ? INT64_MAX : a << b; }},
        {"arith.shrsi", [](int64_t a, int64_t b) { return b < 0 ? INT64_MAX : a >> b; }}};
    for (const auto& [name, run] : operations)
        for (const LaneRange& a : some)
            for (const LaneRange& b : some) {
                const LaneRange r = arithmetic(integer_op(name), a, b, shape);
                if (!r.known) continue;
                for (int64_t lane = 0; lane < 8; lane++)
                    for (int64_t x = a.low; x <= a.high; x++)
                        for (int64_t y = b.low; y <= b.high; y++) {
                            const int64_t v = run(x + a.step[0] * lane, y + b.step[0] * lane);
                            if (v == INT64_MAX) continue;
                            ASSERT_LE(r.low + r.step[0] * lane, v)
                                << name << " lane " << lane << ' ' << x << ' ' << y;
                            ASSERT_GE(r.high + r.step[0] * lane, v)
                                << name << " lane " << lane << ' ' << x << ' ' << y;
                        }
            }
}

TEST(LaneRange, WindowsOfComparisonsHoldWhatIsTrue) {
    const std::vector<int64_t> shape{8};
    for (const char* keyword : {"slt", "sle", "sgt", "sge", "eq", "ne"})
        for (int64_t step : {-2, 0, 1, 3})
            for (int64_t base = -10; base < 30; base++) {
                LaneRange a = LaneRange::exactly(base);
                a.step[0] = step;
                const LaneRange truth = compared(comparison(keyword), a, LaneRange::exactly(9), shape);
                for (int64_t lane = 0; lane < 8; lane++) {
                    const int64_t v = base + step * lane;
                    const std::string_view k = keyword;
                    const bool is = k == "slt"   ? v < 9
                                    : k == "sle" ? v <= 9
                                    : k == "sgt" ? v > 9
                                    : k == "sge" ? v >= 9
                                    : k == "eq"  ? v == 9
                                                 : v != 9;
                    ASSERT_LE(truth.low, is ? 1 : 0);
                    ASSERT_GE(truth.high, is ? 1 : 0);
                    if (is && truth.windowed) {
                        ASSERT_GE(lane, truth.window.from[0]) << keyword << ' ' << base << ' ' << step;
                        ASSERT_LT(lane, truth.window.to[0]) << keyword << ' ' << base << ' ' << step;
                    }
                }
            }
}

TEST(ByteRanges, AreKeptInOrderAndMeet) {
    ByteRanges a;
    a.add(10, 20);
    a.add(0, 4);
    a.add(18, 30);
    a.add(5, 5);
    EXPECT_THAT(a.ranges(), ElementsAre(ByteRange{0, 4}, ByteRange{10, 30}));
    EXPECT_EQ(a.bytes(), 24);
    EXPECT_TRUE(a.contains(12, 30));
    EXPECT_FALSE(a.contains(2, 5));
    ByteRanges b;
    b.add(4, 10);
    b.add(30, 40);
    EXPECT_FALSE(a.meets(b));
    b.add(9, 11);
    EXPECT_TRUE(a.meets(b));
    EXPECT_TRUE(b.meets(a));
}

}  // namespace
}  // namespace tritonsmith::ttir
