#include "model/model.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "base/process/files.h"
#include "model/cpu/paged_attention.h"
#include "model/packed_attention.h"
#include "model/weights/quantised_files.h"

namespace tritonsmith::model {
namespace {

Config small(const std::string& family = "qwen3") {
    Config config;
    config.family = family;
    config.vocabulary = 211;
    config.hidden = 96;
    config.intermediate = 160;
    config.layers = 2;
    config.heads = 6;
    config.kv_heads = 2;
    config.head_dim = 32;
    config.positions = 1000;
    config.qk_norm = family == "qwen3";
    config.qkv_bias = family == "qwen2";
    return config;
}

at::Tensor run(const Model& model, const at::Tensor& tokens, const std::vector<int64_t>& lengths) {
    PackedAttention attention(model.heads(), lengths, at::kCPU);
    return model.logits(model.forward(tokens, attention.positions(), attention));
}

TEST(PackedAttention, IsThatOfTorch) {
    for (const Heads heads : {Heads{4, 2, 16}, Heads{3, 1, 64}, Heads{2, 2, 20}, Heads{8, 1, 128}}) {
        const std::vector<int64_t> lengths = {1, 5, 130, 64, 65};
        PackedAttention attention(heads, lengths, at::kCPU);
        const at::Tensor qkv = at::randn({265, heads.row()}) * 2;
        at::Tensor out = at::full({265, heads.queries * heads.width}, 9.0f);
        attention.attend(0, qkv, out);
        const at::Tensor all =
            qkv.to(at::kDouble).view({265, heads.queries + 2 * heads.keys, heads.width}).transpose(0, 1);
        int64_t start = 0;
        for (int64_t length : lengths) {
            const auto part = [&](int64_t first, int64_t count) {
                return all.narrow(0, first, count).narrow(1, start, length).unsqueeze(0);
            };
            const at::Tensor expected = at::scaled_dot_product_attention(
                part(0, heads.queries), part(heads.queries, heads.keys),
                part(heads.queries + heads.keys, heads.keys), {}, 0, true, {}, true);
            const at::Tensor found =
                out.narrow(0, start, length).view({1, length, heads.queries, heads.width}).transpose(1, 2);
            EXPECT_LT((found - expected).abs().max().item<double>(), 1e-5)
                << heads.width << " length " << length;
            start += length;
        }
    }
    EXPECT_THROW(PackedAttention({1, 1, 8}, {3, 0}, at::kCPU), InputError);
}

/// Two sequences in a cache whose blocks lie in any order.
class TwoSequences : public Attention {
  public:
    TwoSequences(const Model& model, int64_t block_size, int64_t length)
        : heads_(model.heads()), length_(length) {
        const int64_t blocks = (length + block_size - 1) / block_size;
        for (int layer = 0; layer < model.config().layers; ++layer) {
            const auto pages = [&] {
                return at::full({2 * blocks, block_size, heads_.keys, heads_.width}, NAN);
            };
            caches_.push_back({pages(), pages(), {}});
        }
        for (int64_t i = 0; i < blocks; ++i) {
            tables_[0].push_back(static_cast<int>(2 * (blocks - i) - 1));
            tables_[1].push_back(static_cast<int>(2 * i));
        }
    }
    /// The next `count` tokens of both; logits [2 * count, vocabulary], those of the first sequence first.
    at::Tensor step(const Model& model, const at::Tensor& tokens, int64_t count) {
        const int64_t block_size = caches_[0].keys.size(1);
        std::vector<int64_t> slots, positions;
        for (int s = 0; s < 2; ++s)
            for (int64_t i = done_; i < done_ + count; ++i) {
                positions.push_back(i);
                slots.push_back(tables_[s][static_cast<size_t>(i / block_size)] * block_size +
                                i % block_size);
            }
        slots_ = at::tensor(slots, at::kLong);
        done_ += count;
        sequences_ = {{tables_[0], 0, count, done_}, {tables_[1], count, count, done_}};
        const at::Tensor part = at::cat(
            {tokens.narrow(0, done_ - count, count), tokens.narrow(0, length_ + done_ - count, count)});
        return model.logits(model.forward(part, at::tensor(positions, at::kLong), *this));
    }
    std::optional<PagedCache> cache(int layer) override {
        PagedCache cache = caches_[static_cast<size_t>(layer)];
        cache.slots = slots_;
        return cache;
    }
    void attend(int layer, const at::Tensor& qkv, at::Tensor& out) override {
        attend_paged(heads_, qkv, caches_[static_cast<size_t>(layer)], sequences_, out);
    }

