/// Lanes that a mask leaves out, and divisions by zero in them: harmless until every lane counts.
#include "ttir/interp/interp_testing.h"

namespace tritonsmith::ttir {
namespace {

using testing::find;
using testing::Kernel;
using testing::values;

/// Loads x[0..n) under a mask, runs `body` on %v (and %m, %zero), which makes %s.
std::string masked(const std::string& body, const std::string& other = "") {
    return R"(module {
  tt.func public @k(%x: !tt.ptr<i32>, %o: !tt.ptr<i32>, %n: i32) {
    %zero = arith.constant dense<0> : tensor<64xi32>
    %seven = arith.constant dense<7> : tensor<64xi32>
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %ns = tt.splat %n : i32 -> tensor<64xi32>
    %m = arith.cmpi slt, %r, %ns : tensor<64xi32>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %xp = tt.addptr %xs, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %os = tt.splat %o : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %op = tt.addptr %os, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %v = tt.load %xp, %m)" +
           other + R"( : tensor<64x!tt.ptr<i32>>
    )" + body +
           R"(
    tt.return
  }
})";
}
const char* const kReduce = R"(%s = "tt.reduce"(%w) <{axis = 0 : i32}> ({
      ^bb0(%a: i32, %b: i32):
        %c = arith.maxsi %a, %b : i32
        tt.reduce.return %c : i32
      }) : (tensor<64xi32>) -> i32
      tt.store %o, %s : !tt.ptr<i32>)";

LaunchReport run(const std::string& text, int64_t n) {
    Kernel k(text);
    k.in(std::vector<int32_t>(64, -5));
    k.in(std::vector<int32_t>(64, 0));
    k.arg(n);
    return k.run();
}

TEST(MaskedLoad, WarnsWhereItsMaskedLanesAreReduced) {
    const std::string text = masked("%w = arith.addi %v, %seven : tensor<64xi32>\n" + std::string(kReduce));
    const LaunchReport report = run(text, 60);
    EXPECT_NE(find(report.warnings, "masked_load"), nullptr);
    EXPECT_TRUE(report.findings.empty());
    EXPECT_EQ(find(report.warnings, "masked_load")->evidence["lane"], 60);
    EXPECT_EQ(find(run(text, 64).warnings, "masked_load"), nullptr);  // nothing is masked
}

TEST(MaskedLoad, IsSilentWhereMaskedLanesCannotCount) {
    EXPECT_TRUE(
        run(masked("%w = arith.addi %v, %seven : tensor<64xi32>\n" + std::string(kReduce), ", %seven"), 60)
            .warnings.empty());
    EXPECT_TRUE(run(masked("%w = arith.select %m, %v, %seven : tensor<64xi1>, tensor<64xi32>\n" +
                           std::string(kReduce)),
                    60)
                    .warnings.empty());
    EXPECT_TRUE(run(masked("tt.store %op, %v, %m : tensor<64x!tt.ptr<i32>>"), 60).warnings.empty());
    EXPECT_FALSE(run(masked("tt.store %op, %v : tensor<64x!tt.ptr<i32>>"), 60).warnings.empty());
}

TEST(Division, ByZeroIsAnErrorWhereTheLaneCounts) {
    const std::string divide = "%w = arith.divsi %seven, %v : tensor<64xi32>\n";
    EXPECT_NE(find(run(masked(divide + kReduce), 60).findings, "integer_division"), nullptr);
    EXPECT_TRUE(run(masked(divide + kReduce), 64).findings.empty());
    // Stored under the mask: the lanes that divide by zero are left out.
    const LaunchReport stored = run(masked(divide + "tt.store %op, %w, %m : tensor<64x!tt.ptr<i32>>"), 60);
    EXPECT_TRUE(stored.findings.empty());
    EXPECT_NE(find(stored.warnings, "integer_division"), nullptr);
    EXPECT_NE(find(run(masked(divide + "tt.store %op, %w : tensor<64x!tt.ptr<i32>>"), 60).findings,
                   "integer_division"),
              nullptr);
    // Chosen away before the reduction.
    const std::string chosen =
        "%q = arith.divsi %seven, %v : tensor<64xi32>\n%w = arith.select %m, %q, %zero : tensor<64xi1>, "
        "tensor<64xi32>\n";
    EXPECT_TRUE(run(masked(chosen + kReduce), 60).findings.empty());
}

TEST(MaskedLoad, IsFollowedThroughLoops) {
    const std::string loop = R"(%c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %w = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xi32>) : i32 {
      %next = arith.addi %acc, %v : tensor<64xi32>
      scf.yield %next : tensor<64xi32>
    }
    )";
    EXPECT_NE(find(run(masked(loop + kReduce), 3).warnings, "masked_load"), nullptr);
}

}  // namespace
}  // namespace tritonsmith::ttir
