#include "ttir/interp/interp_testing.h"

namespace tritonsmith::ttir {
namespace {

using testing::find;
using testing::Kernel;

std::string promising(const std::string& attributes) {
    return R"(module {
  tt.func public @k(%o: !tt.ptr<i32>, %n: i32) {
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %ns = tt.splat %n : i32 -> tensor<64xi32>
    %i = arith.addi %r, %ns )" +
           attributes + R"( : tensor<64xi32>
    %os = tt.splat %o : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %op = tt.addptr %os, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %op, %i : tensor<64x!tt.ptr<i32>>
    tt.return
  }
})";
}

/// "false", where it is certain; "broken", where it depends on whether the lanes count.
std::string broken(const std::string& text, int64_t n) {
    Kernel k(text);
    k.out<int32_t>(256);
    k.arg(n);
    const LaunchReport r = k.run();
    EXPECT_EQ(r.unsupported, "");
    if (find(r.findings, "false_promise") != nullptr) return "false";
    return find(r.warnings, "broken_promise") != nullptr ? "broken" : "";
}

TEST(Promises, DivisibilityContiguityConstancy) {
    const std::string multiple = promising("{tt.divisibility = dense<64> : tensor<1xi32>}");
    EXPECT_EQ(broken(multiple, 64), "");
    EXPECT_EQ(broken(multiple, 4), "");  // vectors hold no more than four
    EXPECT_EQ(broken(multiple, 2), "false");
    const std::string both =
        promising("{tt.contiguity = dense<64> : tensor<1xi32>, tt.divisibility = dense<64> : tensor<1xi32>}");
    EXPECT_EQ(broken(both, 128), "");
    EXPECT_EQ(broken(both, 1), "false");
    EXPECT_EQ(broken(promising("{tt.constancy = dense<4> : tensor<1xi32>}"), 0), "broken");
}

TEST(Promises, AreAboutTheVectorsThatTheyLeadTo) {
    // i + n, n·i and i / 4 are places of bytes, or of words; what is stored leads to no access.
    const auto text = [](const char* element, const char* how, const char* at) {
        const std::string pointer = std::string("!tt.ptr<") + element + ">";
        return std::string(R"(module {
  tt.func public @k(%o: )") +
               pointer + R"(, %n: i32) {
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %four = arith.constant dense<4> : tensor<64xi32>
    %zero = arith.constant dense<0> : tensor<64x)" +
               element + R"(>
    %ns = tt.splat %n : i32 -> tensor<64xi32>
    %i = arith.addi %r, %ns {tt.divisibility = dense<64> : tensor<1xi32>} : tensor<64xi32>
    %j = )" + how +
               R"( : tensor<64xi32>
    %os = tt.splat %o : )" +
               pointer + " -> tensor<64x" + pointer + R"(>
    %op = tt.addptr %os, )" +
               at + " : tensor<64x" + pointer + R"(>, tensor<64xi32>
    tt.store %op, %zero : tensor<64x)" +
               pointer + R"(>
    tt.return
  }
})";
    };
    const char *plain = "arith.muli %i, %four", *quotient = "arith.divsi %i, %four";
    EXPECT_EQ(broken(text("i8", plain, "%i"), 16), "");
    EXPECT_EQ(broken(text("i8", plain, "%i"), 8), "false");
    EXPECT_EQ(broken(text("i64", plain, "%i"), 2), "");
    EXPECT_EQ(broken(text("i64", plain, "%i"), 1), "false");
    EXPECT_EQ(broken(text("i64", plain, "%j"), 1), "false") << "what it is multiplied with is not looked at";
    EXPECT_EQ(broken(text("i64", quotient, "%j"), 32), "false") << "a quotient needs more";
    EXPECT_EQ(broken(text("i64", quotient, "%j"), 64), "");
    EXPECT_EQ(broken(text("i64", quotient, "%r"), 1), "") << "it leads to no access";
}

/// o[i] = x[j] for i < m, where j is i, or 0 from n on, and promised to be contiguous and a multiple of 16.
std::string gather(const std::string& promised) {
    return R"(module {
  tt.func public @k(%x: !tt.ptr<i32>, %o: !tt.ptr<i32>, %n: i32, %m: i32) {
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %zero = arith.constant dense<0> : tensor<64xi32>
    %ns = tt.splat %n : i32 -> tensor<64xi32>
    %ms = tt.splat %m : i32 -> tensor<64xi32>
    %in = arith.cmpi slt, %r, %ns : tensor<64xi32>
    %out = arith.cmpi slt, %r, %ms : tensor<64xi32>
    %j = arith.select %in, %r, %zero )" +
           promised + R"( : tensor<64xi1>, tensor<64xi32>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %xp = tt.addptr %xs, %j : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %v = tt.load %xp : tensor<64x!tt.ptr<i32>>
    %os = tt.splat %o : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %op = tt.addptr %os, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %op, %v, %out : tensor<64x!tt.ptr<i32>>
    tt.return
  }
})";
}

