#include <numeric>

#include "ttir/analysis/effects.h"
#include "ttir/interp/interp_testing.h"

/// Races inside one program (lanes.h).
namespace tritonsmith::ttir {
namespace {

using testing::find;
using testing::Kernel;
using testing::values;

constexpr const char* kBarrier = "gpu.barrier\n";
constexpr const char* kReduceLanes = R"(%sum = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %add = arith.addi %a, %b : i32
    tt.reduce.return %add : i32
  }) : (tensor<64xi32>) -> i32
)";

/// A kernel over b0 (i32) and the scalar %c1; %i = pid*64 + [0, 64), %r = pid*64 + 63 - [0, 64), %pi and %pr
/// point there.
std::string kernel(const std::string& body) {
    return R"(module {
  tt.func public @k(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c64 = arith.constant 64 : i32
    %true = arith.constant true
    %pid = tt.get_program_id x : i32
    %base = arith.muli %pid, %c64 : i32
    %bases = tt.splat %base : i32 -> tensor<64xi32>
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %i = arith.addi %bases, %range : tensor<64xi32>
    %last = arith.constant dense<63> : tensor<64xi32>
    %back = arith.subi %last, %range : tensor<64xi32>
    %r = arith.addi %bases, %back : tensor<64xi32>
    %ps = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %pi = tt.addptr %ps, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %pr = tt.addptr %ps, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %qs = tt.splat %q : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %qi = tt.addptr %qs, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
)" + body + "\n    tt.return\n  }\n}\n";
}

struct Trial {
    explicit Trial(const std::string& body, int programs = 4) : k(kernel(body)), programs(programs) {
        std::vector<int32_t> numbers(static_cast<size_t>(64 * programs));
        std::iota(numbers.begin(), numbers.end(), 0);
        k.in(numbers);
        k.in(numbers);
    }
    /// "" or what the race is said to be.
    std::string race(int warps = 4, int threads = 1) {
        k.options.num_warps = warps;
        k.options.threads = threads;
        report = k.run(programs);
        EXPECT_EQ(report.unsupported, "");
        const Finding* f = find(report.findings, "race");
        if (f == nullptr) return "";
        return f->evidence.contains("same_program") ? "own: " + f->message : "other: " + f->message;
    }
    Kernel k;
    int programs;
    LaunchReport report;
};

bool own(const std::string& race) {
    return race.rfind("own: ", 0) == 0;
}

const std::string kLoad = "%v = tt.load %pi : tensor<64x!tt.ptr<i32>>\n";
const std::string kStore = "tt.store %pi, %v : tensor<64x!tt.ptr<i32>>\n";
const std::string kStoreReversed = "tt.store %pr, %v : tensor<64x!tt.ptr<i32>>\n";
const std::string kIota = "tt.store %pi, %i : tensor<64x!tt.ptr<i32>>\n";

TEST(Lanes, ABlockReversedInPlaceNeedsABarrier) {
    Trial bad(kLoad + kStoreReversed);
    EXPECT_TRUE(own(bad.race()));
    const Finding* f = find(bad.report.findings, "race");
    ASSERT_NE(f, nullptr);
    EXPECT_NE(f->message.find("another lane of this program reads"), std::string::npos) << f->message;
    EXPECT_EQ(f->evidence["lane"].get<int>() + f->evidence["other_lane"].get<int>(), 63);
    EXPECT_TRUE(own(bad.race(4, 3)));
    EXPECT_EQ(bad.race(1), "") << "one warp goes in step";
    EXPECT_EQ(Trial(kLoad + kBarrier + kStoreReversed).race(), "");
    EXPECT_EQ(Trial(kLoad + kReduceLanes + kStoreReversed).race(), "");
}

TEST(Lanes, TheSameLaneMayReadAndWriteAgain) {
    EXPECT_EQ(Trial(kLoad + kStore).race(), "");
    EXPECT_EQ(Trial(kLoad + kStore, 40).race(4, 4), "");
    EXPECT_EQ(Trial(kIota + kLoad + "tt.store %qi, %v : tensor<64x!tt.ptr<i32>>\n").race(), "");
    EXPECT_EQ(
        Trial(kLoad +
              "scf.for %n = %c0 to %c4 step %c1 : i32 {\n%w = tt.load %pi : tensor<64x!tt.ptr<i32>>\n"
              "%x = arith.addi %w, %i : tensor<64xi32>\ntt.store %pi, %x : tensor<64x!tt.ptr<i32>>\n}\n")
            .race(),
        "");
}

