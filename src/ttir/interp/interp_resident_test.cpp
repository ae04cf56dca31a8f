// Launches of more programs than a device holds at once.
#include "ttir/interp/interp_testing.h"

namespace tritonsmith::ttir {
namespace {

using testing::Kernel;
using testing::values;

/// Every program adds one to a counter and waits until it has reached `%wanted` of the program: an expression
/// in %pid and %programs.
std::string waits_for(const std::string& wanted) {
    return R"(module {
  tt.func public @k(%count: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %true = arith.constant true
    %pid = tt.get_program_id x : i32
    %programs = tt.get_num_programs x : i32
    %wanted = )" +
           wanted + R"( : i32
    %old = tt.atomic_rmw add, release, gpu, %count, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %w = scf.while (%x = %c0) : (i32) -> (i32) {
      %seen = tt.atomic_rmw add, acquire, gpu, %count, %c0, %true : (!tt.ptr<i32>, i32, i1) -> i32
      %wait = arith.cmpi slt, %seen, %wanted : i32
      scf.condition(%wait) %seen : i32
    } do {
    ^bb0(%x: i32):
      scf.yield %x : i32
    }
    tt.return
  }
})";
}

LaunchReport launched(const std::string& wanted, int64_t programs, int64_t resident, int threads) {
    Kernel k(waits_for(wanted));
    k.in(std::vector<int32_t>{0});
    k.options.resident = resident;
    k.options.threads = threads;
    k.options.checks = false;
    const LaunchReport report = k.run(programs);
    EXPECT_EQ(report.unsupported, "");
    EXPECT_TRUE(report.findings.empty());
    return report;
}

TEST(Resident, AWaitForAllNeverEndsWhereNotAllAreThere) {
    for (int threads : {1, 2}) {
        const LaunchReport report = launched("arith.maxsi %programs, %c1", 40, 39, threads);
        EXPECT_TRUE(report.stuck);
        EXPECT_EQ(report.programs, 0);
        EXPECT_GE(report.waiting, 37) << "each thread has one at hand";
    }
}

TEST(Resident, AWaitForAllEndsWhereAllAreThere) {
    for (int threads : {1, 2}) {
        const LaunchReport report = launched("arith.maxsi %programs, %c1", 40, 40, threads);
        EXPECT_FALSE(report.stuck);
        EXPECT_EQ(report.programs, 40);
        EXPECT_GT(report.waiting, 0);
    }
}

TEST(Resident, AWaitForThoseBeforeEnds) {
    for (int threads : {1, 2}) {
        const LaunchReport report = launched("arith.addi %pid, %c0", 1000, 10, threads);
        EXPECT_FALSE(report.stuck);
        EXPECT_GE(report.programs, 10) << "as many as are there at once: that will do";
        EXPECT_LT(report.programs, 1000);
    }
}

TEST(Resident, AWaitForTheNextOneNeedsTwoPlaces) {
    EXPECT_TRUE(launched("arith.maxsi %c1, %two", 40, 1, 1).stuck);
    EXPECT_FALSE(launched("arith.maxsi %c1, %two", 40, 2, 1).stuck);
}

TEST(Resident, NobodyWaitsInAnOrdinaryLaunch) {
    const LaunchReport report = launched("arith.subi %c0, %c1", 40, 0, 1);
    EXPECT_EQ(report.waiting, 0);
    EXPECT_EQ(report.programs, 40);
    EXPECT_FALSE(report.stuck);
}

}  // namespace
}  // namespace tritonsmith::ttir
