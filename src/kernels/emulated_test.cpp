#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "kernels/abi.h"
#include "kernels/testing/checks.h"

namespace tritonsmith::kernels::emulation {
enum class Landing { late, at_once };
void set_landing(Landing landing);
}  // namespace tritonsmith::kernels::emulation

/// Checks the CUDA sources without a GPU: compiled for the CPU and run thread by thread.
namespace tritonsmith::kernels {
namespace {

class Emulated final : public testing::Machine {
  public:
    void* allocate(size_t bytes) override {
        void* memory = nullptr;
        if (::posix_memalign(&memory, 256, std::max<size_t>(bytes, 1))) throw std::bad_alloc();
        memory_.emplace_back(memory, std::free);
        return memory;
    }
    void to_device(void* to, const void* from, size_t bytes) override {
        std::copy_n(static_cast<const char*>(from), bytes, static_cast<char*>(to));
    }
    void from_device(void* to, const void* from, size_t bytes) override { to_device(to, from, bytes); }
    bool is_fast() const override { return false; }
#define X(function, arguments)                                                                               \
    void function(const arguments& a) override {                                                             \
        if (tritonsmith_##function(&a, nullptr)) throw std::runtime_error(tritonsmith_kernels_error_text()); \
    }
#include "kernels/functions.inc"
#undef X

  private:
    std::vector<std::unique_ptr<void, void (*)(void*)>> memory_;  ///< to the byte, for AddressSanitizer
};

class EmulatedKernels : public ::testing::TestWithParam<emulation::Landing> {
  protected:
    void SetUp() override { emulation::set_landing(GetParam()); }
    Emulated machine_;
};

using EmulatedCopyingKernels = EmulatedKernels;
INSTANTIATE_TEST_SUITE_P(Late, EmulatedKernels, ::testing::Values(emulation::Landing::late));
INSTANTIATE_TEST_SUITE_P(Late, EmulatedCopyingKernels, ::testing::Values(emulation::Landing::late));
INSTANTIATE_TEST_SUITE_P(AtOnce, EmulatedCopyingKernels, ::testing::Values(emulation::Landing::at_once));

TEST_P(EmulatedKernels, RmsNorm) {
    testing::check_rms_norm(machine_);
}
TEST_P(EmulatedKernels, AddRmsNorm) {
    testing::check_add_rms_norm(machine_);
}
TEST_P(EmulatedKernels, SiluMul) {
    testing::check_silu_mul(machine_);
}
TEST_P(EmulatedKernels, RmsNormBackward) {
    testing::check_rms_norm_backward(machine_);
}
TEST_P(EmulatedKernels, RotateBackward) {
    testing::check_rotate_backward(machine_);
}
TEST_P(EmulatedKernels, SiluMulBackward) {
    testing::check_silu_mul_backward(machine_);
}
TEST_P(EmulatedKernels, LogitsGradient) {
    testing::check_logits_gradient(machine_);
}
TEST_P(EmulatedKernels, AdamW) {
    testing::check_adamw(machine_);
}
TEST_P(EmulatedKernels, CountAlike) {
    testing::check_count_alike(machine_);
}
TEST_P(EmulatedKernels, ElementLimits) {
    testing::check_element_limits(machine_);
}
TEST_P(EmulatedKernels, CompareElements) {
    testing::check_compare_elements(machine_);
}
TEST_P(EmulatedKernels, QuantiseRows) {
    testing::check_quantise_rows(machine_);
}
TEST_P(EmulatedKernels, RotateAndStore) {
    testing::check_rotate_and_store(machine_);
}
TEST_P(EmulatedKernels, GatherCache) {
    testing::check_gather_cache(machine_);
}
TEST_P(EmulatedKernels, SampleTokens) {
    testing::check_sample_tokens(machine_);
}
TEST_P(EmulatedKernels, LogProbabilities) {
    testing::check_log_probabilities(machine_);
}
TEST_P(EmulatedKernels, Refusals) {
    testing::check_refusals(machine_);
}
TEST_P(EmulatedCopyingKernels, DecodeAttention) {
    testing::check_decode_attention(machine_);
}
TEST_P(EmulatedCopyingKernels, DecodeAttentionIsExact) {
    testing::check_decode_attention_is_exact(machine_, false);
}
TEST_P(EmulatedKernels, RotateAndStoreScaled) {
    testing::check_rotate_and_store_scaled(machine_);
}
TEST_P(EmulatedKernels, GatherScaledCache) {
    testing::check_gather_scaled_cache(machine_);
}
TEST_P(EmulatedCopyingKernels, DecodeScaledAttention) {
    testing::check_decode_scaled_attention(machine_);
}
TEST_P(EmulatedCopyingKernels, DecodeScaledAttentionIsExact) {
    testing::check_decode_attention_is_exact(machine_, true);
}

TEST_P(EmulatedCopyingKernels, SharedPrefixes) {
    testing::check_shared_prefixes(machine_);
}

}  // namespace
}  // namespace tritonsmith::kernels
