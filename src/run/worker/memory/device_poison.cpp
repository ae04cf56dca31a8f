#include "run/worker/memory/device_poison.h"

#include <ATen/ops/empty.h>

#include <map>
#include <utility>

#include "run/worker/memory/poison.h"

namespace tritonsmith::run {
namespace {

/// Two periods of the pattern on the device, another one in each process.
const at::Tensor& pattern(at::Device device, plan::DType dtype) {
    static std::map<std::pair<int, plan::DType>, at::Tensor> made;
    at::Tensor& words = made[{device.is_cpu() ? -1 : device.index(), dtype}];
    if (words.defined()) return words;
    at::Tensor host = at::empty({2 * kPoisonPeriod}, at::kLong);
    poison(static_cast<std::byte*>(host.data_ptr()), kPoisonPeriod * 8, dtype, fresh_poison());
    host.narrow(0, kPoisonPeriod, kPoisonPeriod).copy_(host.narrow(0, 0, kPoisonPeriod));
    return words = host.to(device);
}

}  // namespace

void device_poison(const at::Tensor& bytes, plan::DType dtype, uint64_t seed) {
    const int64_t count = bytes.numel(), words = count / 8, periods = words / kPoisonPeriod;
    const at::Tensor from =
        pattern(bytes.device(), dtype).narrow(0, static_cast<int64_t>(seed % kPoisonPeriod), kPoisonPeriod);
    if (words > 0) {
        at::Tensor body = bytes.narrow(0, 0, words * 8).view(at::kLong);
        if (periods > 0)
            body.narrow(0, 0, periods * kPoisonPeriod)
                .view({periods, kPoisonPeriod})
                .copy_(from.unsqueeze(0).expand({periods, kPoisonPeriod}));
        const int64_t rest = words - periods * kPoisonPeriod;
        if (rest > 0) body.narrow(0, periods * kPoisonPeriod, rest).copy_(from.narrow(0, 0, rest));
    }
    if (count % 8 != 0)
        bytes.narrow(0, words * 8, count % 8).copy_(from.view(at::kByte).narrow(0, 0, count % 8));
}

}  // namespace tritonsmith::run
