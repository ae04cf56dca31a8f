#include <algorithm>
#include <chrono>
#include <numeric>

#include "ttir/interp/interp_testing.h"

namespace tritonsmith::ttir {
namespace {

using testing::find;
using testing::Kernel;
using testing::values;

TEST(Control, LoopsCarrySwappedValues) {
    // (a, b) = (b, a + b): Fibonacci, with a block and a scalar carried along.
    Kernel k(R"(module {
  tt.func public @k(%o: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0> : tensor<16xi32>
    %one = arith.constant dense<1> : tensor<16xi32>
    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %f:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %b = %one, %s = %c0) -> (tensor<16xi32>, tensor<16xi32>, i32) : i32 {
      %c = arith.addi %a, %b : tensor<16xi32>
      %t = arith.addi %s, %i : i32
      scf.yield %b, %c, %t : tensor<16xi32>, tensor<16xi32>, i32
    }
    %x = tt.splat %f#2 : i32 -> tensor<16xi32>
    %y = arith.addi %f#0, %x : tensor<16xi32>
    %z = arith.addi %y, %r : tensor<16xi32>
    %os = tt.splat %o : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %op = tt.addptr %os, %r : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    tt.store %op, %z : tensor<16x!tt.ptr<i32>>
    tt.return
  }
})");
    Buffer& out = k.out<int32_t>(16);
    k.arg(int64_t{10});
    k.clean();
    EXPECT_EQ(values<int32_t>(out)[0], 55 + 45);
    EXPECT_EQ(values<int32_t>(out)[15], 55 + 45 + 15);
    k.arguments[1] = int64_t{0};
    k.clean();
    EXPECT_EQ(values<int32_t>(out)[3], 3);
    k.arguments[1] = int64_t{-5};
    k.clean();
    EXPECT_EQ(values<int32_t>(out)[3], 3);
}

TEST(Control, WhileIfAndBranches) {
    // Collatz steps of pid + 1, with an early return for pid 3.
    Kernel k(R"(module {
  tt.func public @k(%o: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %pid = tt.get_program_id x : i32
    %skip = arith.cmpi eq, %pid, %c3 : i32
    cf.cond_br %skip, ^bb1, ^bb2
  ^bb1:
    tt.return
  ^bb2:
    %start = arith.addi %pid, %c1 : i32
    %w:2 = scf.while (%x = %start, %steps = %c0) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi sgt, %x, %c1 : i32
      scf.condition(%more) %steps, %x : i32, i32
    } do {
    ^bb0(%steps: i32, %x: i32):
      %rem = arith.remsi %x, %c2 : i32
      %odd = arith.cmpi ne, %rem, %c0 : i32
      %next = scf.if %odd -> (i32) {
        %a = arith.muli %x, %c3 : i32
        %b = arith.addi %a, %c1 : i32
        scf.yield %b : i32
      } else {
        %h = arith.divsi %x, %c2 : i32
        scf.yield %h : i32
      }
      %s = arith.addi %steps, %c1 : i32
      scf.yield %next, %s : i32, i32
    }
    %p = tt.addptr %o, %pid : !tt.ptr<i32>, i32
    tt.store %p, %w#0 : !tt.ptr<i32>
    tt.return
  }
})");
    Buffer& out = k.out<int32_t>(30);
    k.options.threads = 3;
    k.clean(30);
    const auto got = values<int32_t>(out);
    for (int i = 0; i < 30; ++i) {
        int steps = 0;
        for (int x = i + 1; x > 1; ++steps) x = x % 2 != 0 ? 3 * x + 1 : x / 2;
        EXPECT_EQ(got[static_cast<size_t>(i)], i == 3 ? 0 : steps) << i;
    }
    EXPECT_EQ(out.written()[12], 0);
}