TEST(Lanes, WhatALaneStoredAnotherMayNotLoad) {
    const std::string load =
        "%v = tt.load %pr : tensor<64x!tt.ptr<i32>>\ntt.store %qi, %v : tensor<64x!tt.ptr<i32>>\n";
    EXPECT_TRUE(own(Trial(kIota + load).race()));
    EXPECT_EQ(Trial(kIota + kBarrier + load).race(), "");
    EXPECT_EQ(Trial(kIota + load).race(1), "");
}

TEST(Lanes, AnotherShapeIsAnotherLane) {
    const std::string tile = R"(%r8 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %rows = tt.expand_dims %r8 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %cols = tt.expand_dims %r8 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %c8 = arith.constant dense<8> : tensor<8x1xi32>
    %scaled = arith.muli %rows, %c8 : tensor<8x1xi32>
    %wide = tt.broadcast %scaled : tensor<8x1xi32> -> tensor<8x8xi32>
    %high = tt.broadcast %cols : tensor<1x8xi32> -> tensor<8x8xi32>
    %in = arith.addi %wide, %high : tensor<8x8xi32>
    %b8 = tt.splat %base : i32 -> tensor<8x8xi32>
    %at = arith.addi %b8, %in : tensor<8x8xi32>
    %ps8 = tt.splat %p : !tt.ptr<i32> -> tensor<8x8x!tt.ptr<i32>>
    %pt = tt.addptr %ps8, %at : tensor<8x8x!tt.ptr<i32>>, tensor<8x8xi32>
)";
    const std::string load =
        "%v = tt.load %pt : tensor<8x8x!tt.ptr<i32>>\ntt.store %pt, %v : tensor<8x8x!tt.ptr<i32>>\n";
    EXPECT_TRUE(own(Trial(tile + kIota + load).race()));
    EXPECT_EQ(Trial(tile + kIota + kBarrier + load).race(), "");
    EXPECT_EQ(Trial(tile + load).race(), "");
}

TEST(Lanes, TwoLanesOfOneStore) {
    const std::string half = R"(%two = arith.constant dense<2> : tensor<64xi32>
    %h = arith.divsi %i, %two : tensor<64xi32>
    %ph = tt.addptr %qs, %h : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
)";
    Trial different(half + "tt.store %ph, %i : tensor<64x!tt.ptr<i32>>\n", 1);
    EXPECT_TRUE(own(different.race()));
    EXPECT_EQ(Trial(half + "tt.store %ph, %h : tensor<64x!tt.ptr<i32>>\n", 1).race(), "") << "equal values";
}

TEST(Lanes, ARunOfOneStoreThatBeginsWhereAnotherLaneWasBefore) {
    // Lanes 16 to 63 store at 0 to 47, of which the first 16 are stored already: as in tiles that wrap
    // around.
    const std::string wrapped = R"(%sixteen = arith.constant dense<16> : tensor<64xi32>
    %low = arith.cmpi slt, %range, %sixteen : tensor<64xi32>
    %less = arith.subi %range, %sixteen : tensor<64xi32>
    %w = arith.select %low, %range, %less : tensor<64xi1>, tensor<64xi32>
    %pw = tt.addptr %qs, %w : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %twice = arith.addi %w, %w : tensor<64xi32>
)";
    EXPECT_EQ(Trial(wrapped + "tt.store %pw, %twice : tensor<64x!tt.ptr<i32>>\n", 1).race(), "");
    EXPECT_TRUE(own(Trial(wrapped + "tt.store %pw, %range : tensor<64x!tt.ptr<i32>>\n", 1).race()));
}

TEST(Lanes, AStoreInALoopByOtherLanesEachTime) {
    const std::string loop = R"(scf.for %n = %c0 to %c4 step %c1 : i32 {
      %ns = tt.splat %SHIFT : i32 -> tensor<64xi32>
      %x = arith.addi %range, %ns : tensor<64xi32>
      %qx = tt.addptr %qs, %x : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
      %y = arith.muli %x, %ns : tensor<64xi32>
      tt.store %qx, %y, %m : tensor<64x!tt.ptr<i32>>
    })";
    const auto text = [&](const std::string& shift) {
        std::string t =
            "%few = arith.constant dense<32> : tensor<64xi32>\n%m = arith.cmpi slt, %range, %few : "
            "tensor<64xi32>\n" +
            loop;
        return t.replace(t.find("%SHIFT"), 6, shift);
    };
    EXPECT_TRUE(own(Trial(text("%n"), 1).race()));
    EXPECT_EQ(Trial(text("%c4"), 1).race(), "");
}

