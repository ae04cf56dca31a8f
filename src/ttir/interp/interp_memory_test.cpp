#include <atomic>
#include <numeric>

#include "ttir/interp/interp_testing.h"

namespace tritonsmith::ttir {
namespace {

using testing::find;
using testing::Kernel;
using testing::values;

/// o[pid*64 + i] = x[pid*64 + i + shift] + 1 where pid*64 + i < n; with locations.
std::string shifted(const std::string& extra_mask = "") {
    return R"(#loc = loc("kernel.py":1:0)
module {
  tt.func public @k(%x: !tt.ptr<f32> loc("x"(#loc)), %o: !tt.ptr<f32> loc("o"(#loc)), %n: i32 loc("n"(#loc)), %shift: i32 loc("shift"(#loc))) {
    %one = arith.constant dense<1.0> : tensor<64xf32> loc(#loc)
    %c64 = arith.constant 64 : i32 loc(#loc)
    %pid = tt.get_program_id x : i32 loc(#loc2)
    %base = arith.muli %pid, %c64 : i32 loc(#loc2)
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32> loc(#loc2)
    %b = tt.splat %base : i32 -> tensor<64xi32> loc(#loc2)
    %i = arith.addi %b, %r : tensor<64xi32> loc(#loc2)
    %ns = tt.splat %n : i32 -> tensor<64xi32> loc(#loc2)
    %m = arith.cmpi slt, %i, %ns : tensor<64xi32> loc(#loc2)
    %ss = tt.splat %shift : i32 -> tensor<64xi32> loc(#loc3)
    %j = arith.addi %i, %ss : tensor<64xi32> loc(#loc3)
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>> loc(#loc3)
    %xp = tt.addptr %xs, %j : tensor<64x!tt.ptr<f32>>, tensor<64xi32> loc(#loc3)
    %v = tt.load %xp, %m : tensor<64x!tt.ptr<f32>> loc(#loc3)
    %w = arith.addf %v, %one : tensor<64xf32> loc(#loc3)
    %os = tt.splat %o : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>> loc(#loc4)
    %op = tt.addptr %os, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32> loc(#loc4)
    tt.store %op, %w, %m : tensor<64x!tt.ptr<f32>> loc(#loc4)
    tt.return loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc2 = loc("kernel.py":2:4)
#loc3 = loc("kernel.py":3:8)
#loc4 = loc("kernel.py":4:8)
)" + extra_mask;
}

TEST(Bounds, LastElementIsFine) {
    Kernel k(shifted());
    std::vector<float> x(1000);
    std::iota(x.begin(), x.end(), 0.0f);
    k.in(x);
    Buffer& out = k.out<float>(1000);
    k.arg(int64_t{1000});
    k.arg(int64_t{0});
    const LaunchReport r = k.clean(16);
    EXPECT_EQ(values<float>(out)[999], 1000.0f);
    EXPECT_EQ(r.bytes_read, 4000);
    EXPECT_EQ(r.bytes_written, 4000);
    EXPECT_EQ(r.flops, 16 * 64);
}

TEST(Bounds, OneBeyondIsFoundWithLineElementAndExtent) {
    Kernel k(shifted());
    k.in(std::vector<float>(1000, 1.0f));
    k.out<float>(1000);
    k.arg(int64_t{1000});
    k.arg(int64_t{1});
    const LaunchReport r = k.run(16);
    const Finding* f = find(r.findings, "out_of_bounds");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->line, 3);
    EXPECT_EQ(f->evidence["element"], 1000);
    EXPECT_EQ(f->evidence["extent"], 1000);
    EXPECT_EQ(f->evidence["buffer"], "b0");
    EXPECT_EQ(f->evidence["offset"], 4000);
    EXPECT_EQ(f->evidence["program"], Json({15, 0, 0}));
    EXPECT_EQ(f->evidence["lane"], 39);
    EXPECT_NE(f->message.find("line 3: load through xp at element 1000 of 1000"), std::string::npos)
        << f->message;
}

TEST(Bounds, StoresAndNegativeOffsets) {
    Kernel k(shifted());
    k.in(std::vector<float>(1024, 1.0f));
    k.out<float>(1000);
    k.arg(int64_t{1024});
    k.arg(int64_t{0});
    const LaunchReport store = k.run(16);
    ASSERT_NE(find(store.findings, "out_of_bounds"), nullptr);
    EXPECT_EQ(find(store.findings, "out_of_bounds")->line, 4);
    EXPECT_EQ(find(store.findings, "out_of_bounds")->evidence["element"], 1000);
    Kernel n(shifted());
    n.in(std::vector<float>(64, 1.0f));
    n.out<float>(64);
    n.arg(int64_t{64});
    n.arg(int64_t{-1});
    const LaunchReport before = n.run(1);
    ASSERT_NE(find(before.findings, "out_of_bounds"), nullptr);
    EXPECT_EQ(find(before.findings, "out_of_bounds")->evidence["element"], -1);
}

TEST(Bounds, ArgumentOffsetsCount) {
    Kernel k(shifted());
    k.in(std::vector<float>(128, 2.0f));
    Buffer& out = k.out<float>(128);
    std::get<PointerArgument>(k.arguments[0]).offset = 256;
    std::get<PointerArgument>(k.arguments[1]).offset = 256;
    k.arg(int64_t{64});
    k.arg(int64_t{0});
    k.clean(1);
    EXPECT_EQ(values<float>(out)[64], 3.0f);
    EXPECT_EQ(out.written()[255], 0);
    EXPECT_EQ(out.written()[256], 1);
}

TEST(Bounds, MisalignedAccess) {
    Kernel k(shifted());
    k.in(std::vector<float>(128, 2.0f));
    k.out<float>(128);
    std::get<PointerArgument>(k.arguments[0]).offset = 2;
    k.arg(int64_t{64});
    k.arg(int64_t{0});
    EXPECT_NE(find(k.run(1).findings, "misaligned_access"), nullptr);
}

TEST(Initialisation, ReadOfUnwrittenMemory) {
    Kernel k(shifted());
    Buffer& x = k.fresh(4000);
    x.mark_written(0, 3996);  // all but the last element
    k.out<float>(1000);
    k.arg(int64_t{1000});
    k.arg(int64_t{0});
    const LaunchReport r = k.run(16);
    const Finding* f = find(r.findings, "uninitialised_read");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->evidence["element"], 999);
    EXPECT_EQ(f->line, 3);
    k.options.unknown_memory = true;
    EXPECT_TRUE(k.run(16).findings.empty());
    k.options.unknown_memory = false;
    k.options.checks = false;
    EXPECT_TRUE(k.run(16).findings.empty());
}

TEST(Races, HaloReadsAreFineAndInPlaceHalosAreNot) {
    for (int threads : {1, 4}) {
        Kernel ok(shifted());
        ok.in(std::vector<float>(1025, 1.0f));
        ok.out<float>(1024);
        ok.arg(int64_t{1024});
        ok.arg(int64_t{1});
        ok.options.threads = threads;
        ok.clean(16);
        // x and o are the same buffer: each program reads what its neighbour writes.
        Kernel bad(shifted());
        bad.in(std::vector<float>(1025, 1.0f));
        bad.arguments.push_back(bad.arguments[0]);
        bad.arg(int64_t{1024});
        bad.arg(int64_t{1});
        bad.options.threads = threads;
        bad.options.num_warps = 1;  // else its own lanes race as well
        for (uint64_t seed = 0; seed < 5; ++seed) {
            bad.options.seed = seed;
            const LaunchReport r = bad.run(16);
            const Finding* f = find(r.findings, "race");
            ASSERT_NE(f, nullptr) << "threads " << threads << " seed " << seed;
            EXPECT_TRUE(f->line == 3 || f->line == 4);
            EXPECT_TRUE(f->evidence.contains("other_program"));
        }
        // In place without a halo.
        Kernel in_place(shifted());
        in_place.in(std::vector<float>(1024, 1.0f));
        in_place.arguments.push_back(in_place.arguments[0]);
        in_place.arg(int64_t{1024});
        in_place.arg(int64_t{0});
        in_place.options.threads = threads;
        in_place.clean(16);
        in_place.clean(16);  // a second launch does not see the first one's marks
    }
}

std::string writer(const std::string& value) {
    return R"(module {
  tt.func public @k(%o: !tt.ptr<i32>) {
    %c7 = arith.constant 7 : i32
    %pid = tt.get_program_id x : i32
    tt.store %o, )" +
           value + R"( : !tt.ptr<i32>
    tt.return
  }
})";
}

TEST(Races, WritersOfDifferentAndOfEqualValues) {
    Kernel different(writer("%pid"));
    different.out<int32_t>(4);
    EXPECT_NE(find(different.run(8).findings, "race"), nullptr);
    Kernel equal(writer("%c7"));
    equal.out<int32_t>(4);
    const LaunchReport r = equal.clean(8);
    EXPECT_NE(find(r.warnings, "equal_write"), nullptr);
    Kernel alone(writer("%pid"));
    alone.out<int32_t>(4);
    alone.clean(1);
}

TEST(Memory, GatherScatterAndMasks) {
    Kernel k(R"(module {
  tt.func public @k(%x: !tt.ptr<f32>, %ix: !tt.ptr<i32>, %o: !tt.ptr<f32>) {
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %other = arith.constant dense<-5.0> : tensor<64xf32>
    %limit = arith.constant dense<100> : tensor<64xi32>
    %is = tt.splat %ix : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %ip = tt.addptr %is, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %i = tt.load %ip : tensor<64x!tt.ptr<i32>>
    %m = arith.cmpi slt, %i, %limit : tensor<64xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %v = tt.load %xp, %m, %other : tensor<64x!tt.ptr<f32>>
    %os = tt.splat %o : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %op = tt.addptr %os, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %op, %v : tensor<64x!tt.ptr<f32>>
    tt.return
  }
})");
    std::vector<float> x(100);
    std::iota(x.begin(), x.end(), 0.0f);
    std::vector<int32_t> ix(64);
    for (int i = 0; i < 64; ++i) ix[static_cast<size_t>(i)] = i % 5 == 0 ? 1000000 : (i * 37) % 100;
    k.in(x);
    k.in(ix);
    Buffer& out = k.out<float>(64);
    k.clean();
    const auto got = values<float>(out);
    for (size_t i = 0; i < 64; ++i) EXPECT_EQ(got[i], i % 5 == 0 ? -5.0f : static_cast<float>(ix[i]));
    std::get<PointerArgument>(k.arguments[0]).offset = 4;  // now element 99 is outside
    ix.assign(64, 3);
    ix[40] = 99;
    std::memcpy(k.buffers[1]->data(), ix.data(), 256);
    const LaunchReport r = k.run();
    ASSERT_NE(find(r.findings, "out_of_bounds"), nullptr);
    EXPECT_EQ(find(r.findings, "out_of_bounds")->evidence["lane"], 40);
}

TEST(Lazy, GiantBuffersAreMadeWhereTouched) {
    // 4 TiB of input: only the sampled programs' pages exist.
    Kernel k(R"(module {
  tt.func public @k(%x: !tt.ptr<f32>, %o: !tt.ptr<f32>) {
    %c64 = arith.constant 64 : i64
    %pid = tt.get_program_id x : i32
    %p = arith.extsi %pid : i32 to i64
    %base = arith.muli %p, %c64 : i64
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %rl = arith.extsi %r : tensor<64xi32> to tensor<64xi64>
    %b = tt.splat %base : i64 -> tensor<64xi64>
    %i = arith.addi %b, %rl : tensor<64xi64>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
    %v = tt.load %xp : tensor<64x!tt.ptr<f32>>
    %os = tt.splat %o : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %op = tt.addptr %os, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
    tt.store %op, %v : tensor<64x!tt.ptr<f32>>
    tt.return
  }
})");
    const int64_t programs = int64_t{1} << 30, bytes = programs * 256;
    std::atomic<int64_t> made{0};
    k.fresh(bytes).set_source([&](int64_t offset, std::byte* out, int64_t count) {
        made += count;
        for (int64_t i = 0; i < count / 4; ++i) {
            const auto v = static_cast<float>((offset / 4 + i) % 1000);
            std::memcpy(out + i * 4, &v, 4);
        }
    });
    Buffer& out = k.fresh(bytes);
    k.options.sample = std::vector<int64_t>{0, 77, programs / 2, programs - 1};
    k.options.threads = 2;
    k.options.unknown_memory = true;
    const LaunchReport r = k.clean(programs);
    EXPECT_EQ(r.programs, 4);
    EXPECT_LE(made.load(), 4 * 65536);
    for (int64_t p : *k.options.sample)
        for (int64_t i = 0; i < 64; ++i) {
            float v = 0;
            std::memcpy(&v, out.data() + (p * 64 + i) * 4, 4);
            ASSERT_EQ(v, static_cast<float>((p * 64 + i) % 1000));
        }
}

}  // namespace
}  // namespace tritonsmith::ttir
