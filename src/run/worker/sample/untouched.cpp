#include "run/worker/sample/untouched.h"

#include <algorithm>
#include <cstring>

#include "plan/ir/json.h"
#include "plan/ir/tensor_position.h"
#include "run/worker/sample/elements.h"

namespace tritonsmith::run::sample {

namespace {

/// One in two hundred is found with a probability of 99 %.
constexpr int kElements = 1024;

}  // namespace

Untouched::Untouched(const ttir::ByteRanges& may_write, const plan::Tensor& tensor, ttir::Buffer& buffer,
                     std::mt19937_64& random)
    : tensor_(tensor), buffer_(buffer), elements_(elements_within(may_write, tensor, kElements, random)) {
    for (int64_t index : elements_) before_.push_back(bits_of(index));
}

std::vector<int64_t> Untouched::find(size_t most) const {
    std::vector<int64_t> out;
    for (size_t i = 0; i < elements_.size() && out.size() < most; i++)
        if (bits_of(elements_[i]) == before_[i]) out.push_back(elements_[i]);
    return out;
}

uint64_t Untouched::bits_of(int64_t index) const {
    const int64_t size = std::min<int64_t>(plan::element_size(tensor_.dtype), 8),
                  at = plan::storage_offset(tensor_, index) * plan::element_size(tensor_.dtype);
    uint64_t bits = 0;
    if (at < 0 || at + size > buffer_.bytes()) return bits;
    buffer_.ensure(at, size);
    std::memcpy(&bits, buffer_.data() + at, static_cast<size_t>(size));
    return bits;
}

}  // namespace tritonsmith::run::sample
