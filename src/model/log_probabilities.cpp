#include <ATen/Functions.h>
#include <c10/core/DeviceGuard.h>

#include "base/error.h"
#include "model/cpu/kernels.h"
#include "model/cpu/parallel.h"
#include "model/cuda/operators.h"
#include "model/model.h"

namespace tritonsmith::model {

at::Tensor log_probabilities(const at::Tensor& logits, const at::Tensor& targets) {
    if (logits.dim() != 2 || targets.dim() != 1 || logits.size(0) != targets.size(0) ||
        logits.scalar_type() != at::kFloat)
        throw InputError("log-probabilities need float32 logits [n, vocabulary] and targets [n]");
    if (!logits.is_cpu()) {
        const c10::OptionalDeviceGuard device(logits.device());
        return cuda_log_probabilities(logits, targets);
    }
    const at::Tensor rows = logits.contiguous(), index = targets.contiguous();
    const int64_t n = rows.size(0), vocabulary = rows.size(1);
    at::Tensor out = at::empty({n}, at::kFloat);
    const float* from = rows.const_data_ptr<float>();
    const auto* target = index.const_data_ptr<int64_t>();
    float* to = out.mutable_data_ptr<float>();
    for (int64_t i = 0; i < n; ++i)
        if (target[i] < 0 || target[i] >= vocabulary)
            throw InputError("token " + std::to_string(target[i]) + " is not in the vocabulary of " +
                             std::to_string(vocabulary));
    parallel_for(n, 1, [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i) {
            const float* row = from + i * vocabulary;
            to[i] = static_cast<float>(static_cast<double>(row[target[i]]) -
                                       cpu_kernels().log_sum_exp(row, vocabulary));
        }
    });
    return out;
}

}  // namespace tritonsmith::model