TEST(Control, CallsNestAndReturnSeveralValues) {
    Kernel k(R"(module {
  tt.func private @twice(%x: i32) -> (i32, i32) attributes {noinline = true} {
    %y = arith.addi %x, %x : i32
    tt.return %y, %x : i32, i32
  }
  tt.func private @eight(%x: i32) -> i32 attributes {noinline = true} {
    %a:2 = tt.call @twice(%x) : (i32) -> (i32, i32)
    %b:2 = tt.call @twice(%a#0) : (i32) -> (i32, i32)
    %c:2 = tt.call @twice(%b#0) : (i32) -> (i32, i32)
    %d = arith.addi %c#0, %a#1 : i32
    tt.return %d : i32
  }
  tt.func public @k(%o: !tt.ptr<i32>, %n: i32) {
    %a = tt.call @eight(%n) : (i32) -> i32
    %b = tt.call @eight(%a) : (i32) -> i32
    tt.store %o, %b : !tt.ptr<i32>
    tt.return
  }
})");
    Buffer& out = k.out<int32_t>(1);
    k.arg(int64_t{5});
    k.clean();
    EXPECT_EQ(values<int32_t>(out)[0], 5 * 81);
}

std::string endless() {
    return R"(module {
  tt.func public @k(%o: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %w = scf.while (%x = %c0) : (i32) -> (i32) {
      %more = arith.cmpi sge, %c1, %c0 : i32
      scf.condition(%more) %x : i32
    } do {
    ^bb0(%x: i32):
      %y = arith.addi %x, %c1 : i32
      scf.yield %y : i32
    }
    tt.store %o, %w : !tt.ptr<i32>
    tt.return
  }
})";
}

TEST(Limits, DeadlineAndOperations) {
    Kernel k(endless());
    k.out<int32_t>(1);
    k.options.max_operations_per_program = 10'000'000;
    EXPECT_TRUE(k.run(2).timed_out);
    Kernel d(endless());
    d.out<int32_t>(1);
    d.options.threads = 2;
    const auto begin = std::chrono::steady_clock::now();
    d.options.deadline = begin + std::chrono::milliseconds(100);
    EXPECT_TRUE(d.run(4).timed_out);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

/// Each program spins until its predecessor has passed the token on, then passes it.
std::string chain() {
    return R"(module {
  tt.func public @k(%token: !tt.ptr<i32>, %sum: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %pid = tt.get_program_id x : i32
    %next = arith.addi %pid, %c1 : i32
    %w = scf.while (%x = %c0) : (i32) -> (i32) {
      %seen = tt.atomic_rmw add, acquire, gpu, %token, %c0, %true : (!tt.ptr<i32>, i32, i1) -> i32
      %wait = arith.cmpi slt, %seen, %pid : i32
      scf.condition(%wait) %seen : i32
    } do {
    ^bb0(%x: i32):
      scf.yield %x : i32
    }
    %v = tt.load %sum : !tt.ptr<i32>
    %s = arith.addi %v, %next : i32
    tt.store %sum, %s : !tt.ptr<i32>
    %old = tt.atomic_rmw exch, release, gpu, %token, %next, %true : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return
  }
})";
}

TEST(Waiting, ProgramsThatWaitForEachOtherRun) {
    for (int threads : {1, 3}) {
        Kernel k(chain());
        k.in(std::vector<int32_t>{0});
        Buffer& sum = k.in(std::vector<int32_t>{0});
        k.options.threads = threads;
        k.options.seed = 3;
        k.clean(40);
        EXPECT_EQ(values<int32_t>(sum)[0], 40 * 41 / 2);
    }
}

TEST(Waiting, DeadlockIsATimeout) {
    for (int threads : {1, 2}) {
        Kernel k(chain());
        k.in(std::vector<int32_t>{-1});  // nobody's turn ever comes
        k.in(std::vector<int32_t>{0});
        k.options.threads = threads;
        EXPECT_TRUE(k.run(5).timed_out);
    }
}

/// A lock around a plain sum, as split-k kernels do.
TEST(Waiting, LocksOrderMemory) {
    const std::string text = R"(module {
  tt.func public @k(%lock: !tt.ptr<i32>, %sum: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %w = scf.while (%x = %c0) : (i32) -> (i32) {
      %seen = tt.atomic_cas ORDER, gpu, %lock, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32
      %wait = arith.cmpi eq, %seen, %c1 : i32
      scf.condition(%wait) %seen : i32
    } do {
    ^bb0(%x: i32):
      scf.yield %x : i32
    }
    %v = tt.load %sum : !tt.ptr<i32>
    %s = arith.addi %v, %c1 : i32
    tt.store %sum, %s : !tt.ptr<i32>
    %old = tt.atomic_rmw exch, ORDER, gpu, %lock, %c0, %true : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return
  }
})";
    const auto with = [&](const std::string& order) {
        std::string t = text;
        for (size_t at = t.find("ORDER"); at != std::string::npos; at = t.find("ORDER"))
            t.replace(at, 5, order);
        return t;
    };
    for (int threads : {1, 3}) {
        Kernel good(with("acq_rel"));
        good.in(std::vector<int32_t>{0});
        Buffer& sum = good.in(std::vector<int32_t>{0});
        good.options.threads = threads;
        good.clean(200);
        EXPECT_EQ(values<int32_t>(sum)[0], 200);
        Kernel relaxed(with("relaxed"));
        relaxed.in(std::vector<int32_t>{0});
        relaxed.in(std::vector<int32_t>{0});
        relaxed.options.threads = threads;
        EXPECT_NE(find(relaxed.run(200).findings, "race"), nullptr);
    }
}