  private:
    Heads heads_;
    int64_t length_, done_ = 0;
    std::vector<PagedCache> caches_;
    std::vector<int> tables_[2];
    std::vector<PagedSequence> sequences_;
    at::Tensor slots_;
};

TEST(PagedAttention, ChunksAndStepsGiveTheSameBits) {
    const Model model = Model::random(small(), {.dtype = at::kBFloat16, .exact = true}, 8);
    constexpr int64_t length = 150;
    const at::Tensor tokens = at::randint(211, {2 * length}, at::kLong);
    const at::Tensor whole = run(model, tokens, {length, length});
    for (const int64_t block_size : {16, 64, 128}) {
        for (const std::vector<int64_t>& counts :
             {std::vector<int64_t>{150}, {100, 40, 10}, {1, 63, 65, 21}}) {
            TwoSequences sequences(model, block_size, length);
            int64_t done = 0;
            for (int64_t count : counts) {
                const at::Tensor logits = sequences.step(model, tokens, count);
                EXPECT_TRUE(at::equal(logits.narrow(0, 0, count), whole.narrow(0, done, count)))
                    << block_size << " " << done;
                EXPECT_TRUE(at::equal(logits.narrow(0, count, count), whole.narrow(0, length + done, count)));
                done += count;
            }
        }
        TwoSequences one_by_one(model, block_size, length);
        for (int64_t i = 0; i < length; ++i) {
            const at::Tensor logits = one_by_one.step(model, tokens, 1);
            ASSERT_TRUE(at::equal(logits[0], whole[i])) << i;
            ASSERT_TRUE(at::equal(logits[1], whole[length + i])) << i;
        }
    }
}

TEST(Operators, CacheIsFilledAlikeAndSlotsMayBeLeftOut) {
    const Heads heads{4, 2, 16};
    const at::Tensor qkv = at::randn({5, heads.row()}), angles = at::rand({5, 8}),
                     slots = at::tensor({3, -1, 0, 9, 5}, at::kLong);
    const auto fill = [&](const Operators& operators, at::Tensor& rows) {
        const PagedCache cache{at::zeros({3, 4, 2, 16}), at::zeros({3, 4, 2, 16}), slots};
        operators.rotate(rows, heads, {}, {}, 1e-6, {angles, angles, {}}, &cache);
        return cache;
    };
    at::Tensor a = qkv.clone(), b = qkv.clone();
    const PagedCache ours = fill(cpu_operators(), a), theirs = fill(aten_operators(), b);
    EXPECT_TRUE(at::allclose(ours.keys, theirs.keys, 1e-5, 1e-6));
    EXPECT_TRUE(at::equal(ours.values, theirs.values));
    EXPECT_TRUE(at::equal(ours.keys.view({12, 32})[9], a[3].narrow(0, 64, 32)));
    EXPECT_TRUE(at::equal(ours.values.view({12, 32})[5], a[4].narrow(0, 96, 32)));
    EXPECT_EQ(ours.values.view({12, 32}).abs().sum(1).count_nonzero().item<int64_t>(), 4);
}

TEST(Model, ASequenceDoesNotDependOnItsNeighbours) {
    for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16, at::kChar}) {
        const Model model = Model::random(small(), {.dtype = dtype, .exact = true}, 1);
        const at::Tensor tokens = at::randint(211, {150}, at::kLong);
        const at::Tensor together = run(model, tokens, {3, 90, 57});
        EXPECT_TRUE(at::equal(run(model, tokens.narrow(0, 0, 3), {3}), together.narrow(0, 0, 3)));
        EXPECT_TRUE(at::equal(run(model, tokens.narrow(0, 3, 90), {90}), together.narrow(0, 3, 90)));
        EXPECT_TRUE(at::equal(run(model, tokens.narrow(0, 93, 20), {20}), together.narrow(0, 93, 20)))
            << "nor on what follows";
    }
}

TEST(Model, OursIsThatOfTorchsOperators) {
    for (const char* family : {"llama", "qwen2", "qwen3"}) {
        const Model ours = Model::random(small(family), {.dtype = at::kFloat}, 2),
                    plain = Model::random(small(family), {.dtype = at::kFloat, .plain = true}, 2);
        const at::Tensor tokens = at::randint(211, {80}, at::kLong);
        const at::Tensor a = run(ours, tokens, {30, 50}), b = run(plain, tokens, {30, 50});
        EXPECT_TRUE(at::allclose(a, b, 1e-4, 1e-5)) << family;
        EXPECT_EQ(a.scalar_type(), at::kFloat);
    }
}

