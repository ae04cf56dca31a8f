#include "train/data/batch_stream.h"

#include <gtest/gtest.h>

#include "train/data/batch_queue.h"
#include "train/data/evaluation_set.h"
#include "train/data/testing.h"

namespace tritonsmith::train {
namespace {

/// Two sources of questions and answers of several lengths.
struct TwoSources {
    SmallChat chat;
    std::shared_ptr<const ExampleMaker> maker = std::make_shared<const ExampleMaker>(chat.folder.path());
    StreamSettings settings{.sources = {source("short", 37, 5, 3), source("long", 23, 60, 1)},
                            .budget = 300,
                            .longest = 100,
                            .shuffle_window = 8,
                            .pack_window = 10,
                            .pairs = {},
                            .seed = 9};

    SourceSettings source(const std::string& name, int rows, int length, double weight) {
        std::string text;
        for (int i = 0; i < rows; ++i)
            text +=
                chat_row(name + std::to_string(i), std::string(static_cast<size_t>(length + i), 'a')) + "\n";
        const std::filesystem::path path = chat.folder.path() / (name + ".jsonl");
        write_file(path, text);
        return {name, {path}, weight};
    }
};

TEST(BatchStream, BatchesAreFullAndCountTheirTargets) {
    TwoSources sources;
    BatchStream stream(sources.settings, sources.maker);
    int64_t tokens = 0, batches = 200;
    for (int64_t i = 0; i < batches; ++i) {
        const Batch batch = stream.next();
        int64_t sum = 0, targets = 0;
        for (const int64_t length : batch.lengths) {
            for (int64_t at = sum + 1; at < sum + length; ++at)
                targets += batch.learned[static_cast<size_t>(at)];
            sum += length;
        }
        ASSERT_EQ(sum, static_cast<int64_t>(batch.tokens.size()));
        ASSERT_EQ(batch.learned.size(), batch.tokens.size());
        EXPECT_LE(sum, 300);
        EXPECT_EQ(targets, batch.targets);
        EXPECT_GT(targets, 0);
        tokens += sum;
    }
    EXPECT_GT(static_cast<double>(tokens) / static_cast<double>(300 * batches), 0.7);
}

TEST(BatchStream, SourcesAreDrawnByTheirWeightsAndLongExamplesAreCounted) {
    TwoSources sources;
    BatchStream stream(sources.settings, sources.maker);
    Json counts;
    for (int i = 0; i < 300; ++i) counts = stream.next().counts;
    const auto rows = [&](const char* name) {
        return counts[name]["examples"].get<double>() + counts[name]["too_long"].get<double>();
    };
    EXPECT_EQ(counts["short"]["too_long"], 0);
    EXPECT_GT(counts["long"]["too_long"].get<int>(), 0);
    EXPECT_NEAR(rows("short") / (rows("short") + rows("long")), 0.75, 0.05);
    EXPECT_GT(counts["short"]["epoch"].get<int>(), 1);
}

TEST(BatchStream, GoesOnBehindAnyBatch) {
    TwoSources sources;
    BatchStream stream(sources.settings, sources.maker);
    Json place;
    for (int i = 0; i < 30; ++i) {
        const Batch batch = stream.next();
        if (i > 0) {
            BatchStream other(sources.settings, sources.maker);
            other.seek(place);
            const Batch again = other.next();
            EXPECT_EQ(again.tokens, batch.tokens);
            EXPECT_EQ(again.learned, batch.learned);
            EXPECT_EQ(again.lengths, batch.lengths);
            EXPECT_EQ(again.place, batch.place);
            EXPECT_EQ(again.counts, batch.counts);
        }
        place = batch.place;
    }
}

TEST(BatchStream, DoesNotDependOnItsThreads) {
    TwoSources sources;
    StreamSettings settings = sources.settings;
    settings.threads = 3;
    BatchStream one(sources.settings, sources.maker), three(settings, sources.maker);
    for (int i = 0; i < 40; ++i) EXPECT_EQ(one.next().tokens, three.next().tokens);
}

TEST(EvaluationSet, HoldsTheFirstExamplesOnce) {
    TwoSources sources;
    const std::vector<std::filesystem::path>& files = sources.settings.sources[0].files;
    size_t examples = 0;
    for (const Batch& batch : evaluation_set(files, 100, sources.settings, *sources.maker)) {
        EXPECT_LE(batch.tokens.size(), 300u);
        EXPECT_GT(batch.targets, 0);
        examples += batch.lengths.size();
    }
    EXPECT_EQ(examples, 37u);
    EXPECT_EQ(evaluation_set(files, 2, sources.settings, *sources.maker).size(), 2u);
    StreamSettings settings = sources.settings;
    settings.longest = 2;
    EXPECT_THROW(evaluation_set(files, 2, settings, *sources.maker), InputError);
}

TEST(BatchQueue, HasTheBatchesOfTheStreamAndItsFailure) {
    TwoSources sources;
    BatchStream stream(sources.settings, sources.maker);
    BatchQueue queue(BatchStream(sources.settings, sources.maker), 3);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(queue.next().tokens, stream.next().tokens);
    write_file(sources.settings.sources[0].files[0], "{\n");
    BatchQueue damaged(BatchStream(sources.settings, sources.maker), 3);
    EXPECT_THROW(
        {
            for (;;) damaged.next();
        },
        InputError);
    EXPECT_THROW(damaged.next(), InputError);
}

TEST(BatchStream, RefusesWhatItCannotRead) {
    TwoSources sources;
    StreamSettings settings = sources.settings;
    settings.longest = 301;
    EXPECT_THROW(BatchStream(settings, sources.maker), InputError);
    settings = sources.settings;
    settings.sources[0].weight = 0;
    EXPECT_THROW(BatchStream(settings, sources.maker), InputError);
    BatchStream stream(sources.settings, sources.maker);
    const Json place = stream.next().place;
    settings = sources.settings;
    settings.sources.pop_back();
    BatchStream other(settings, sources.maker);
    EXPECT_THROW(other.seek(place), InputError);
    EXPECT_THROW(other.seek(Json::object()), InputError);
}

}  // namespace
}  // namespace tritonsmith::train