TEST(Lanes, MemoryZeroedBeforeAtomicsNeedsABarrier) {
    const std::string zero =
        "%zero = arith.constant dense<0> : tensor<64xi32>\ntt.store %pi, %zero : tensor<64x!tt.ptr<i32>>\n";
    const std::string add =
        "%one = arith.constant dense<1> : tensor<64xi32>\n%all = arith.constant dense<true> : tensor<64xi1>\n"
        "%old = tt.atomic_rmw add, relaxed, gpu, %pr, %one, %all : (tensor<64x!tt.ptr<i32>>, tensor<64xi32>, "
        "tensor<64xi1>) -> tensor<64xi32>\n";
    EXPECT_TRUE(own(Trial(zero + add).race()));
    EXPECT_EQ(Trial(zero + kBarrier + add).race(), "");
    const std::string load =
        "%v = tt.load %pi : tensor<64x!tt.ptr<i32>>\ntt.store %qi, %v : tensor<64x!tt.ptr<i32>>\n";
    EXPECT_TRUE(own(Trial(add + load).race()));
    EXPECT_EQ(Trial(add + kBarrier + load).race(), "");
}

TEST(Lanes, ScalarsAreStoredByOneThreadAndLoadedByAll) {
    const std::string store =
        "%pb = tt.addptr %p, %base : !tt.ptr<i32>, i32\ntt.store %pb, %c4 : !tt.ptr<i32>\n";
    const std::string load =
        "%s = tt.load %pb : !tt.ptr<i32>\n%ss = tt.splat %s : i32 -> tensor<64xi32>\n"
        "tt.store %qi, %ss : tensor<64x!tt.ptr<i32>>\n";
    Trial scalars(store + load);
    EXPECT_EQ(scalars.race(), "");
    EXPECT_NE(find(scalars.report.warnings, "scalar_without_barrier"), nullptr);
    Trial ordered(store + kBarrier + load);
    EXPECT_EQ(ordered.race(), "");
    EXPECT_EQ(find(ordered.report.warnings, "scalar_without_barrier"), nullptr);
    EXPECT_TRUE(own(Trial("%pb = tt.addptr %p, %base : !tt.ptr<i32>, i32\n" + kIota + load).race()))
        << "an element of a block that was stored";
    EXPECT_EQ(Trial("%pb = tt.addptr %p, %base : !tt.ptr<i32>, i32\n" + kIota + kBarrier + load).race(), "");
}

/// Partial blocks in q; the program that counts to the number of programs loads those of all others.
std::string last_adds(const std::string& before_counting, const std::string& store,
                      const std::string& order) {
    return store + before_counting + "%n = tt.atomic_rmw add, " + order +
           R"(, gpu, %p, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %c3 = arith.constant 3 : i32
    %is_last = arith.cmpi eq, %n, %c3 : i32
    scf.if %is_last {
      %sum = scf.for %part = %c0 to %c4 step %c1 iter_args(%acc = %range) -> (tensor<64xi32>) : i32 {
        %off = arith.muli %part, %c64 : i32
        %offs = tt.splat %off : i32 -> tensor<64xi32>
        %at = arith.addi %offs, %range : tensor<64xi32>
        %pa = tt.addptr %qs, %at : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
        %x = tt.load %pa, %mask : tensor<64x!tt.ptr<i32>>
        %y = arith.addi %acc, %x : tensor<64xi32>
        scf.yield %y : tensor<64xi32>
      }
      tt.store %qi, %sum, %mask : tensor<64x!tt.ptr<i32>>
    })";
}

TEST(Lanes, AReleaseCoversOtherThreadsAfterABarrierOnly) {
    const std::string all = "%mask = arith.constant dense<true> : tensor<64xi1>\n",
                      first =
                          "%zeros = arith.constant dense<0> : tensor<64xi32>\n"
                          "%mask = arith.cmpi eq, %range, %zeros : tensor<64xi32>\n";
    const std::string
        block = all + "tt.store %qi, %i : tensor<64x!tt.ptr<i32>>\n",
        scalar = first + "%qb = tt.addptr %q, %base : !tt.ptr<i32>, i32\ntt.store %qb, %pid : !tt.ptr<i32>\n";
    for (int threads : {1, 3}) {
        const auto race = [&](const std::string& text) {
            Trial r(text);
            static_cast<int32_t*>(static_cast<void*>(r.k.buffers[0]->data()))[0] = 0;
            return r.race(4, threads);
        };
        EXPECT_EQ(race(last_adds(kBarrier, block, "acq_rel")), "");
        EXPECT_NE(race(last_adds("", block, "acq_rel")), "")
            << "thread 0 may count before the others have stored";
        EXPECT_EQ(race(last_adds("", scalar, "acq_rel")), "") << "the same thread stores and counts";
        EXPECT_NE(race(last_adds(kBarrier, block, "acquire")), "") << "nothing is released";
        EXPECT_NE(race(last_adds(kBarrier, block, "relaxed")), "");
        EXPECT_NE(race(last_adds("", scalar, "relaxed")), "");
    }
}