TEST(Promises, LanesThatNobodyStoresMayBreakThem) {
    const std::string text =
        gather("{tt.contiguity = dense<64> : tensor<1xi32>, tt.divisibility = dense<64> : tensor<1xi32>}");
    for (const bool keep : {false, true}) {
        std::vector<int32_t> in(50);
        for (int32_t i = 0; i < 50; ++i) in[static_cast<size_t>(i)] = i + 7;
        Kernel k(text);
        k.in(in);
        Buffer& out = k.out<int32_t>(50);
        k.arg(int64_t{50});
        k.arg(int64_t{50});
        k.options.keep_promises = keep;
        const LaunchReport r = k.run();
        EXPECT_TRUE(r.findings.empty());
        EXPECT_EQ(find(r.warnings, "broken_promise") != nullptr, !keep);
        EXPECT_EQ(testing::values<int32_t>(out), in);
    }
}

TEST(Promises, KeptPromisesShowInLanesThatCount) {
    std::vector<int32_t> in(64);
    for (int32_t i = 0; i < 64; ++i) in[static_cast<size_t>(i)] = i + 7;
    Kernel k(gather("{tt.contiguity = dense<64> : tensor<1xi32>}"));
    k.in(in);
    Buffer& out = k.out<int32_t>(64);
    k.arg(int64_t{50});
    k.arg(int64_t{64});
    EXPECT_TRUE(k.run().findings.empty());
    EXPECT_EQ(testing::values<int32_t>(out)[51], 7);
    k.options.keep_promises = true;
    EXPECT_TRUE(k.run().findings.empty());
    EXPECT_EQ(testing::values<int32_t>(out)[51], 58);
}

TEST(Promises, OfPointersOnlyGroupsAreLookedAt) {
    // Columns of rows of 20 bytes: no two pointers are 4 bytes apart along a row's dimension.
    const auto tile = [](const char* rows, const char* promised) {
        return std::string(R"(module {
  tt.func public @k(%x: !tt.ptr<i32>) {
    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %stride = arith.constant dense<)") +
               rows + R"(> : tensor<16xi32>
    %i = arith.muli %r, %stride : tensor<16xi32>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %xp = tt.addptr %xs, %i )" +
               promised + R"( : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %v = tt.load %xp : tensor<16x!tt.ptr<i32>>
    tt.return
  }
})";
    };
    const auto falsely = [](const std::string& text, int64_t offset) {
        Kernel k(text);
        k.in(std::vector<int32_t>(16 * 5 + 4));
        std::get<PointerArgument>(k.arguments[0]).offset = offset;
        return find(k.run().findings, "false_promise") != nullptr;
    };
    const char* promised = "{tt.divisibility = dense<16> : tensor<1xi32>}";
    EXPECT_FALSE(falsely(tile("5", promised), 4));
    EXPECT_FALSE(falsely(tile("1", promised), 16));
    EXPECT_TRUE(falsely(tile("1", promised), 4));
}

TEST(Promises, ParametersAndAssumptions) {
    Kernel k(R"(module {
  tt.func public @k(%o: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %ok = arith.cmpi sgt, %n, %c0 : i32
    llvm.intr.assume %ok : i1
    tt.return
  }
})");
    k.out<int32_t>(16);
    k.arg(int64_t{32});
    k.clean();
    k.arguments[1] = int64_t{24};
    EXPECT_NE(find(k.run().findings, "false_promise"), nullptr);
    k.arguments[1] = int64_t{-32};
    EXPECT_NE(find(k.run().findings, "false_promise"), nullptr);
    k.arguments[1] = int64_t{32};
    std::get<PointerArgument>(k.arguments[0]).offset = 4;
    EXPECT_NE(find(k.run().findings, "false_promise"), nullptr);
}

