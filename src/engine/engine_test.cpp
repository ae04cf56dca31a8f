#include "engine/engine.h"

#include <ATen/Functions.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>
#include <set>
#include <thread>

#include "engine/executor/cpu_executor.h"
#include "engine/testing.h"
#include "model/packed_attention.h"

namespace tritonsmith::engine {
namespace {

using ::testing::HasSubstr;

Engine::Options options_for(const model::Model& model, int max_batch = 64, int chunk = 256,
                            bool reserve = false) {
    Engine::Options options;
    options.max_batch = max_batch;
    options.chunk_tokens = chunk;
    options.vocabulary = model.config().vocabulary;
    options.context_length = model.config().positions;
    options.reserve = reserve;
    return options;
}

/// Logits of each position of a sequence, by the packed forward pass that scoring uses.
at::Tensor logits_of(const model::Model& model, const std::vector<Token>& tokens) {
    std::vector<int64_t> wide(tokens.begin(), tokens.end());
    model::PackedAttention attention(model.heads(), {static_cast<int64_t>(tokens.size())}, at::kCPU);
    return model.logits(
        model.forward(at::tensor(wide, at::kLong), at::arange(static_cast<int64_t>(wide.size())), attention));
}

class EngineOnCpu : public ::testing::Test {
  protected:
    static const model::Model& model() {
        static const model::Model one = small_model();
        return one;
    }
    static std::unique_ptr<Engine> engine(int blocks = 256, int max_batch = 64, int chunk = 256,
                                          bool reserve = false) {
        return std::make_unique<Engine>(cpu_executor(model(), blocks, 16),
                                        options_for(model(), max_batch, chunk, reserve));
    }
};

TEST_F(EngineOnCpu, GreedyAnswersAndLogprobsAreThoseOfTheForwardPass) {
    const auto one = engine();
    for (int length : {1, 15, 16, 17, 100}) {
        const std::vector<Token> prompt = prompt_of(length, length);
        const auto answers = ask(*one, request_of(prompt, 1, 40, 0, 1));
        ASSERT_EQ(answers[0].tokens.size(), 40U);
        EXPECT_EQ(answers[0].end, End::length);
        std::vector<Token> all = prompt;
        all.insert(all.end(), answers[0].tokens.begin(), answers[0].tokens.end());
        const at::Tensor logits = logits_of(model(), all).narrow(0, length - 1, 40);
        const at::Tensor best = logits.argmax(1);
        const at::Tensor logprobs = model::log_probabilities(logits, best);
        for (int i = 0; i < 40; ++i) {
            EXPECT_EQ(answers[0].tokens[static_cast<size_t>(i)], best.const_data_ptr<int64_t>()[i])
                << "position " << i;
            EXPECT_NEAR(answers[0].logprobs[static_cast<size_t>(i)], logprobs.const_data_ptr<float>()[i],
                        1e-4);
        }
    }
}

TEST_F(EngineOnCpu, ASampleIsTheSameAloneAndAmongOthersBitForBit) {
    const Request request = request_of(prompt_of(37, 5), 1, 30, 1.0, 99);
    const auto alone = ask(*engine(), request);
    for (int others : {6, 63}) {
        const auto one = engine(1024, 64, 64);
        std::vector<std::shared_ptr<Collected>> noise;
        for (int i = 0; i < others; ++i) {
            noise.push_back(std::make_shared<Collected>(1));
            one->submit(request_of(prompt_of(1 + i * 3, 100 + i), 1, 50, 1.0, static_cast<uint64_t>(i)),
                        noise.back());
        }
        const auto among = ask(*one, request);
        EXPECT_EQ(among[0].tokens, alone[0].tokens) << others << " others";
        EXPECT_EQ(among[0].logprobs, alone[0].logprobs) << others << " others";
        for (auto& listener : noise) listener->wait();
    }
}

TEST_F(EngineOnCpu, SoItIsInBfloat16AndInt8) {
    for (const at::ScalarType dtype : {at::kBFloat16, at::kChar}) {
        const model::Model small = small_model(dtype);
        const auto make = [&](int blocks) {
            return std::make_unique<Engine>(cpu_executor(small, blocks, 16), options_for(small, 64, 64));
        };
        const Request request = request_of(prompt_of(37, 5), 1, 30, 1.0, 99);
        const auto alone = ask(*make(64), request);
        const auto one = make(1024);
        std::vector<std::shared_ptr<Collected>> noise;
        for (int i = 0; i < 20; ++i) {
            noise.push_back(std::make_shared<Collected>(1));
            one->submit(request_of(prompt_of(1 + i * 3, 100 + i), 1, 50, 1.0, static_cast<uint64_t>(i)),
                        noise.back());
        }
        const auto among = ask(*one, request);
        EXPECT_EQ(among[0].tokens, alone[0].tokens);
        EXPECT_EQ(among[0].logprobs, alone[0].logprobs);
        for (auto& listener : noise) listener->wait();
    }
}

TEST_F(EngineOnCpu, SamplesOfARequestDifferAndComeAgainWithTheirSeed) {
    const auto one = engine();
    const auto first = ask(*one, request_of(prompt_of(20, 1), 8, 20, 1.0, 7));
    const auto again = ask(*one, request_of(prompt_of(20, 1), 8, 20, 1.0, 7));
    const auto other = ask(*one, request_of(prompt_of(20, 1), 8, 20, 1.0, 8));
    std::set<std::vector<Token>> distinct;
    for (int i = 0; i < 8; ++i) {
        const auto s = static_cast<size_t>(i);
        EXPECT_EQ(first[s].tokens, again[s].tokens);
        EXPECT_EQ(first[s].logprobs, again[s].logprobs);
        EXPECT_NE(first[s].tokens, other[s].tokens);
        distinct.insert(first[s].tokens);
    }
    EXPECT_EQ(distinct.size(), 8U);
}

TEST_F(EngineOnCpu, PreemptedSamplesContinueUnchanged) {
    const auto roomy = engine(1024);
    const auto narrow = engine(14);  // of 16 tokens: two of the four requests fit
    std::vector<std::shared_ptr<Collected>> there, here;
    for (int i = 0; i < 4; ++i) {
        const Request request = request_of(prompt_of(40, i), 1, 60, 1.0, static_cast<uint64_t>(i));
        there.push_back(std::make_shared<Collected>(1));
        here.push_back(std::make_shared<Collected>(1));
        roomy->submit(request, there.back());
        narrow->submit(request, here.back());
    }
    for (size_t i = 0; i < 4; ++i) EXPECT_EQ(there[i]->wait()[0].tokens, here[i]->wait()[0].tokens);
    EXPECT_GT(narrow->statistics().steps, roomy->statistics().steps);
    EXPECT_EQ(narrow->statistics().cache_blocks_used, 0);
}

TEST_F(EngineOnCpu, TopLogprobsAreSortedAndHoldTheGreedyToken) {
    Request request = request_of(prompt_of(9, 2), 1, 5, 0, 1);
    request.sampling.top_logprobs = 5;
    const auto answers = ask(*engine(), request);
    for (size_t i = 0; i < 5; ++i) {
        const auto& top = answers[0].top[i];
        ASSERT_EQ(top.size(), 5U);
        EXPECT_EQ(top[0].token, answers[0].tokens[i]);
        EXPECT_FLOAT_EQ(top[0].logprob, answers[0].logprobs[i]);
        for (size_t k = 1; k < 5; ++k) EXPECT_LE(top[k].logprob, top[k - 1].logprob);
    }
}

TEST_F(EngineOnCpu, EndsAtStopTokensListenersAndTheContext) {
    const auto one = engine();
    Request request = request_of(prompt_of(9, 2), 1, 50, 0, 1);
    const auto whole = ask(*one, request)[0].tokens;
    request.sampling.stop_tokens = {whole[3]};
    const auto stopped = ask(*one, request)[0];
    EXPECT_EQ(stopped.end, End::stop_token);
    EXPECT_EQ(stopped.tokens.back(), whole[3]);
    EXPECT_LE(stopped.tokens.size(), 4U);

    auto listener = std::make_shared<Collected>(1, 2);
    request.sampling.stop_tokens.clear();
    one->submit(request, listener);
    EXPECT_EQ(listener->wait()[0].end, End::stopped);
    EXPECT_EQ(listener->wait()[0].tokens.size(), 2U);

    const auto full = ask(*one, request_of(prompt_of(500, 2), 1, 5000, 0, 1))[0];
    EXPECT_EQ(full.end, End::length);
    EXPECT_EQ(full.tokens.size(), 12U);  // 512 positions
}

TEST_F(EngineOnCpu, CancelledRequestsEndAndReleaseTheirBlocks) {
    const auto one = engine();
    auto listener = std::make_shared<Collected>(3);
    const uint64_t id = one->submit(request_of(prompt_of(20, 1), 3, 480, 1.0, 1), listener);
    listener->wait_for_tokens(3);
    one->cancel(id);
    one->cancel(12345);
    for (const auto& answer : listener->wait()) EXPECT_EQ(answer.end, End::cancelled);
    ask(*one, request_of(prompt_of(3, 1), 1, 1, 1.0, 1));  // a step later
    EXPECT_EQ(one->statistics().cancelled_samples, 3);
    EXPECT_EQ(one->statistics().cache_blocks_used, 0);
}

TEST_F(EngineOnCpu, ShutdownEndsWhatRuns) {
    auto one = engine();
    auto listener = std::make_shared<Collected>(2);
    one->submit(request_of(prompt_of(20, 1), 2, 480, 1.0, 1), listener);
    one.reset();
    for (const auto& answer : listener->wait()) EXPECT_EQ(answer.end, End::cancelled);
}

TEST_F(EngineOnCpu, RefusesImpossibleRequests) {
    const auto one = engine(20, 8, 64, true);
    auto refuse = [&](Request request, const char* text) {
        try {
            one->submit(request, std::make_shared<Collected>(request.samples));
            ADD_FAILURE() << "taken: " << text;
        } catch (const InputError& error) {
            EXPECT_THAT(error.what(), HasSubstr(text));
        }
    };
    refuse(request_of({}, 1, 5, 1, 1), "no tokens");
    refuse(request_of({512}, 1, 5, 1, 1), "vocabulary of 512");
    refuse(request_of(prompt_of(400, 1), 1, 5, 1, 1), "may have 320");
    refuse(request_of({1}, 0, 5, 1, 1), "samples is 0");
    refuse(request_of({1}, 1, 0, 1, 1), "max_tokens");
    refuse(request_of({1}, 1, 5, -1, 1), "temperature");
    refuse(request_of({1}, 1, 5, std::nan(""), 1), "temperature");
    refuse(request_of(prompt_of(20, 1), 30, 100, 1, 1), "more memory");
}

class Throws : public SampleListener {
  public:
    bool on_token(const SampledToken&) override { throw std::runtime_error("no"); }
    void on_end(int, End end, const std::string& error) override {
        ended = end;
        text = error;
        over = true;
    }
    std::atomic<bool> over = false;
    End ended = End::length;
    std::string text;
};

TEST_F(EngineOnCpu, AListenerThatThrowsFailsItsOwnSampleOnly) {
    const auto one = engine();
    auto bad = std::make_shared<Throws>();
    one->submit(request_of(prompt_of(4, 1), 1, 5, 0, 1), bad);
    EXPECT_EQ(ask(*one, request_of(prompt_of(4, 1), 1, 5, 0, 1))[0].end, End::length);
    while (!bad->over) std::this_thread::yield();
    EXPECT_EQ(bad->ended, End::failed);
    EXPECT_EQ(bad->text, "no");
}

TEST_F(EngineOnCpu, ManyRequestsFromManyThreadsLeaveNothingBehind) {
    const auto one = engine(60, 16, 64);
    std::vector<std::thread> threads;
    std::atomic<int> ended = 0, wrong = 0;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            std::mt19937 random(static_cast<unsigned>(t));
            for (int i = 0; i < 25; ++i) {
                const int samples = 1 + static_cast<int>(random() % 3);
                auto listener = std::make_shared<Collected>(samples, random() % 5 == 0 ? 3 : 1 << 30);
                const uint64_t id =
                    one->submit(request_of(prompt_of(1 + static_cast<int>(random() % 120), i), samples,
                                           1 + static_cast<int>(random() % 30), 1, i),
                                listener);
                if (random() % 4 == 0) one->cancel(id);
                listener->wait();
                wrong += listener->mistakes();
                ended += samples;
            }
        });
    for (std::thread& thread : threads) thread.join();
    ask(*one, request_of({1}, 1, 1, 0, 1));
    const GeneratorStatistics after = one->statistics();
    EXPECT_EQ(after.requests, 101);
    EXPECT_EQ(after.running_samples, 0);
    EXPECT_EQ(after.waiting_samples, 0);
    EXPECT_EQ(after.cache_blocks_used, 0);
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tritonsmith::engine
