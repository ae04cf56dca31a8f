#include "engine/scheduler/scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace tritonsmith::engine {
namespace {

Request request_of(int prompt, int samples, int max_tokens) {
    Request request;
    request.prompt.assign(static_cast<size_t>(prompt), 1);
    request.samples = samples;
    request.sampling.max_tokens = max_tokens;
    return request;
}

/// Stands in for the computing: keeps, for each slot of the cache, which token of which sample or prompt was
/// written, and holds every step against what the sample must find there.
class Computer {
  public:
    explicit Computer(const Scheduler::Limits& limits) : scheduler(limits), size_(limits.block_size) {}

    /// @return whether there was something to do
    bool step() {
        const Step step = scheduler.next();
        if (step.empty()) return false;
        expect_sharers_together(step.decode);
        for (Sample* sample : step.decode) {
            write(sample->blocks, sample->cached, value(*sample, sample->cached));
            see(*sample, sample->cached + 1);
        }
        std::vector<Sample*> fed = step.decode;
        for (const Step::Chunk& chunk : step.chunks) {
            for (int i = chunk.prefill->done; i < chunk.end; ++i)
                write(chunk.prefill->blocks, i, value(*chunk.prefill->samples.front(), i));
            computed_tokens += chunk.end - chunk.prefill->done;
            const std::vector<Sample*> samples = chunk.prefill->samples;
            std::vector<Scheduler::Copy> copies;
            if (!scheduler.computed(chunk, copies)) continue;
            for (const auto& copy : copies)
                for (int i = 0; i < size_; ++i) slots_[copy.to * size_ + i] = slots_[copy.from * size_ + i];
            for (Sample* sample : samples)
                if (!sample->blocks.empty()) {
                    see(*sample, sample->cached);
                    fed.push_back(sample);
                }
        }
        for (Sample* sample : fed) {
            scheduler.append_token(*sample, static_cast<Token>(100 + sample->index * 1000 +
                                                               static_cast<int>(sample->tokens.size())));
            if (static_cast<int>(sample->tokens.size()) < sample->group->request.sampling.max_tokens)
                continue;
            scheduler.end(*sample);
            ++ended;
        }
        scheduler.remove_ended();
        largest_batch = std::max(largest_batch, step.decode.size());
        return true;
    }

    Scheduler scheduler;
    int ended = 0, neighbours = 0;  ///< pairs that share blocks
    int64_t computed_tokens = 0;
    size_t largest_batch = 0;