/// Row pid of a matrix: pid·stride in 32 bits, masked by i < n.
std::string rows() {
    return R"(module {
  tt.func public @k(%x: !tt.ptr<i8>, %stride: i32, %n: i32) {
    %zero = arith.constant dense<0> : tensor<64xi8>
    %pid = tt.get_program_id x : i32
    %row = arith.muli %pid, %stride : i32
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %rs = tt.splat %row : i32 -> tensor<64xi32>
    %i = arith.addi %rs, %r : tensor<64xi32>
    %ns = tt.splat %n : i32 -> tensor<64xi32>
    %m = arith.cmpi slt, %r, %ns : tensor<64xi32>
    %xs = tt.splat %x : !tt.ptr<i8> -> tensor<64x!tt.ptr<i8>>
    %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<i8>>, tensor<64xi32>
    tt.store %xp, %zero, %m : tensor<64x!tt.ptr<i8>>
    tt.return
  }
})";
}

TEST(AddressOverflow, IsFoundOnlyWhereMemoryIsAccessed) {
    // 2^33 bytes: pid 3 wraps in 32 bits to an address inside the buffer.
    Kernel k(rows());
    k.fresh(int64_t{1} << 33);
    std::get<PointerArgument>(k.arguments[0]).offset = int64_t{1} << 32;
    k.arg(int64_t{1} << 30);
    k.arg(int64_t{64});
    k.options.sample = std::vector<int64_t>{3};
    const LaunchReport r = k.run(4);
    EXPECT_NE(find(r.findings, "address_overflow"), nullptr);
    k.options.sample = std::vector<int64_t>{1};
    k.clean(4);
    k.options.sample = std::vector<int64_t>{3};
    k.arguments[2] = int64_t{0};  // nothing is stored
    k.clean(4);
    // The last lanes alone: 2^31 - 32 + 32.
    k.arguments[1] = (int64_t{1} << 31) - 32;
    k.arguments[2] = int64_t{32};
    k.options.sample = std::vector<int64_t>{1};
    k.clean(4);
    k.arguments[2] = int64_t{33};
    const LaunchReport last = k.run(4);
    ASSERT_NE(find(last.findings, "address_overflow"), nullptr);
    EXPECT_EQ(find(last.findings, "address_overflow")->evidence["lane"], 32);
}

/// Four rows, one after the other: the offset is carried by the loop, in 32 bits, or the pointer is.
std::string carried(const std::string& step, const std::string& at) {
    return R"(module {
  tt.func public @k(%x: !tt.ptr<i8>, %stride: i32, %n: i32) {
    %zero = arith.constant dense<0> : tensor<64xi8>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %xs = tt.splat %x : !tt.ptr<i8> -> tensor<64x!tt.ptr<i8>>
    %first = tt.addptr %xs, %r : tensor<64x!tt.ptr<i8>>, tensor<64xi32>
    %ss = tt.splat %stride : i32 -> tensor<64xi32>
    %end:2 = scf.for %k = %c0 to %n step %c1 iter_args(%offset = %r, %p = %first) -> (tensor<64xi32>, tensor<64x!tt.ptr<i8>>) : i32 {
      %here = )" +
           at + R"( : tensor<64x!tt.ptr<i8>>, tensor<64xi32>
      tt.store %here, %zero : tensor<64x!tt.ptr<i8>>
      %next = arith.)" +
           step + R"( : tensor<64xi32>
      %q = tt.addptr %p, %ss : tensor<64x!tt.ptr<i8>>, tensor<64xi32>
      scf.yield %next, %q : tensor<64xi32>, tensor<64x!tt.ptr<i8>>
    }
    tt.return
  }
})";
}

TEST(AddressOverflow, IsFollowedThroughLoops) {
    const auto run = [](const std::string& text, int64_t stride, int64_t rows) {
        Kernel k(text);
        k.fresh(int64_t{1} << 33);
        std::get<PointerArgument>(k.arguments[0]).offset = int64_t{1} << 32;
        k.arg(stride);
        k.arg(rows);
        return k.run();
    };
    const std::string offset = carried("addi %offset, %ss", "tt.addptr %xs, %offset");
    EXPECT_EQ(find(run(offset, int64_t{1} << 30, 2).findings, "address_overflow"), nullptr);
    // The third sum wraps at the end of the second iteration, and is used in the third.
    EXPECT_NE(find(run(offset, int64_t{1} << 30, 3).findings, "address_overflow"), nullptr);
    // Advancing the pointer itself is 64-bit arithmetic.
    const std::string pointer = carried("addi %offset, %ss", "tt.addptr %p, %r");
    EXPECT_TRUE(run(pointer, int64_t{1} << 30, 3).findings.empty());
    // What wraps and is then masked is not an address that wrapped.
    const std::string masked = carried("andi %offset, %ss", "tt.addptr %xs, %offset");
    EXPECT_TRUE(run(masked, int64_t{1} << 30, 4).findings.empty());
}

}  // namespace
}  // namespace tritonsmith::ttir
