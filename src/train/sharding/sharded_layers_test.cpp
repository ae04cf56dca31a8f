#include "train/sharding/sharded_layers.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "train/network/network.h"
#include "train/parallel/testing.h"

namespace tritonsmith::train {
namespace {

constexpr int64_t layer_count = 4;

/// Layers that have bytes.
int64_t there(const model::Weights& weights) {
    return std::count_if(weights.layers.begin(), weights.layers.end(), [](const auto& layer) {
        return layer.down.values.defined() && layer.down.values.storage().nbytes() > 0;
    });
}

/// @param layers that divide the model as it is drawn, or null
model::Model some_model(ShardedLayers* layers = nullptr) {
    model::Config config;
    config.family = "qwen3";
    config.vocabulary = 50;
    config.hidden = 24;
    config.intermediate = 40;
    config.layers = layer_count;
    config.heads = 2;
    config.kv_heads = 1;
    config.head_dim = 8;
    config.positions = 64;
    config.qk_norm = true;
    model::Model::Options options{.dtype = at::kFloat, .plain = true, .copied = true};
    if (layers != nullptr)
        options.loaded = [=](const model::Weights& weights, int layer) {
            layers->divide(config, weights, layer);
            EXPECT_EQ(there(weights), 0);
        };
    return model::Model::random(config, options, 1);
}

/// Counts the layers that have weights, or gradients, in memory whenever one is asked for.
class Watched : public LayerMemory {
  public:
    Watched(ShardedLayers& layers, const model::Model& model, const model::Weights& gradients)
        : layers_(layers), weights_(model.weights()), gradients_(gradients) {}
    void fetch(int64_t layer, int64_t next) override {
        layers_.fetch(layer, next);
        count();
    }
    void begin_gradients(int64_t layer) override {
        layers_.begin_gradients(layer);
        count();
    }
    void end_gradients(int64_t layer) override {
        layers_.end_gradients(layer);
        count();
    }
    void release(int64_t layer) override { layers_.release(layer); }

    int64_t most_weights = 0, most_gradients = 0;

  private:
    void count() {
        most_weights = std::max(most_weights, there(weights_));
        most_gradients = std::max(most_gradients, there(gradients_));
    }
    ShardedLayers& layers_;
    const model::Weights &weights_, &gradients_;
};

/// One pass on tokens of the rank's own. @return hidden states
at::Tensor pass(const Network& network, int rank, model::Weights& gradients) {
    Tape tape;
    const Documents documents{at::arange(20) * (rank + 3) % 50, {8, 12}};
    const at::Tensor hidden = network.forward(documents, tape);
    network.backward(hidden.sin(), tape, gradients);
    return hidden;
}

void expect_same_as_whole(int processes, Recompute recompute) {
    // All processes' gradients, two passes each, in the order in which they are added up.
    const model::Model whole = some_model();
    const Network network(whole, recompute);
    std::vector<at::Tensor> hidden;
    model::Weights sums = zero_gradients(whole, at::kFloat);
    for (int passes = 0; passes < 2; ++passes) {
        model::Weights of_pass = zero_gradients(whole, at::kFloat);
        for (int rank = 0; rank < processes; ++rank) {
            model::Weights own = zero_gradients(whole, at::kFloat);
            hidden.push_back(pass(network, rank + passes, own));
            const auto to = parameters_of(whole, of_pass), from = parameters_of(whole, own);
            for (size_t i = 0; i < to.size(); ++i) to[i].gradient.add_(from[i].gradient);
        }
        const auto to = parameters_of(whole, sums), from = parameters_of(whole, of_pass);
        for (size_t i = 0; i < to.size(); ++i) to[i].gradient.add_(from[i].gradient);
    }
    const std::vector<Parameter> expected = parameters_of(whole, sums);

    run_ranks(processes, [&](Communicator& communicator) {
        ShardedLayers layers(at::kFloat, communicator);
        const model::Model model = some_model(&layers);
        model::Weights gradients = make_gradients(model, [&](const at::Tensor& weight) {
            const at::Tensor own = layers.gradient_of(weight);
            return own.defined() ? own : at::zeros_like(weight);
        });
        Watched watched(layers, model, gradients);
        const Network divided(model, recompute, nullptr, &watched);
        EXPECT_EQ(there(model.weights()), 0);
        for (int passes = 0; passes < 2; ++passes) {
            const auto place = static_cast<size_t>(passes * processes + communicator.rank());
            EXPECT_TRUE(at::equal(pass(divided, communicator.rank() + passes, gradients), hidden[place]));
        }
        layers.finish_gradients();
        EXPECT_EQ(watched.most_weights, 2);
        EXPECT_EQ(watched.most_gradients, 2);
        EXPECT_EQ(there(model.weights()), 0);
        EXPECT_EQ(there(gradients), 0);
        int64_t elements = 0;
        for (const Parameter& share : layers.shares()) {
            const Parameter& parameter = expected[static_cast<size_t>(share.number)];
            EXPECT_EQ(share.kind, parameter.kind);
            EXPECT_EQ(share.layer, parameter.layer);
            const auto part = [&](const at::Tensor& tensor) {
                return tensor.view(-1).narrow(0, share.first_element, share.value.numel());
            };
            EXPECT_TRUE(at::equal(share.value, part(parameter.value))) << share.name();
            EXPECT_TRUE(at::equal(share.gradient, part(parameter.gradient))) << share.name();
            elements += share.value.numel();
        }
        at::Tensor all = at::full({1}, static_cast<double>(elements));
        communicator.all_reduce(all);
        int64_t in_layers = 0;
        for (const Parameter& parameter : expected)
            if (parameter.layer >= 0) in_layers += parameter.value.numel();
        EXPECT_EQ(all.item<float>(), static_cast<float>(in_layers));
        EXPECT_LT(elements, in_layers / processes + layer_count * 256 * 10);
    });
}

TEST(ShardedLayers, GiveThePassesOfWholeOnes) {
    for (const int processes : {2, 3})
        for (const Recompute recompute : {Recompute::nothing, Recompute::elementwise, Recompute::layer})
            expect_same_as_whole(processes, recompute);
}

TEST(ShardedLayers, ForwardAloneReleasesAll) {
    const model::Model whole = some_model();
    const Documents documents{at::arange(20), {20}};
    const at::Tensor expected = Network(whole).forward(documents);
    run_ranks(2, [&](Communicator& communicator) {
        ShardedLayers layers(at::kFloat, communicator);
        const model::Model model = some_model(&layers);
        const Network network(model, Recompute::elementwise, nullptr, &layers);
        EXPECT_TRUE(at::equal(network.forward(documents), expected));
        EXPECT_EQ(there(model.weights()), 0);
    });
}

}  // namespace
}  // namespace tritonsmith::train