  private:
    /// Prompts are the same for all samples of a request.
    static int64_t value(const Sample& sample, int position) {
        const int prompt = static_cast<int>(sample.group->request.prompt.size());
        const int64_t base = static_cast<int64_t>(sample.group->id) * 1000000 + position;
        return position < prompt ? base : base + (sample.index + 1) * 10000;
    }
    void expect_sharers_together(const std::vector<Sample*>& decode) {
        std::set<int> before;
        for (size_t i = 0; i < decode.size(); ++i) {
            const int first = decode[i]->blocks.front();
            if (i > 0 && decode[i - 1]->blocks.front() == first) {
                ++neighbours;
                continue;
            }
            ASSERT_TRUE(before.insert(first).second) << "others between samples that share block " << first;
        }
    }
    void write(const std::vector<int>& blocks, int position, int64_t what) {
        slots_[blocks.at(static_cast<size_t>(position / size_)) * size_ + position % size_] = what;
    }
    void see(const Sample& sample, int count) {
        for (int i = 0; i < count; ++i)
            ASSERT_EQ(slots_[sample.blocks.at(static_cast<size_t>(i / size_)) * size_ + i % size_],
                      value(sample, i))
                << "sample " << sample.index << " position " << i;
    }
    const int size_;
    std::map<int, int64_t> slots_;
};

Scheduler::Limits limits_of(int blocks, int max_batch = 8, int chunk = 16, bool reserve = false) {
    Scheduler::Limits limits;
    limits.blocks = blocks;
    limits.block_size = 4;
    limits.max_batch = max_batch;
    limits.chunk_tokens = chunk;
    limits.reserve = reserve;
    return limits;
}

TEST(Scheduler, SamplesShareTheFullBlocksOfTheirPrompt) {
    Computer computer(limits_of(100));
    computer.scheduler.add(1, request_of(10, 4, 2), nullptr);
    ASSERT_TRUE(computer.step());
    // Two full blocks, and a third of its own for each.
    EXPECT_EQ(computer.scheduler.blocks().used(), 2 + 4);
    EXPECT_EQ(computer.scheduler.running().size(), 4U);
    ASSERT_TRUE(computer.step());
    EXPECT_EQ(computer.ended, 4);
    EXPECT_EQ(computer.computed_tokens, 10);
    EXPECT_EQ(computer.scheduler.blocks().used(), 0);
    EXPECT_FALSE(computer.step());
}

TEST(Scheduler, LongPromptsAreComputedInChunksWhileOthersDecode) {
    Computer computer(limits_of(100, 8, 16));
    computer.scheduler.add(1, request_of(3, 1, 20), nullptr);
    ASSERT_TRUE(computer.step());
    computer.scheduler.add(2, request_of(50, 1, 2), nullptr);
    const Step step = computer.scheduler.next();
    ASSERT_EQ(step.chunks.size(), 1U);
    EXPECT_EQ(step.chunks[0].end, 16);
    EXPECT_EQ(step.decode.size(), 1U);
}

TEST(Scheduler, WhenBlocksRunOutTheYoungestIsPreempted) {
    Computer computer(limits_of(9, 8, 64));
    computer.scheduler.add(1, request_of(8, 1, 12), nullptr);
    computer.scheduler.add(2, request_of(8, 1, 12), nullptr);
    computer.scheduler.add(3, request_of(8, 1, 12), nullptr);
    for (int i = 0; i < 200 && computer.ended < 3; ++i) computer.step();
    EXPECT_EQ(computer.ended, 3);
    EXPECT_GT(computer.computed_tokens, 24) << "nobody had to start over: the test tests nothing";
    EXPECT_EQ(computer.scheduler.blocks().used(), 0);
}

TEST(Scheduler, WithReservationNothingIsComputedTwice) {
    Computer computer(limits_of(9, 8, 64, true));
    for (uint64_t id = 1; id <= 3; ++id) computer.scheduler.add(id, request_of(8, 1, 12), nullptr);
    for (int i = 0; i < 200 && computer.ended < 3; ++i) computer.step();
    EXPECT_EQ(computer.ended, 3);
    EXPECT_EQ(computer.computed_tokens, 24);
    EXPECT_EQ(computer.scheduler.blocks().used(), 0);
}

TEST(Scheduler, ARequestWithMoreSamplesThanABatchIsDecodedInTurns) {
    Computer computer(limits_of(200, 4, 64));
    computer.scheduler.add(1, request_of(5, 10, 6), nullptr);
    for (int i = 0; i < 100 && computer.ended < 10; ++i) computer.step();
    EXPECT_EQ(computer.ended, 10);
    EXPECT_EQ(computer.largest_batch, 4U);
}

TEST(Scheduler, RandomLoadEndsAndLeavesNothing) {
    std::mt19937 random(7);
    int neighbours = 0;
    for (int round = 0; round < 60; ++round) {
        const bool reserve = round % 3 == 0;
        Computer computer(limits_of(24, 6, 1 + static_cast<int>(random() % 40), reserve));
        int wanted = 0, cancelled = 0;
        for (uint64_t id = 1; id <= 25; ++id) {
            const int samples = 1 + static_cast<int>(random() % 3);
            const int prompt = 1 + static_cast<int>(random() % 30),
                      answer = 1 + static_cast<int>(random() % 20);
            if (reserve && computer.scheduler.reserved_blocks(prompt, samples, answer) > 24) continue;
            computer.scheduler.add(id, request_of(prompt, samples, answer), nullptr);
            wanted += samples;
            if (random() % 2) computer.step();
            if (random() % 4 == 0)
                if (Group* group = computer.scheduler.find(1 + random() % id)) {
                    for (const auto& sample : group->samples) {
                        cancelled += !sample->ended;
                        computer.scheduler.end(*sample);
                    }
                    computer.scheduler.remove_ended();
                }
        }
        int steps = 0;
        while (computer.step() && ++steps < 20000) {
        }
        EXPECT_EQ(computer.ended + cancelled, wanted) << "round " << round;
        EXPECT_EQ(computer.scheduler.blocks().used(), 0) << "round " << round;
        EXPECT_TRUE(computer.scheduler.groups().empty());
        neighbours += computer.neighbours;
    }
    EXPECT_GT(neighbours, 1000) << "hardly any shared: the test tests nothing of that";
}

}  // namespace
}  // namespace tritonsmith::engine
