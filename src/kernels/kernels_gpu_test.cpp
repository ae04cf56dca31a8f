#include "cuda/gpu_testing.h"
#include "kernels/kernels.h"
#include "kernels/testing/checks.h"

/// The checks of emulated_test.cpp on a device, also with the shapes of models.
namespace tritonsmith::kernels {
namespace {

class Device final : public testing::Machine {
  public:
    ~Device() override {
        for (CUdeviceptr memory : memory_) cuda::driver().cuMemFree(memory);
    }
    void* allocate(size_t bytes) override {
        CUdeviceptr memory = 0;
        TRITONSMITH_CU(cuMemAlloc, &memory, bytes > 0 ? bytes : 1);
        memory_.push_back(memory);
        return reinterpret_cast<void*>(memory);
    }
    void to_device(void* to, const void* from, size_t bytes) override {
        if (bytes > 0) TRITONSMITH_CU(cuMemcpyHtoD, reinterpret_cast<CUdeviceptr>(to), from, bytes);
    }
    void from_device(void* to, const void* from, size_t bytes) override {
        TRITONSMITH_CU(cuCtxSynchronize);
        if (bytes > 0) TRITONSMITH_CU(cuMemcpyDtoH, to, reinterpret_cast<CUdeviceptr>(from), bytes);
    }
    bool is_fast() const override { return true; }
#define X(function, arguments)                   \
    void function(const arguments& a) override { \
        kernels::function(a, nullptr);           \
    }
#include "kernels/functions.inc"
#undef X

  private:
    std::vector<CUdeviceptr> memory_;
};

class KernelsOnDevice : public cuda::OnDevice {
  protected:
    void SetUp() override {
        cuda::OnDevice::SetUp();
        if (IsSkipped()) return;
        std::string why;
        ASSERT_TRUE(find_library(&why)) << why;
    }
    Device machine_;
};

TEST_F(KernelsOnDevice, RmsNorm) {
    testing::check_rms_norm(machine_);
}
TEST_F(KernelsOnDevice, AddRmsNorm) {
    testing::check_add_rms_norm(machine_);
}
TEST_F(KernelsOnDevice, SiluMul) {
    testing::check_silu_mul(machine_);
}
TEST_F(KernelsOnDevice, RmsNormBackward) {
    testing::check_rms_norm_backward(machine_);
}
TEST_F(KernelsOnDevice, RotateBackward) {
    testing::check_rotate_backward(machine_);
}
TEST_F(KernelsOnDevice, SiluMulBackward) {
    testing::check_silu_mul_backward(machine_);
}
TEST_F(KernelsOnDevice, LogitsGradient) {
    testing::check_logits_gradient(machine_);
}
TEST_F(KernelsOnDevice, AdamW) {
    testing::check_adamw(machine_);
}
TEST_F(KernelsOnDevice, CountAlike) {
    testing::check_count_alike(machine_);
}
TEST_F(KernelsOnDevice, ElementLimits) {
    testing::check_element_limits(machine_);
}
TEST_F(KernelsOnDevice, CompareElements) {
    testing::check_compare_elements(machine_);
}
TEST_F(KernelsOnDevice, QuantiseRows) {
    testing::check_quantise_rows(machine_);
}
TEST_F(KernelsOnDevice, RotateAndStore) {
    testing::check_rotate_and_store(machine_);
}
TEST_F(KernelsOnDevice, GatherCache) {
    testing::check_gather_cache(machine_);
}
TEST_F(KernelsOnDevice, DecodeAttention) {
    testing::check_decode_attention(machine_);
}
TEST_F(KernelsOnDevice, DecodeAttentionIsExact) {
    testing::check_decode_attention_is_exact(machine_, false);
}
TEST_F(KernelsOnDevice, RotateAndStoreScaled) {
    testing::check_rotate_and_store_scaled(machine_);
}
TEST_F(KernelsOnDevice, GatherScaledCache) {
    testing::check_gather_scaled_cache(machine_);
}
TEST_F(KernelsOnDevice, DecodeScaledAttention) {
    testing::check_decode_scaled_attention(machine_);
}
TEST_F(KernelsOnDevice, DecodeScaledAttentionIsExact) {
    testing::check_decode_attention_is_exact(machine_, true);
}
TEST_F(KernelsOnDevice, SharedPrefixes) {
    testing::check_shared_prefixes(machine_);
}
TEST_F(KernelsOnDevice, SampleTokens) {
    testing::check_sample_tokens(machine_);
}
TEST_F(KernelsOnDevice, LogProbabilities) {
    testing::check_log_probabilities(machine_);
}
TEST_F(KernelsOnDevice, Refusals) {
    testing::check_refusals(machine_);
}

}  // namespace
}  // namespace tritonsmith::kernels