TEST(Model, SavedAndLoadedIsTheSame) {
    const TemporaryFolder folder;
    const at::Tensor tokens = at::randint(211, {40}, at::kLong);
    for (const bool tied : {false, true}) {
        Config config = small("qwen2");
        config.tied_embeddings = tied;
        const Model model = Model::random(config, {.dtype = at::kBFloat16}, 3);
        const auto path = folder.path() / (tied ? "tied" : "untied/");
        model.save(path, {.shard_bytes = 50'000});
        EXPECT_EQ(load_config(path).dtype, "bfloat16");
        EXPECT_TRUE(at::equal(run(Model::load(path, {}), tokens, {40}), run(model, tokens, {40})));
        EXPECT_THROW(model.save(path), InputError) << "never over another";
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        EXPECT_NE(entry.path().extension(), ".part");
    EXPECT_THROW(Model::random(small(), {.dtype = at::kChar}, 3).save(folder.path() / "int8"), InputError);
    EXPECT_THROW(Model::random(small(), {.dtype = at::kFloat8_e4m3fn}, 3), InputError) << "fp8 on the CPU";
}

uintmax_t bytes_of_weights(const std::filesystem::path& folder) {
    uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".safetensors") bytes += entry.file_size();
    return bytes;
}

TEST(Model, Int8FilesAreTheModelQuantisedAsItIsLoaded) {
    const TemporaryFolder folder;
    const at::Tensor tokens = at::randint(211, {40}, at::kLong);
    for (const char* family : {"qwen2", "qwen3"}) {
        const std::filesystem::path whole = folder.path() / family, small_files = whole.string() + "-int8";
        Config config = small(family);
        config.tied_embeddings = true;
        Model::random(config, {.dtype = at::kBFloat16}, 3).save(whole);
        Model::load(whole, {}).save(small_files, {.shard_bytes = 50'000, .int8_matrices = true});
        EXPECT_TRUE(load_config(small_files).int8_matrices);
        const Model quantised = Model::load(whole, {.dtype = at::kChar}),
                    stored = Model::load(small_files, {.dtype = at::kChar});
        EXPECT_TRUE(at::equal(run(stored, tokens, {40}), run(quantised, tokens, {40}))) << family;
        const Model multiplied = Model::load(small_files, {.dtype = at::kFloat});
        const LayerWeights& layer = multiplied.weights().layers.back();
        EXPECT_TRUE(at::equal(layer.qkv.values, dequantise(quantised.weights().layers.back().qkv)));
        EXPECT_LT(bytes_of_weights(small_files), bytes_of_weights(whole) * 3 / 4);
        Model::load(small_files, {}).save(whole.string() + "-again");
        EXPECT_FALSE(load_config(whole.string() + "-again").int8_matrices) << "written as it is in memory";
    }
}

TEST(Model, Int8FilesWithoutScalesAreRefused) {
    const TemporaryFolder folder;
    Model::random(small(), {.dtype = at::kBFloat16}, 3).save(folder.path() / "model");
    Json config = read_config_json(folder.path() / "model");
    config["quantization_config"] = int8_quantization_config();
    write_file(folder.path() / "model/config.json", dump(config));
    try {
        Model::load(folder.path() / "model", {});
        FAIL() << "bfloat16 matrices were taken for int8";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("config.json requires I8"));
    }
}

TEST(Model, MappedWeightsAreNotCopied) {
    const TemporaryFolder folder;
    Model::random(small(), {.dtype = at::kFloat}, 4).save(folder.path() / "model");
    const Model model = Model::load(folder.path() / "model", {.dtype = at::kFloat});
    const auto address = [](const at::Tensor& tensor) {
        return reinterpret_cast<uintptr_t>(tensor.const_data_ptr());
    };
    const LayerWeights& layer = model.weights().layers.front();
    // All of one mapping: in the file's order, and no farther from each other than the file is long.
    const auto bytes = std::filesystem::file_size(folder.path() / "model/model.safetensors");
    EXPECT_LT(address(layer.qkv.values), address(layer.gate_up.values));
    EXPECT_LT(address(layer.gate_up.values), address(layer.down.values));
    EXPECT_LT(address(model.weights().head.values) - address(model.weights().embedding.values), bytes);
}

TEST(Model, LayersAreGivenAsTheyAreLoaded) {
    const TemporaryFolder folder;
    std::vector<int> drawn, read;
    const auto into = [](std::vector<int>& layers) {
        return [&layers](const Weights& weights, int layer) {
            layers.push_back(layer);
            const auto is_there = [&](int number) {
                return weights.layers[static_cast<size_t>(number)].input_norm.defined() &&
                       weights.layers[static_cast<size_t>(number)].down.values.defined();
            };
            EXPECT_TRUE(is_there(layer));
            EXPECT_FALSE(layer == 0 && is_there(1));
        };
    };
    Model::random(small(), {.dtype = at::kFloat, .plain = true, .loaded = into(drawn)}, 1)
        .save(folder.path() / "model");
    Model::load(folder.path() / "model", {.dtype = at::kFloat, .plain = true, .loaded = into(read)});
    EXPECT_EQ(drawn, std::vector<int>({0, 1}));
    EXPECT_EQ(read, drawn);
}

TEST(Model, SharedWeightsAreThoseThatAreTrained) {
    Model::Options plain;
    plain.dtype = at::kFloat;
    plain.plain = plain.copied = true;
    const Model trained = Model::random(small(), plain, 3);
    Model::Options sampling;
    sampling.dtype = at::kFloat;
    const Model sampled = trained.sharing(sampling);
    const at::Tensor tokens = at::arange(20);
    const at::Tensor before = run(sampled, tokens, {20});
    EXPECT_LT((before - run(trained, tokens, {20})).abs().max().item<double>(), 1e-3);
    at::Tensor weight = trained.weights().layers[0].down.values;
    weight.mul_(3);
    const at::Tensor after = run(sampled, tokens, {20});
    EXPECT_GT((after - before).abs().max().item<double>(), 1e-2);
    EXPECT_LT((after - run(trained, tokens, {20})).abs().max().item<double>(), 1e-3);
    sampling.dtype = at::kBFloat16;
    EXPECT_THROW(trained.sharing(sampling), InputError);
}

TEST(Model, SeedsAndOptions) {
    const auto first = [](uint64_t seed) {
        return Model::random(small(), {.dtype = at::kFloat}, seed).weights().layers[0].down.values;
    };
    EXPECT_TRUE(at::equal(first(5), first(5)));
    EXPECT_FALSE(at::equal(first(5), first(6)));
    EXPECT_THROW(Model::random(small(), {.dtype = at::kHalf}, 0), InputError);
    EXPECT_THROW(Model::random(small(), {.dtype = at::kChar, .plain = true}, 0), InputError);
    Config wrong = small();
    wrong.kv_heads = 4;
    EXPECT_THROW(Model::random(wrong, {}, 0), InputError);
}

TEST(LogProbabilities, AreThoseOfLogSoftmax) {
    for (int64_t vocabulary : {5, 16, 1000, 151936}) {
        const at::Tensor logits = at::randn({9, vocabulary}) * 10,
                         targets = at::randint(vocabulary, {9}, at::kLong);
        const at::Tensor expected =
            at::log_softmax(logits.to(at::kDouble), 1).gather(1, targets.unsqueeze(1)).squeeze(1);
        const at::Tensor found = log_probabilities(logits, targets);
        EXPECT_TRUE(at::allclose(found.to(at::kDouble), expected, 1e-6, 2e-6)) << vocabulary;
        for (int64_t i = 0; i < 9; ++i)
            EXPECT_TRUE(at::equal(log_probabilities(logits.narrow(0, i, 1), targets.narrow(0, i, 1)),
                                  found.narrow(0, i, 1)));
    }
    const at::Tensor cut = at::tensor({1.0f, -INFINITY, 3.0f}).unsqueeze(0);
    EXPECT_NEAR(log_probabilities(cut, at::tensor({0}, at::kLong)).item<float>(),
                1 - std::log(std::exp(1.0) + std::exp(3.0)), 1e-6);
    EXPECT_EQ(log_probabilities(cut, at::tensor({1}, at::kLong)).item<float>(), -INFINITY);
    EXPECT_THROW(log_probabilities(cut, at::tensor({3}, at::kLong)), InputError);
    EXPECT_THROW(log_probabilities(cut.to(at::kDouble), at::tensor({0}, at::kLong)), InputError);
}

}  // namespace
}  // namespace tritonsmith::model