TEST(Lanes, DataWrittenAfterTheFlagIsNotReleased) {
    // Program 0 waits for program 1's flag and loads its data.
    const auto text = [](const std::string& producer) {
        return R"(%one = arith.cmpi eq, %pid, %c1 : i32
    %data = tt.addptr %q, %c4 : !tt.ptr<i32>, i32
    scf.if %one {
      )" + producer +
               R"(
    } else {
      %w = scf.while (%x = %c0) : (i32) -> (i32) {
        %seen = tt.atomic_rmw add, acquire, gpu, %p, %c0, %true : (!tt.ptr<i32>, i32, i1) -> i32
        %wait = arith.cmpi eq, %seen, %c0 : i32
        scf.condition(%wait) %seen : i32
      } do {
      ^bb0(%x: i32):
        scf.yield %x : i32
      }
      %v = tt.load %data : !tt.ptr<i32>
      tt.store %q, %v : !tt.ptr<i32>
    })";
    };
    const std::string
        flag = "%o = tt.atomic_rmw exch, release, gpu, %p, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32\n",
        data = "tt.store %data, %pid : !tt.ptr<i32>\n";
    for (int threads : {1, 2}) {
        for (int warps : {1, 4}) {
            Trial good(text(data + flag), 2);
            EXPECT_EQ(good.race(warps, threads), "") << warps;
            Trial bad(text(flag + data), 2);
            EXPECT_NE(bad.race(warps, threads), "") << warps;
        }
    }
}

TEST(Lanes, SmallerElementsElsewhereInTheKernel) {
    // A pointer to i8 makes one race word a byte: four for an element of p.
    const auto with_bytes = [](const std::string& body) {
        std::string text = kernel(body);
        text.replace(text.find("%q: !tt.ptr<i32>)"), 17, "%q: !tt.ptr<i32>, %flags: !tt.ptr<i8>)");
        Kernel k(text);
        k.in(std::vector<int32_t>{[] {
            std::vector<int32_t> v(256);
            std::iota(v.begin(), v.end(), 0);
            return v;
        }()});
        k.out<int32_t>(256);
        k.out<int8_t>(4);
        const LaunchReport r = k.run(4);
        return find(r.findings, "race") != nullptr;
    };
    EXPECT_FALSE(with_bytes(kLoad + kStore));
    EXPECT_TRUE(with_bytes(kLoad + kStoreReversed));
}

TEST(Effects, StoresThatAProgramRunsOnce) {
    const auto of = [](const std::string& body) { return parameter_effects(parse(kernel(body)))[0]; };
    EXPECT_EQ(of(kLoad).stores, 0);
    EXPECT_TRUE(of(kLoad).loads);
    EXPECT_EQ(of(kIota).stores, 1);
    EXPECT_FALSE(of(kIota).loads);
    EXPECT_EQ(of(kIota + kIota).stores, 2);
    EXPECT_EQ(of("scf.for %n = %c0 to %c4 step %c1 : i32 {\n" + kIota + "}\n").stores, 2);
    EXPECT_EQ(of("scf.if %true {\n" + kIota + "}\n").stores, 1);
}

TEST(Effects, ManyCallsOfCallsAreLookedAtOnce) {
    // 2^40 paths lead to the store.
    std::string text = "module {\n";
    for (int f = 0; f < 40; ++f) {
        const std::string next = "tt.call @f" + std::to_string(f + 1) + "(%p) : (!tt.ptr<i32>) -> ()\n";
        text += "tt.func " + std::string(f == 0 ? "public" : "private") + " @f" + std::to_string(f) +
                "(%p: !tt.ptr<i32>) {\n" + next + next + "tt.return\n}\n";
    }
    text +=
        "tt.func private @f40(%p: !tt.ptr<i32>) {\n%c = arith.constant 1 : i32\n"
        "tt.store %p, %c : !tt.ptr<i32>\ntt.return\n}\n}\n";
    const auto effects = parameter_effects(parse(text));
    EXPECT_TRUE(effects[0].writes);
    EXPECT_EQ(effects[0].stores, 2);
}

}  // namespace
}  // namespace tritonsmith::ttir
