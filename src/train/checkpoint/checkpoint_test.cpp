#include "train/checkpoint/checkpoint.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "base/process/files.h"

namespace tritonsmith::train {
namespace {

namespace fs = std::filesystem;

/// A small model whose optimizer has made a step.
struct SmallRun {
    std::unique_ptr<Communicator> alone = single_communicator();
    model::Model model = make();
    model::Weights gradients = zero_gradients(model, at::kFloat);
    Optimizer optimizer;
    mutable LayerMemory memory;

    explicit SmallRun(const OptimizerSettings& settings = {})
        : optimizer(parameters_of(model, gradients), settings) {
        for (const Parameter& parameter : optimizer.parameters()) parameter.gradient.fill_(0.25);
        optimizer.step(1, 1e-2);
    }
    TrainedModel trained() const { return {model, nullptr, memory}; }
    static model::Model make() {
        model::Config config;
        config.family = "qwen3";
        config.vocabulary = 50;
        config.hidden = 16;
        config.intermediate = 24;
        config.layers = 2;
        config.heads = 2;
        config.kv_heads = 1;
        config.head_dim = 8;
        config.positions = 64;
        config.qk_norm = true;
        return model::Model::random(config, {.dtype = at::kFloat, .plain = true}, 1);
    }
};

TEST(Checkpoints, RestoreWeightsStatesAndPlace) {
    const TemporaryFolder folder;
    write_file(folder.path() / "source/tokenizer.json", "{}");
    const SmallRun run;
    const Checkpoints checkpoints(folder.path() / "checkpoints", 2, *run.alone);
    EXPECT_EQ(checkpoints.last(), std::nullopt);
    checkpoints.save(run.trained(), run.optimizer, {7, {{"batch", 3}}, {{"best", 0.5}}},
                     folder.path() / "source", false);

    ASSERT_TRUE(checkpoints.last());
    EXPECT_TRUE(fs::exists(*checkpoints.last() / "tokenizer.json"));
    const model::Model again = model::Model::load(*checkpoints.last(), {.dtype = at::kFloat, .plain = true});
    EXPECT_TRUE(at::equal(again.weights().layers[1].down.values, run.model.weights().layers[1].down.values));
    const SmallRun other;
    for (const NamedState& state : other.optimizer.states()) state.tensor.zero_();
    const TrainerState state = restore(*checkpoints.last(), other.optimizer);
    EXPECT_EQ(state.step, 7);
    EXPECT_EQ(state.data, Json({{"batch", 3}}));
    EXPECT_EQ(state.more, Json({{"best", 0.5}}));
    const auto from = run.optimizer.states(), to = other.optimizer.states();
    for (size_t i = 0; i < from.size(); ++i)
        EXPECT_TRUE(at::equal(from[i].tensor, to[i].tensor)) << from[i].name;
}

TEST(Checkpoints, KeepTheNewestAndTheBest) {
    const TemporaryFolder folder;
    const SmallRun run;
    const Checkpoints checkpoints(folder.path(), 2, *run.alone);
    for (int step = 1; step <= 5; ++step)
        checkpoints.save(run.trained(), run.optimizer, {step, {}, {}}, "", step == 2);
    EXPECT_EQ(*checkpoints.last(), folder.path() / "step-00000005");
    EXPECT_EQ(fs::read_symlink(folder.path() / "best"), "step-00000002");
    for (const auto& [step, there] : {std::pair{1, false}, {2, true}, {3, false}, {4, true}, {5, true}})
        EXPECT_EQ(fs::exists(folder.path() / ("step-0000000" + std::to_string(step))), there) << step;
    checkpoints.save(run.trained(), run.optimizer, {5, {{"again", true}}, {}}, "", false);
    EXPECT_EQ(restore(*checkpoints.last(), run.optimizer).data, Json({{"again", true}}));
}

TEST(Checkpoints, RefuseOtherSettings) {
    const TemporaryFolder folder;
    const SmallRun run;
    const Checkpoints checkpoints(folder.path(), 0, *run.alone);
    checkpoints.save(run.trained(), run.optimizer, {1, {}, {}}, "", true);
    const SmallRun narrow({.states = at::kBFloat16}), muon({.method = OptimizerSettings::Method::muon});
    EXPECT_THROW(restore(*checkpoints.last(), narrow.optimizer), InputError);
    EXPECT_THROW(restore(*checkpoints.last(), muon.optimizer), InputError);
    fs::remove_all(folder.path() / "step-00000001");
    EXPECT_THROW(checkpoints.last(), InputError);
}

}  // namespace
}  // namespace tritonsmith::train
