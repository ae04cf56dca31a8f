#include "grpo/sampling_policy.h"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>

#include "grpo/device_work.h"

namespace tritonsmith::grpo {
namespace {

/// Complete when it returns: the engine's stream is another one.
void copy_weights(const std::vector<at::Tensor>& from, const model::Model& into) {
    const at::NoGradGuard no_grad;
    const std::vector<at::Tensor> tensors = into.tensors();
    for (size_t i = 0; i < tensors.size(); ++i) tensors[i].copy_(from[i]);
    wait_for(into.options().device);
}

}  // namespace

SamplingPolicy::SamplingPolicy(const model::Model& trained,
                               const std::optional<std::filesystem::path>& checkpoint)
    : trained_(trained), model_(trained.copy()) {
    if (checkpoint)
        copy_weights(model::Model::load(*checkpoint / "sampler", trained.options()).tensors(), model_);
    wait_for(trained.options().device);
}

void SamplingPolicy::renew() {
    copy_weights(trained_.tensors(), model_);
}

SamplingPolicy::Renewed::Renewed(SamplingPolicy& policy) : policy_(policy) {
    const at::NoGradGuard no_grad;
    for (const at::Tensor& tensor : policy.model_.tensors())
        before_.push_back(tensor.to(at::kCPU, tensor.scalar_type(), /*non_blocking=*/false, /*copy=*/true));
    policy.renew();
}

SamplingPolicy::Renewed::~Renewed() {
    copy_weights(before_, policy_.model_);
}

}  // namespace tritonsmith::grpo
