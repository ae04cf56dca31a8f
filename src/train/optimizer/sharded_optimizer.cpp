#include "train/optimizer/sharded_optimizer.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>

#include "train/optimizer/gradients.h"

namespace tritonsmith::train {
namespace {

/// A flat tensor with zeros up to a length.
at::Tensor padded(const at::Tensor& flat, int64_t length) {
    if (flat.numel() == length) return flat;
    at::Tensor longer = at::zeros({length}, flat.options());
    longer.narrow(0, 0, flat.numel()).copy_(flat);
    return longer;
}

}  // namespace

ShardedOptimizer::ShardedOptimizer(const std::vector<Parameter>& parameters,
                                   const OptimizerSettings& settings, Communicator& communicator,
                                   const std::vector<Parameter>& shares)
    : communicator_(communicator), shares_(shares) {
    divide(parameters, settings);
    std::vector<Parameter> own;
    for (Division& division : divisions_) {
        if (communicator_.count() == 1) {
            own.push_back(division.whole);
        } else if (division.flat) {
            own.push_back(range_of(division));
        } else {
            for (size_t i = 0; i < division.owners.size(); ++i) {
                if (division.owners[i] != communicator_.rank()) continue;
                const Parameter& whole = division.whole;
                const Parameter::Part& part = whole.parts[i];
                own.push_back({.kind = whole.kind,
                               .parts = {{whole.name(), 0, part.rows}},
                               .value = whole.value.narrow(0, part.first, part.rows),
                               .gradient = whole.gradient.narrow(0, part.first, part.rows),
                               .number = whole.number,
                               .first_element = part.first * whole.value.size(1)});
            }
        }
    }
    own.insert(own.end(), shares.begin(), shares.end());
    optimizer_ = std::make_unique<Optimizer>(std::move(own), settings);
}

void ShardedOptimizer::divide(const std::vector<Parameter>& parameters, const OptimizerSettings& settings) {
    std::vector<int64_t> owned(static_cast<size_t>(communicator_.count()));
    for (const Parameter& parameter : parameters) {
        Division division{.whole = parameter, .flat = true, .size = 0, .gradient_share = {}, .owners = {}};
        if (settings.method == OptimizerSettings::Method::muon && parameter.kind == Parameter::Kind::matrix) {
            division.flat = false;
            for (const Parameter::Part& part : parameter.parts) {  // to whoever has least
                const auto least = std::min_element(owned.begin(), owned.end());
                division.owners.push_back(static_cast<int>(least - owned.begin()));
                *least += part.rows * parameter.value.size(1);
            }
        } else {
            division.size = (parameter.value.numel() + communicator_.count() - 1) / communicator_.count();
        }
        divisions_.push_back(std::move(division));
    }
}

/// The own range of a tensor that is divided by elements.
Parameter ShardedOptimizer::range_of(Division& division) const {
    const Parameter& whole = division.whole;
    division.gradient_share = at::zeros({division.size}, whole.gradient.options());
    const int64_t first = std::min(whole.value.numel(), communicator_.rank() * division.size),
                  count = std::min(division.size, whole.value.numel() - first);
    return {.kind = whole.kind,
            .parts = {{whole.name(), 0, count}},
            .value = whole.value.view(-1).narrow(0, first, count),
            .gradient = division.gradient_share.narrow(0, 0, count),
            .number = whole.number,
            .first_element = first};
}

void ShardedOptimizer::reduce(Division& division) {
    at::Tensor gradient = division.whole.gradient;
    if (division.flat)
        communicator_.reduce_scatter(division.gradient_share,
                                     padded(gradient.view(-1), division.size * communicator_.count()));
    else
        communicator_.all_reduce(gradient);
}

double ShardedOptimizer::reduce_gradients() {
    const at::NoGradGuard no_grad;
    if (communicator_.count() == 1) return gradient_norm(optimizer_->parameters());
    for (Division& division : divisions_) reduce(division);
    const double own = gradient_norm(optimizer_->parameters());
    at::Tensor square = at::full({1}, own * own, divisions_.front().whole.value.options().dtype(at::kFloat));
    communicator_.all_reduce(square);
    return std::sqrt(square.item<double>());
}

void ShardedOptimizer::step(int64_t number, double learning_rate, double gradient_scale) {
    const at::NoGradGuard no_grad;
    optimizer_->step(number, learning_rate, gradient_scale);
    if (communicator_.count() == 1) return;
    for (const Division& division : divisions_) collect(division);
}

void ShardedOptimizer::collect(const Division& division) {
    const at::Tensor& value = division.whole.value;
    if (!division.flat) {
        for (size_t i = 0; i < division.owners.size(); ++i) {
            const Parameter::Part& part = division.whole.parts[i];
            at::Tensor rows = value.narrow(0, part.first, part.rows);
            communicator_.broadcast(rows, division.owners[i]);
        }
        return;
    }
    const int64_t length = division.size * communicator_.count();
    at::Tensor flat = value.view(-1),
               whole = flat.numel() == length ? flat : at::empty({length}, flat.options());
    const int64_t first = std::min(flat.numel(), communicator_.rank() * division.size);
    const at::Tensor own = flat.narrow(0, first, std::min(division.size, flat.numel() - first));
    communicator_.all_gather(whole, padded(own, division.size));
    if (!whole.is_same(flat)) flat.copy_(whole.narrow(0, 0, flat.numel()));
}

void ShardedOptimizer::clear_gradients() {
    std::vector<Parameter> all = shares_;
    for (const Division& division : divisions_) all.push_back(division.whole);
    train::clear_gradients(all);
}

}  // namespace tritonsmith::train
