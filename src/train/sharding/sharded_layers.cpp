#include "train/sharding/sharded_layers.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <stdexcept>

namespace tritonsmith::train {
namespace {

/// Tensors begin at multiples of so many elements, as far apart as allocators have them: products of tensors
/// that are aligned less may be computed by other instructions, with other bits.
constexpr int64_t alignment = 256;

int64_t rounded_up(int64_t value, int64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/// The part of a parameter that lies in a range of its layer's vector. @param first of the parameter in that
/// vector @param begin, end of the range
Parameter part_of(const Parameter& parameter, int64_t first, int64_t begin, int64_t end) {
    const int64_t from = std::max(first, begin), to = std::min(first + parameter.value.numel(), end);
    Parameter part = parameter;
    part.parts = {{parameter.name(), 0, std::max<int64_t>(to - from, 0)}};
    part.value = part.gradient = at::Tensor();
    part.first_element = from - first;
    return part;
}

}  // namespace

void ShardedLayers::divide(const model::Config& config, const model::Weights& weights, int number) {
    const at::NoGradGuard no_grad;
    if (static_cast<size_t>(number) != layers_.size())
        throw std::logic_error("layers are divided in their order");
    Layer& layer = layers_.emplace_back();
    const std::vector<Parameter> parameters = parameters_of_layer(config, weights, number);
    std::vector<int64_t> firsts;
    int64_t length = 0;
    for (const Parameter& parameter : parameters) {
        firsts.push_back(length);
        length = rounded_up(length + parameter.value.numel(), alignment);
    }
    const int64_t size = rounded_up(length, alignment * communicator_.count()) / communicator_.count(),
                  begin = communicator_.rank() * size;
    const at::TensorOptions options = parameters.front().value.options(),
                            gradient_options = options.dtype(gradients_dtype_);
    layer.weights = ReleasableMemory(size * communicator_.count(), options);
    layer.gradients = ReleasableMemory(size * communicator_.count(), gradient_options);
    layer.gradients.take();  // views of released memory cannot be made
    layer.share = at::zeros({size}, options);
    layer.gradient_share = at::zeros({size}, gradient_options);
    for (size_t i = 0; i < parameters.size(); ++i) {
        const Parameter& parameter = parameters[i];
        Parameter part = part_of(parameter, firsts[i], begin, begin + size);
        if (const int64_t count = part.parts.front().rows; count > 0) {
            const int64_t place = firsts[i] + part.first_element - begin;
            part.value = layer.share.narrow(0, place, count);
            part.gradient = layer.gradient_share.narrow(0, place, count);
            part.value.copy_(parameter.value.view(-1).narrow(0, part.first_element, count));
            shares_.push_back(std::move(part));
        }
        gradients_[parameter.value.unsafeGetTensorImpl()] =
            layer.gradients.view(firsts[i], parameter.value.sizes());
        layer.weights.adopt(parameter.value, firsts[i]);  // and releases what it had
    }
    layer.gradients.release();
}

void ShardedLayers::start_fetch(Layer& layer) {
    if (layer.is_there || layer.being_fetched) return;
    layer.weights.take();
    at::Tensor whole = layer.weights.flat();
    layer.being_fetched = communicator_.start_all_gather(whole, layer.share);
}

void ShardedLayers::fetch(int64_t layer, int64_t next) {
    Layer& now = of(layer);
    start_fetch(now);
    if (now.being_fetched) {
        now.being_fetched->wait();
        now.being_fetched.reset();
        now.is_there = true;
    }
    if (next >= 0) start_fetch(of(next));
}

void ShardedLayers::release(int64_t layer) {
    of(layer).is_there = false;
    of(layer).weights.release();
}

void ShardedLayers::begin_gradients(int64_t layer) {
    of(layer).gradients.take();
    of(layer).gradients.flat().zero_();
}

void ShardedLayers::end_gradients(int64_t layer) {
    finish_gradients();
    Layer& now = of(layer);
    reduction_.emplace(Reduction{&now, at::empty_like(now.gradient_share), nullptr});
    reduction_->pending = communicator_.start_reduce_scatter(reduction_->part, now.gradients.flat());
}

void ShardedLayers::finish_gradients() {
    if (!reduction_) return;
    reduction_->pending->wait();
    reduction_->layer->gradient_share.add_(reduction_->part);
    reduction_->layer->gradients.release();
    reduction_.reset();
}

at::Tensor ShardedLayers::gradient_of(const at::Tensor& weight) const {
    const auto found = gradients_.find(weight.unsafeGetTensorImpl());
    return found == gradients_.end() ? at::Tensor() : found->second;
}

}  // namespace tritonsmith::train
