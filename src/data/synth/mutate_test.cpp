#include "data/synth/mutate.h"

#include <gtest/gtest.h>

#include <set>

namespace tritonsmith::data {
namespace {

const std::string kCode =
    "import triton\n\ncols = 3\n\n\n@triton.jit\ndef softmax_kernel(x_ptr, bias_ptr, out_ptr, cols, rows, "
    "BLOCK: tl.constexpr):\n"
    "    row = tl.program_id(0)\n    col = tl.arange(0, BLOCK)\n"
    "    x = tl.load(x_ptr + row * cols + col, mask=(col < cols) & (row < rows), other=0.0)\n"
    "    bias = tl.load(bias_ptr + col, mask=col < cols, other=0.0)\n"
    "    total = tl.zeros((BLOCK,), dtype=tl.float32)\n"
    "    tl.store(out_ptr + row * cols + col, tl.exp(x) / cols + bias, mask=col < cols)\n\n\n"
    "class ModelNew:\n    def forward(self, x):\n"
    "        softmax_kernel[(triton.cdiv(rows, 4),)](x, b, out, cols, rows, "
    "BLOCK=triton.next_power_of_2(cols))\n";

TEST(Mutations, EachIsOneMistakeInAKernelOrItsLaunch) {
    std::set<std::string> kinds;
    for (uint64_t i = 0; i < 200; ++i) {
        Random random(1, i);
        for (const Mutation& mutation : mutations(kCode, 3, random)) {
            kinds.insert(mutation.kind);
            EXPECT_NE(mutation.code, kCode) << mutation.kind;
            EXPECT_EQ(mutation.code.substr(0, 26), kCode.substr(0, 26));
        }
    }
    for (const char* kind :
         {"missing_mask", "wrong_other", "missing_edge", "off_by_one", "wrong_stride", "dropped_operand",
          "narrow_accumulator", "missing_part", "wrong_operator", "width_as_block"})
        EXPECT_TRUE(kinds.contains(kind)) << kind;
}

TEST(Mutations, AMaskGoesWithItsDefault) {
    bool seen = false;
    for (uint64_t i = 0; i < 300; ++i) {
        Random random(2, i);
        for (const Mutation& mutation : mutations(kCode, 1, random))
            seen |= mutation.code.find("bias = tl.load(bias_ptr + col)\n") != std::string::npos;
    }
    EXPECT_TRUE(seen);
}

TEST(Mutations, TheLastBlockIsLeftOut) {
    bool seen = false;
    for (uint64_t i = 0; i < 300; ++i) {
        Random random(3, i);
        for (const Mutation& mutation : mutations(kCode, 1, random))
            seen |= mutation.code.find("[((rows // 4),)]") != std::string::npos;
    }
    EXPECT_TRUE(seen);
}

}  // namespace
}  // namespace tritonsmith::data