TEST(Atomics, CountAndReturnOldValues) {
    Kernel k(R"(module {
  tt.func public @k(%count: !tt.ptr<i32>, %seen: !tt.ptr<i32>, %sums: !tt.ptr<f32>) {
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %one = arith.constant dense<1.0> : tensor<16xf32>
    %four = arith.constant dense<4> : tensor<16xi32>
    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %slot = arith.remsi %r, %four : tensor<16xi32>
    %half = arith.constant dense<8> : tensor<16xi32>
    %m = arith.cmpi slt, %r, %half : tensor<16xi32>
    %ss = tt.splat %sums : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %sp = tt.addptr %ss, %slot : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %f = tt.atomic_rmw fadd, relaxed, gpu, %sp, %one, %m : (tensor<16x!tt.ptr<f32>>, tensor<16xf32>, tensor<16xi1>) -> tensor<16xf32>
    %old = tt.atomic_rmw add, acq_rel, gpu, %count, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %p = tt.addptr %seen, %old : !tt.ptr<i32>, i32
    %pid = tt.get_program_id x : i32
    tt.store %p, %pid : !tt.ptr<i32>
    tt.return
  }
})");
    Buffer& count = k.in(std::vector<int32_t>{0});
    Buffer& seen = k.out<int32_t>(500);
    Buffer& sums = k.in(std::vector<float>(4, 0.0f));
    k.options.threads = 4;
    k.clean(500);
    EXPECT_EQ(values<int32_t>(count)[0], 500);
    EXPECT_EQ(values<float>(sums), std::vector<float>(4, 1000.0f));
    auto got = values<int32_t>(seen);
    std::sort(got.begin(), got.end());
    for (int i = 0; i < 500; ++i) EXPECT_EQ(got[static_cast<size_t>(i)], i);
}

TEST(Order, ProgramsRunOnceInAnOrderOfTheSeed) {
    const std::string text = R"(module {
  tt.func public @k(%count: !tt.ptr<i32>, %turn: !tt.ptr<i32>) {
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %old = tt.atomic_rmw add, relaxed, gpu, %count, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %pid = tt.get_program_id x : i32
    %p = tt.addptr %turn, %pid : !tt.ptr<i32>, i32
    tt.store %p, %old : !tt.ptr<i32>
    tt.return
  }
})";
    const auto order = [&](uint64_t seed) {
        Kernel k(text);
        k.in(std::vector<int32_t>{0});
        Buffer& turn = k.out<int32_t>(100);
        k.options.seed = seed;
        k.clean(100);
        return values<int32_t>(turn);
    };
    EXPECT_EQ(order(1), order(1));
    EXPECT_NE(order(1), order(2));
    std::vector<int32_t> straight(100);
    std::iota(straight.begin(), straight.end(), 0);
    EXPECT_NE(order(1), straight);
}

TEST(Arguments, WrongOnesAreRefused) {
    Kernel k(endless());
    EXPECT_THROW(k.run(1), InputError);
    k.arg(1.5);
    EXPECT_THROW(k.run(1), InputError);
    EXPECT_THROW(k.run(-1), InputError);
}

TEST(Reports, AssertsPrintsAndUnknownOperations) {
    Kernel a(R"(module {
  tt.func public @k(%n: i32) {
    %c3 = arith.constant 3 : i32
    %pid = tt.get_program_id x : i32
    tt.print " pid: " {hex = false, isSigned = array<i32: 1>} : %pid : i32
    %ok = arith.cmpi slt, %pid, %n : i32
    tt.assert %ok, "pid too large" : i1
    tt.return
  }
})");
    a.arg(int64_t{4});
    EXPECT_EQ(a.clean(4).prints.size(), 4u);
    const LaunchReport r = a.run(8);
    ASSERT_NE(find(r.findings, "device_assert"), nullptr);
    EXPECT_NE(find(r.findings, "device_assert")->message.find("pid too large"), std::string::npos);
    Kernel u(R"(module {
  tt.func public @k() {
    %x = "strange.operation"() : () -> i32
    tt.return
  }
})");
    EXPECT_NE(u.run(1).unsupported.find("strange.operation"), std::string::npos);
}

}  // namespace
}  // namespace tritonsmith::ttir
