/// Addresses that lie in memory: tables of pointers, as grouped products use them.
#include "ttir/interp/interp_testing.h"

namespace tritonsmith::ttir {
namespace {

using testing::find;
using testing::Kernel;
using testing::values;

/// Program i doubles the first 16 elements behind table[i] into out, and stores &x[i] of its own into
/// table[i] afterwards.
const char* const kText = R"(module {
  tt.func public @k(%table: !tt.ptr<!tt.ptr<f32>>, %out: !tt.ptr<f32>) {
    %c16 = arith.constant 16 : i32
    %pid = tt.get_program_id x : i32
    %entry = tt.addptr %table, %pid : !tt.ptr<!tt.ptr<f32>>, i32
    %x = tt.load %entry : !tt.ptr<!tt.ptr<f32>>
    %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %xp = tt.addptr %xs, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %v = tt.load %xp : tensor<16x!tt.ptr<f32>>
    %w = arith.addf %v, %v : tensor<16xf32>
    %base = arith.muli %pid, %c16 : i32
    %o = tt.addptr %out, %base : !tt.ptr<f32>, i32
    %os = tt.splat %o : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %op = tt.addptr %os, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    tt.store %op, %w : tensor<16x!tt.ptr<f32>>
    tt.store %entry, %o : !tt.ptr<!tt.ptr<f32>>
    tt.return
  }
})";

struct Table : Kernel {
    Table() : Kernel(kText), x(16 * 4, 0x100000, "x"), y(16 * 4, 0x200000, "y") {
        std::vector<float> ones(16, 1.0F), threes(16, 3.0F);
        std::memcpy(x.data(), ones.data(), 64);
        std::memcpy(y.data(), threes.data(), 64);
        x.mark_all_written();
        y.mark_all_written();
        table = &in(std::vector<uint64_t>{x.address(), y.address()});
        result = &out<float>(32);
        options.allow_int_to_ptr = true;
        options.reachable = {&x, &y};
    }
    Buffer x, y;
    Buffer *table, *result;
};

TEST(PointerTables, AreFollowedAndWritten) {
    Table t;
    t.clean(2);
    EXPECT_EQ(values<float>(*t.result)[3], 2.0F);
    EXPECT_EQ(values<float>(*t.result)[20], 6.0F);
    EXPECT_EQ(values<uint64_t>(*t.table)[1], t.result->address() + 64);
}

TEST(PointerTables, AreRefusedWhereIntegersMayNotBecomePointers) {
    Table t;
    t.options.allow_int_to_ptr = false;
    EXPECT_NE(find(t.run(2).findings, "int_to_ptr"), nullptr);
}

TEST(PointerTables, AnAddressOfNoBufferIsOutOfBounds) {
    Table t;
    t.options.reachable = {&t.x};
    EXPECT_NE(find(t.run(2).findings, "out_of_bounds"), nullptr);
}

TEST(PointerTables, BoundsAreThoseOfTheBufferThatTheAddressLiesIn) {
    Table t;
    const uint64_t late = t.x.address() + 4;  // 16 elements from here are one too many
    std::memcpy(t.table->data(), &late, 8);
    EXPECT_NE(find(t.run(2).findings, "out_of_bounds"), nullptr);
}

}  // namespace
}  // namespace tritonsmith::ttir
