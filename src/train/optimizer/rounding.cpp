#include "train/optimizer/rounding.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

namespace tritonsmith::train {
namespace {

uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

constexpr uint64_t golden = 0x9e3779b97f4a7c15ULL;

/// z ^= z >> bits, of unsigned numbers.
void xor_shifted(at::Tensor& z, int bits) {
    const int64_t kept = static_cast<int64_t>(~uint64_t{0} >> bits);
    z.bitwise_xor_(at::bitwise_right_shift(z, at::Scalar(bits)).bitwise_and_(at::Scalar(kept)));
}

}  // namespace

uint64_t stream_of(const RoundingKey& key) {
    uint64_t z = key.seed;
    for (const int64_t part : {key.step, key.tensor, key.use})
        z = mixed(z + golden * (1 + static_cast<uint64_t>(part)));
    return z;
}

void round_stochastically(at::Tensor& to, const at::Tensor& from, const RoundingKey& key, int64_t first) {
    // SplitMix64 (Steele, Lea, Flood 2014) of each element's index; the upper 16 bits of it.
    const auto multiply = [](at::Tensor& z, uint64_t factor) {
        z.mul_(at::Scalar(static_cast<int64_t>(factor)));
    };
    at::Tensor z = at::arange(first, first + from.numel(), from.options().dtype(at::kLong));
    multiply(z, golden);
    z.add_(at::Scalar(static_cast<int64_t>(stream_of(key))));
    xor_shifted(z, 30);
    multiply(z, 0xbf58476d1ce4e5b9ULL);
    xor_shifted(z, 27);
    multiply(z, 0x94d049bb133111ebULL);
    z = at::bitwise_right_shift(z, at::Scalar(48)).bitwise_and_(at::Scalar(0xffff)).to(at::kInt);
    // What is added below the 16 bits that stay carries into them with the probability of their distance.
    const at::Tensor rounded =
        (from.view(at::kInt) + z).bitwise_and_(at::Scalar(static_cast<int>(0xffff0000))).view(at::kFloat);
    to.copy_(at::where(from.isfinite(), rounded, from));
}

}  // namespace tritonsmith::train
