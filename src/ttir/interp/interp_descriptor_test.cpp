// What the hardware demands of tensor descriptors.
#include "ttir/interp/interp_testing.h"

namespace tritonsmith::ttir {
namespace {

using testing::find;
using testing::Kernel;

/// Loads a box of 4 x 8 f16 of a tensor [rows, 8] whose rows lie `stride` elements apart, `first` elements
/// behind the start of the buffer.
Finding loaded(int64_t rows, int64_t stride, int64_t first, bool aligned, int64_t last_stride = 1) {
    Kernel k(R"(module {
  tt.func public @k(%x: !tt.ptr<f16>, %y: !tt.ptr<f16>, %rows: i32, %stride: i64, %first: i32, %last: i64) {
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    %p = tt.addptr %x, %first : !tt.ptr<f16>, i32
    %d = tt.make_tensor_descriptor %p, [%rows, %c8], [%stride, %last] : <f16>, <tensor<4x8xf16>>
    %v = tt.descriptor_load %d[%c0, %c0] : !tt.tensordesc<tensor<4x8xf16>> -> tensor<4x8xf16>
    tt.return
  }
}
)");
    k.in<uint16_t>(std::vector<uint16_t>(256));
    k.out<uint16_t>(256);
    k.arg(rows);
    k.arg(stride);
    k.arg(first);
    k.arg(last_stride);
    k.options.aligned_descriptors = aligned;
    const LaunchReport report = k.run();
    EXPECT_EQ(report.unsupported, "");
    return report.findings.empty() ? Finding{} : report.findings.front();
}

TEST(Descriptor, StridesAreMultiplesOfSixteenBytes) {
    EXPECT_EQ(loaded(4, 8, 0, true).reason, "");
    EXPECT_EQ(loaded(4, 24, 8, true).reason, "");
    const Finding wrong = loaded(4, 12, 0, true);
    EXPECT_EQ(wrong.reason, "misaligned_access");
    EXPECT_NE(wrong.message.find("dimension 0 has a stride of 24 bytes"), std::string::npos) << wrong.message;
    EXPECT_EQ(loaded(4, 12, 0, false).reason, "");
    EXPECT_EQ(loaded(1, 12, 0, true).reason, "") << "the stride of a single row is never used";
}

TEST(Descriptor, TheLastDimensionIsContiguous) {
    EXPECT_EQ(loaded(4, 16, 0, true, 2).reason, "misaligned_access");
}

TEST(Descriptor, TheBaseIsAMultipleOfSixteenBytes) {
    const Finding wrong = loaded(4, 8, 3, true);
    EXPECT_EQ(wrong.reason, "misaligned_access");
    EXPECT_NE(wrong.message.find("6 bytes behind"), std::string::npos) << wrong.message;
    EXPECT_EQ(loaded(4, 8, 3, false).reason, "");
}

}  // namespace
}  // namespace tritonsmith::ttir
