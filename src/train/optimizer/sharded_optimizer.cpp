#include "train/optimizer/sharded_optimizer.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>

#include "train/optimizer/gradients.h"

namespace tritonsmith::train {
namespace {

/// Which process updates what: with Muon whole matrices, of other tensors equal ranges of elements, the last
/// ones of which may be shorter.
std::vector<OwnedRange> divide(const std::vector<Parameter>& parameters, const OptimizerSettings& settings,
                               int processes) {
    std::vector<OwnedRange> ranges;
    std::vector<int64_t> owned(static_cast<size_t>(processes));
    for (size_t i = 0; i < parameters.size(); ++i) {
        const Parameter& parameter = parameters[i];
        const int64_t elements = parameter.value.numel();
        if (settings.method == OptimizerSettings::Method::muon && parameter.kind == Parameter::Kind::matrix) {
            const int64_t columns = parameter.value.size(1);
            for (const Parameter::Part& part : parameter.parts) {  // to whoever has least
                const auto least = std::min_element(owned.begin(), owned.end());
                ranges.push_back({.parameter = i,
                                  .owner = static_cast<int>(least - owned.begin()),
                                  .first = part.first * columns,
                                  .count = part.rows * columns});
                *least += ranges.back().count;
            }
            continue;
        }
        const int64_t size = (elements + processes - 1) / processes;
        for (int owner = 0; owner < processes; ++owner) {
            const int64_t first = std::min(elements, owner * size);
            ranges.push_back(
                {.parameter = i, .owner = owner, .first = first, .count = std::min(size, elements - first)});
        }
    }
    return ranges;
}

/// @param sum of the range's gradients, [count]
Parameter owned_part(const Parameter& whole, const OwnedRange& range, const at::Tensor& sum, bool is_matrix) {
    const at::Tensor value = whole.value.view(-1).narrow(0, range.first, range.count);
    const int64_t columns = is_matrix ? whole.value.size(1) : 1, rows = range.count / columns;
    const auto shaped = [&](const at::Tensor& flat) { return is_matrix ? flat.view({rows, columns}) : flat; };
    return {.kind = whole.kind,
            .parts = {{whole.name(), 0, rows}},
            .value = shaped(value),
            .gradient = shaped(sum),
            .number = whole.number,
            .layer = whole.layer,
            .first_element = range.first};
}

int64_t layers_of(const std::vector<Parameter>& parameters, const std::vector<Parameter>& shares) {
    int64_t last = -1;
    for (const std::vector<Parameter>* all : {&parameters, &shares})
        for (const Parameter& parameter : *all) last = std::max(last, parameter.layer);
    return last + 1;
}

}  // namespace

ShardedOptimizer::ShardedOptimizer(const std::vector<Parameter>& parameters,
                                   const OptimizerSettings& settings, Communicator& communicator,
                                   const std::vector<Parameter>& shares, const ExchangeSettings& exchange)
    : whole_(parameters), shares_(shares), communicator_(communicator) {
    std::vector<Parameter> own;
    if (communicator.count() == 1) {
        own = parameters;
    } else {
        const std::vector<OwnedRange> ranges = divide(parameters, settings, communicator.count());
        exchange_.emplace(parameters, ranges, layers_of(parameters, shares), communicator, exchange);
        for (size_t i = 0; i < ranges.size(); ++i) {
            if (ranges[i].owner != communicator.rank()) continue;
            const Parameter& whole = parameters[ranges[i].parameter];
            own.push_back(owned_part(
                whole, ranges[i], exchange_->sum_of(i),
                settings.method == OptimizerSettings::Method::muon && whole.kind == Parameter::Kind::matrix));
        }
    }
    own.insert(own.end(), shares.begin(), shares.end());
    optimizer_ = std::make_unique<Optimizer>(std::move(own), settings);
}

void ShardedOptimizer::send_gradients(int64_t layer) {
    if (exchange_) exchange_->send_gradients(layer);
}

double ShardedOptimizer::reduce_gradients(at::Tensor more) {
    const at::NoGradGuard no_grad;
    if (!exchange_) return gradient_norm(optimizer_->parameters());
    exchange_->finish_gradients();
    at::Tensor sums = gradient_square(optimizer_->parameters(), whole_.front().value.device()).to(at::kFloat);
    sums = more.defined() ? at::cat({sums.view({1}), more.to(at::kFloat)}) : sums.view({1}).clone();
    communicator_.all_reduce(sums);  // one for all, since each is waited for
    if (more.defined()) more.copy_(sums.narrow(0, 1, more.numel()));
    return std::sqrt(sums[0].item<double>());
}

void ShardedOptimizer::step(int64_t number, double learning_rate, double gradient_scale) {
    const at::NoGradGuard no_grad;
    optimizer_->step(number, learning_rate, gradient_scale);
    if (!exchange_) return;
    exchange_->send_values();
    exchange_->receive_values(-1);
}

void ShardedOptimizer::receive_values(int64_t layer) {
    if (exchange_) exchange_->receive_values(layer);
}

void ShardedOptimizer::finish_values() {
    if (exchange_) exchange_->finish_values();
}

void ShardedOptimizer::clear_gradients() {
    std::vector<Parameter> all = shares_;
    all.insert(all.end(), whole_.begin(), whole_.end());
    train::clear_gradients(all);
}

}  // namespace tritonsmith::train
