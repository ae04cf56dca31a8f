#include "train/optimizer/sharded_optimizer.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "train/optimizer/gradients.h"
#include "train/parallel/testing.h"

namespace tritonsmith::train {
namespace {

at::Tensor normal_values(at::IntArrayRef shape, uint64_t seed) {
    return at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(seed), at::TensorOptions());
}

/// Parameters of several kinds whose sizes no number of processes divides.
std::vector<Parameter> some_parameters() {
    std::vector<Parameter> parameters;
    const auto add = [&](Parameter::Kind kind, at::IntArrayRef shape, std::vector<Parameter::Part> parts) {
        const auto number = static_cast<int64_t>(parameters.size());
        const at::Tensor value = normal_values(shape, static_cast<uint64_t>(number) + 1);
        parameters.push_back({.kind = kind,
                              .parts = std::move(parts),
                              .value = value,
                              .gradient = at::zeros_like(value),
                              .number = number});
    };
    add(Parameter::Kind::embedding, {7, 5}, {{"embedding", 0, 7}});
    add(Parameter::Kind::matrix, {12, 5}, {{"q", 0, 6}, {"k", 6, 3}, {"v", 9, 3}});
    add(Parameter::Kind::norm, {5}, {{"norm", 0, 5}});
    return parameters;
}

/// The gradient that a process computes in a step.
void set_gradients(const std::vector<Parameter>& parameters, int rank, int64_t step) {
    for (const Parameter& parameter : parameters)
        parameter.gradient.copy_(normal_values(
            parameter.gradient.sizes(), static_cast<uint64_t>(parameter.number * 100 + step * 10 + rank)));
}

/// @param most that weights may differ by: the norms that clip are summed in another order
void expect_same_weights(int processes, const OptimizerSettings& settings, float most) {
    constexpr int64_t steps = 4;
    const std::vector<Parameter> alone = some_parameters();
    Optimizer optimizer(alone, settings);
    for (int64_t step = 1; step <= steps; ++step) {
        std::vector<at::Tensor> sums;
        for (const Parameter& parameter : alone) sums.push_back(at::zeros_like(parameter.gradient));
        for (int rank = 0; rank < processes; ++rank) {
            set_gradients(alone, rank, step);
            for (size_t i = 0; i < alone.size(); ++i) sums[i].add_(alone[i].gradient);
        }
        for (size_t i = 0; i < alone.size(); ++i) alone[i].gradient.copy_(sums[i]);
        optimizer.step(step, 0.01, clip_scale(gradient_norm(alone), 1));
    }
    run_ranks(processes, [&](Communicator& communicator) {
        const std::vector<Parameter> parameters = some_parameters();
        ShardedOptimizer sharded(parameters, settings, communicator);
        for (int64_t step = 1; step <= steps; ++step) {
            set_gradients(parameters, communicator.rank(), step);
            const double norm = sharded.reduce_gradients();
            sharded.step(step, 0.01, clip_scale(norm, 1));
        }
        for (size_t i = 0; i < alone.size(); ++i)
            EXPECT_LE((parameters[i].value - alone[i].value).abs().max().item<float>(), most)
                << parameters[i].name();
    });
}

TEST(ShardedOptimizer, SeveralProcessesUpdateAsOneDoes) {
    for (const int processes : {1, 2, 3}) expect_same_weights(processes, {}, 1e-6f);
}

TEST(ShardedOptimizer, MuonsMatricesStayWhole) {
    for (const int processes : {2, 3})
        expect_same_weights(processes, {.method = OptimizerSettings::Method::muon}, 1e-4f);  // in bfloat16
}

TEST(ShardedOptimizer, EachKeepsItsShareOfTheStates) {
    run_ranks(2, [&](Communicator& communicator) {
        const std::vector<Parameter> parameters = some_parameters();
        const ShardedOptimizer sharded(parameters, {}, communicator);
        int64_t elements = 0;
        for (const NamedState& state : sharded.share().states()) elements += state.tensor.numel();
        EXPECT_LE(elements, (35 + 60 + 5 + 3) / 2 * 2);  // two moments of half of all
    });
}

}  // namespace
}  // namespace tritonsmith::train
