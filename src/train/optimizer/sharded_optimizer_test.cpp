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
            sharded.finish_values();
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

/// As a model of two layers has them.
std::vector<Parameter> parameters_of_layers() {
    std::vector<Parameter> parameters = some_parameters();
    parameters[1].layer = 0;
    parameters.push_back(parameters[1]);
    parameters.back().value = normal_values({12, 5}, 9);
    parameters.back().gradient = at::zeros({12, 5});
    parameters.back().number = 3;
    parameters.back().layer = 1;
    return parameters;
}

/// Counts what is started.
class CountingCommunicator : public Communicator {
  public:
    explicit CountingCommunicator(Communicator& inner) : inner_(inner) {}
    int rank() const override { return inner_.rank(); }
    int count() const override { return inner_.count(); }
    void all_reduce(at::Tensor& tensor) override { inner_.all_reduce(tensor); }
    void reduce_scatter(at::Tensor& part, const at::Tensor& whole) override {
        inner_.reduce_scatter(part, whole);
    }
    void all_gather(at::Tensor& whole, const at::Tensor& part) override { inner_.all_gather(whole, part); }
    void broadcast(at::Tensor& tensor, int from) override { inner_.broadcast(tensor, from); }
    std::unique_ptr<Pending> start_reduce_scatter(at::Tensor& part, const at::Tensor& whole) override {
        ++sums;
        return inner_.start_reduce_scatter(part, whole);
    }
    std::unique_ptr<Pending> start_all_gather(at::Tensor& whole, const at::Tensor& part) override {
        ++gathers;
        return inner_.start_all_gather(whole, part);
    }
    void barrier() override { inner_.barrier(); }

    int sums = 0, gathers = 0;

  private:
    Communicator& inner_;
};

TEST(ShardedOptimizer, SendsALayersGradientsOnceThePassHasLeftIt) {
    run_ranks(2, [&](Communicator& communicator) {
        const std::vector<Parameter> parameters = parameters_of_layers();
        CountingCommunicator counting(communicator);
        ShardedOptimizer alone(parameters, {}, counting, {}, {.bucket = 1});
        alone.send_gradients(1);
        EXPECT_EQ(counting.sums, 2) << "the layer's matrix, and the norm behind all layers";
        alone.send_gradients(0);
        EXPECT_EQ(counting.sums, 3);
        alone.reduce_gradients();
        EXPECT_EQ(counting.sums, 4) << "the embedding";
        alone.step(1, 0.01, 1);
        EXPECT_EQ(counting.gathers, 4);
        alone.finish_values();
        ShardedOptimizer joined(parameters, {}, counting);
        joined.reduce_gradients();
        EXPECT_EQ(counting.sums, 5);
    });
}

TEST(ShardedOptimizer, ValuesArriveInTheOrderOfAForwardPass) {
    for (const int processes : {2, 3})
        run_ranks(processes, [&](Communicator& communicator) {
            const std::vector<Parameter> parameters = parameters_of_layers();
            // Each tensor is sent alone, two at a time.
            ShardedOptimizer sharded(parameters, {}, communicator, {}, {.bucket = 1, .in_flight = 600});
            set_gradients(parameters, communicator.rank(), 1);
            sharded.send_gradients(1);
            sharded.send_gradients(0);
            sharded.reduce_gradients();
            sharded.step(1, 0.01, 1);
            std::vector<at::Tensor> values;
            sharded.receive_values(0);
            for (const size_t i : {0, 1}) values.push_back(parameters[i].value.clone());
            sharded.finish_values();
            for (const size_t i : {0, 1}) EXPECT_TRUE(at::equal(values[i], parameters[i].value)) << i;
            for (const Parameter& parameter : parameters) {  // the same on all
                at::Tensor sum = parameter.value.clone();
                communicator.broadcast(sum, 0);
                EXPECT_TRUE(at::equal(sum, parameter.value)) << parameter.number;
            }
        });
}

TEST(ShardedOptimizer, SumsMoreNumbersWithTheNorm) {
    run_ranks(3, [&](Communicator& communicator) {
        const std::vector<Parameter> parameters = some_parameters();
        ShardedOptimizer sharded(parameters, {}, communicator);
        const at::Tensor more = at::arange(1, 3, at::kDouble) * (communicator.rank() + 1);
        sharded.reduce_gradients(more);
        EXPECT_TRUE(at::equal(more, at::arange(1, 3, at::kDouble) * 6));
    });
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
