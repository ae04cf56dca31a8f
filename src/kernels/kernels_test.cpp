#include "kernels/kernels.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <type_traits>

#include "base/error.h"

namespace tritonsmith::kernels {
namespace {

/// The library is built where nvcc is found, and loads without a GPU or a driver.
TEST(Library, IsFoundWhereItWasBuilt) {
    std::string why = "not asked";
    const bool found = find_library(&why);
    EXPECT_EQ(found, TRITONSMITH_HAS_CUDA_KERNELS) << why;
    EXPECT_EQ(why.empty(), found);
    if (!found) {
        EXPECT_NE(why.find("was not built"), std::string::npos) << why;
        EXPECT_THROW(silu_mul({}, nullptr), MachineError);
    }
}

TEST(Library, RefusalsNameTheCall) {
    std::string why;
    if (!find_library(&why)) GTEST_SKIP() << why;
    RmsNorm nothing;
    EXPECT_THROW(rms_norm(nothing, nullptr), std::invalid_argument);
    nothing.dim = 8;
    EXPECT_NO_THROW(rms_norm(nothing, nullptr)) << "no rows: nothing is launched";
    DecodeAttention attention;
    attention.head_dim = 100;
    try {
        decode_attention(attention, nullptr);
        FAIL() << "a head of 100 was accepted";
    } catch (const std::invalid_argument& error) {
        EXPECT_STREQ(error.what(), "decode_attention: head_dim 100 is not one of 32, 64, 128 and 256");
    }
}

TEST(Library, NamesTheCallThatFailed) {
    std::string why;
    if (!find_library(&why)) GTEST_SKIP() << why;
    if (::dlopen("libcuda.so.1", RTLD_LAZY))
        GTEST_SKIP() << "there is a driver, and a call that failed would spoil its context";
    RmsNorm norm;
    norm.rows = 1, norm.dim = 8;
    try {
        rms_norm(norm, nullptr);
        FAIL() << "launched without a GPU";
    } catch (const MachineError& error) {
        EXPECT_EQ(std::string(error.what()).find("rms_norm failed: cudaError"), 0u) << error.what();
    }
}

/// Arguments are copied as bytes.
#define X(function, arguments) static_assert(std::is_trivially_copyable_v<arguments>);
#include "kernels/functions.inc"
#undef X
static_assert(sizeof(DrawRow) == 40);

}  // namespace
}  // namespace tritonsmith::kernels
