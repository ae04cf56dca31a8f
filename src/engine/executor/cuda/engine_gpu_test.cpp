#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/error.h"
#include "cuda/device_info.h"
#include "engine/engine.h"
#include "engine/executor/cuda/executor.h"
#include "engine/kv_cache/paged_cache.h"
#include "engine/testing.h"
#include "kernels/kernels.h"
#include "model/packed_attention.h"

namespace tritonsmith::engine {
namespace {

class EngineOnGpu : public ::testing::Test {
  protected:
    void SetUp() override {
        std::string why;
        if (cuda::devices().empty()) GTEST_SKIP() << "no GPU";
        ASSERT_TRUE(kernels::find_library(&why)) << why;
    }
    static model::Model model(bool exact, at::ScalarType weights = at::kBFloat16, int positions = 512) {
        return small_model(weights, at::Device("cuda:0"), exact, positions);
    }

    static std::unique_ptr<Engine> engine(const model::Model& model, int blocks = 512, int max_batch = 64,
                                          int chunk = 256, bool graphs = true,
                                          CacheDtype cache_dtype = CacheDtype::activations,
                                          bool share_prefixes = true) {
        CudaExecutorOptions options;
        options.block_size = 16;
        options.cache_bytes = blocks * block_bytes(model, options.block_size, cache_dtype);
        options.cache_dtype = cache_dtype;
        options.max_batch = max_batch;
        options.chunk_tokens = chunk;
        options.graphs = graphs;
        options.share_prefixes = share_prefixes;
        Engine::Options of;
        of.max_batch = max_batch;
        of.chunk_tokens = chunk;
        of.vocabulary = model.config().vocabulary;
        of.context_length = model.config().positions;
        of.reserve = model.options().exact;
        return std::make_unique<Engine>(cuda_executor(model, options), of);
    }
};

bool has_fp8() {
    const cuda::DeviceInfo device = cuda::devices().at(0);
    return device.major * 10 + device.minor >= 89;
}

/// The answers' log-probabilities, by the packed forward pass that scoring uses.
void expect_forward_logprobs(const model::Model& m, const std::vector<Token>& prompt,
                             const Collected::Answer& answer, double tolerance) {
    const auto length = static_cast<int64_t>(prompt.size());
    ASSERT_EQ(answer.tokens.size(), 40U) << answer.error;
    std::vector<int64_t> all(prompt.begin(), prompt.end());
    all.insert(all.end(), answer.tokens.begin(), answer.tokens.end());
    const auto count = static_cast<int64_t>(all.size());
    model::PackedAttention attention(m.heads(), {count}, m.options().device);
    const at::Tensor tokens = at::tensor(all, at::kLong).to(m.options().device);
    const at::Tensor logits = m.logits(m.forward(tokens, at::arange(count, tokens.options()), attention));
    const at::Tensor logprobs = model::log_probabilities(logits.narrow(0, length - 1, 40).contiguous(),
                                                         tokens.narrow(0, length, 40).contiguous())
                                    .to(at::kCPU);
    for (int i = 0; i < 40; ++i)
        ASSERT_NEAR(answer.logprobs[static_cast<size_t>(i)], logprobs.const_data_ptr<float>()[i], tolerance)
            << "prompt " << length << " position " << i;
}

void expect_same(const std::vector<Collected::Answer>& some, const std::vector<Collected::Answer>& others) {
    ASSERT_EQ(some.size(), others.size());
    for (size_t i = 0; i < some.size(); ++i) {
        EXPECT_FALSE(some[i].tokens.empty()) << some[i].error;
        EXPECT_EQ(some[i].tokens, others[i].tokens) << "sample " << i;
        EXPECT_EQ(some[i].logprobs, others[i].logprobs) << "sample " << i;
    }
}

TEST_F(EngineOnGpu, LogprobsAreThoseOfTheForwardPass) {
    const model::Model m = model(false);
    for (bool graphs : {false, true}) {
        SCOPED_TRACE(graphs ? "graphs" : "no graphs");
        const auto one = engine(m, 512, 64, 64, graphs);
        for (int length : {1, 15, 16, 17, 63, 64, 65, 200}) {
            const std::vector<Token> prompt = prompt_of(length, length);
            for (const auto& answer : ask(*one, request_of(prompt, 3, 40, 1.0, 1)))
                expect_forward_logprobs(m, prompt, answer, 0.06);
        }
    }
}

/// Greedy, and with three samples of which two begin with a copy of the prompt's last block.
TEST_F(EngineOnGpu, WithACacheInFp8LogprobsAreNearThoseOfTheForwardPass) {
    const model::Model m = model(false);
    if (!has_fp8()) {
        EXPECT_THROW(engine(m, 512, 64, 64, true, CacheDtype::fp8), InputError);
        GTEST_SKIP() << "no fp8 below compute capability 8.9";
    }
    const auto one = engine(m, 512, 64, 64, true, CacheDtype::fp8);
    for (int length : {1, 15, 16, 17, 63, 64, 65, 200})
        for (double temperature : {0.0, 1.0}) {
            const std::vector<Token> prompt = prompt_of(length, length);
            for (const auto& answer : ask(*one, request_of(prompt, 3, 40, temperature, 1)))
                expect_forward_logprobs(m, prompt, answer, 0.1);
        }
}

/// Of weights, and of the cache.
using Dtypes = std::pair<at::ScalarType, CacheDtype>;
class ExactEngineOnGpu : public EngineOnGpu, public ::testing::WithParamInterface<Dtypes> {};
INSTANTIATE_TEST_SUITE_P(OfDtypes, ExactEngineOnGpu,
                         ::testing::Values(Dtypes{at::kBFloat16, CacheDtype::activations},
                                           Dtypes{at::kBFloat16, CacheDtype::fp8},
                                           Dtypes{at::kFloat8_e4m3fn, CacheDtype::activations},
                                           Dtypes{at::kFloat8_e4m3fn, CacheDtype::fp8}));

TEST_P(ExactEngineOnGpu, ASampleIsTheSameAloneAndAmongOthersBitForBit) {
    const auto [weights, cache] = GetParam();
    const bool plain = weights == at::kBFloat16 && cache == CacheDtype::activations;
    if (!plain && !has_fp8()) GTEST_SKIP() << "no fp8 below compute capability 8.9";
    const model::Model m = model(true, weights);
    const Request request = request_of(prompt_of(37, 5), 1, 60, 1.0, 99);
    const auto alone = ask(*engine(m, 512, 64, 256, true, cache), request);
    for (int others : {6, 63}) {
        const auto one = engine(m, 2048, 64, 64, true, cache);
        std::vector<std::shared_ptr<Collected>> noise;
        for (int i = 0; i < others; ++i) {
            noise.push_back(std::make_shared<Collected>(1));
            one->submit(request_of(prompt_of(1 + i * 3, 100 + i), 1, 90, 1.0, static_cast<uint64_t>(i)),
                        noise.back());
        }
        const auto among = ask(*one, request);
        EXPECT_EQ(among[0].tokens, alone[0].tokens) << others << " others";
        EXPECT_EQ(among[0].logprobs, alone[0].logprobs) << others << " others";
        for (auto& listener : noise) listener->wait();
    }
}

/// Of two prompts at a time, so that groups begin and end in the middle of a step; two parts of 512 tokens
/// are shared. With a batch of one each sample is alone.
TEST_F(EngineOnGpu, ExactSamplesThatShareAPromptAreTheSameAsAlone) {
    const model::Model m = model(true, at::kBFloat16, 4096);
    const auto alone = engine(m, 1024, 1, 512);
    for (bool graphs : {true, false})
        for (int samples : {7, 16}) {
            SCOPED_TRACE(std::to_string(samples) + (graphs ? " samples, graphs" : " samples"));
            const Request first = request_of(prompt_of(1100, 1), samples, 50, 1.0, 3),
                          second = request_of(prompt_of(1064, 2), samples, 60, 1.0, 4);
            const auto together = engine(m, 1024, 64, 512, graphs);
            auto of_second = std::make_shared<Collected>(samples);
            together->submit(second, of_second);
            const auto of_first = ask(*together, first);
            expect_same(of_first, ask(*alone, first));
            expect_same(of_second->wait(), ask(*alone, second));
        }
}

/// Enough rows for sharing to pay (shared_prefixes.cpp), each prompt's last sample included: 16 rows are two
/// groups of 8. Five times as many values as above: the greatest error is somewhat greater.
TEST_F(EngineOnGpu, LogprobsOfSamplesThatShareAPromptAreThoseOfTheForwardPass) {
    const model::Model m = model(false, at::kBFloat16, 2048);
    const auto one = engine(m, 4096, 256, 2048);
    const auto apart = engine(m, 4096, 256, 2048, true, CacheDtype::activations, false);
    for (const auto& each : {&one, &apart}) {
        SCOPED_TRACE(each == &one ? "shared" : "not shared");
        std::vector<std::shared_ptr<Collected>> groups;
        for (int i = 0; i < 16; ++i) {
            groups.push_back(std::make_shared<Collected>(16));
            (*each)->submit(request_of(prompt_of(1040 + 10 * i, i), 16, 40, 1.0, static_cast<uint64_t>(i)),
                            groups.back());
        }
        for (int i = 0; i < 16; ++i) {
            const auto answers = groups[static_cast<size_t>(i)]->wait();
            for (size_t sample : {0, 7, 8, 15})
                expect_forward_logprobs(m, prompt_of(1040 + 10 * i, i), answers[sample], 0.08);
        }
    }
}

TEST_F(EngineOnGpu, GraphsChangeNothing) {
    const model::Model m = model(true);
    const Request request = request_of(prompt_of(20, 1), 8, 40, 1.0, 7);
    expect_same(ask(*engine(m), request), ask(*engine(m, 512, 64, 256, false), request));
}

TEST_F(EngineOnGpu, PreemptedSamplesContinue) {
    const model::Model m = model(false);
    const auto narrow = engine(m, 64);  // of 16 tokens, 1024 together: the four need 1200
    std::vector<std::shared_ptr<Collected>> here;
    for (int i = 0; i < 4; ++i) {
        here.push_back(std::make_shared<Collected>(2));
        narrow->submit(request_of(prompt_of(50, i), 2, 200, 1.0, static_cast<uint64_t>(i)), here.back());
    }
    for (auto& listener : here) {
        for (const auto& answer : listener->wait()) EXPECT_EQ(answer.tokens.size(), 200U) << answer.error;
        EXPECT_EQ(listener->mistakes(), 0);
    }
    ask(*narrow, request_of({1}, 1, 1, 0, 1));
    EXPECT_EQ(narrow->statistics().cache_blocks_used, 0);
}

TEST_F(EngineOnGpu, TopLogprobsAndGreedyAgree) {
    const model::Model m = model(false);
    Request request = request_of(prompt_of(9, 2), 2, 5, 0, 1);
    request.sampling.top_logprobs = 5;
    for (const auto& answer : ask(*engine(m), request))
        for (size_t i = 0; i < 5; ++i) {
            ASSERT_EQ(answer.top[i].size(), 5U);
            EXPECT_NEAR(answer.top[i][0].logprob, answer.logprobs[i], 1e-5);
        }
}

}  // namespace
}  // namespace tritonsmith::engine
