#include "engine/kv_cache/shared_prefixes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tritonsmith::engine {
namespace {

using ::testing::ElementsAre;

struct Samples {
    int count = 0, shared_blocks = 0, length = 0;
};

/// A step of samples of several prompts, each of which has its own blocks behind those that are shared.
class Rows {
  public:
    Rows(const std::vector<Samples>& groups, int block_size) : block_size_(block_size) {
        for (const Samples& group : groups) stride_ = std::max(stride_, blocks_of(group.length));
        for (const Samples& group : groups) {
            const int shared = next_;
            next_ += group.shared_blocks;
            for (int i = 0; i < group.count; ++i) {
                const size_t row = lengths_.size();
                lengths_.push_back(group.length);
                table_.resize(table_.size() + static_cast<size_t>(stride_));
                for (int b = 0; b < blocks_of(group.length); ++b)
                    table_[row * static_cast<size_t>(stride_) + static_cast<size_t>(b)] =
                        b < group.shared_blocks ? shared + b : next_++;
            }
        }
    }
    DecodeStep step() const {
        DecodeStep step;
        step.table = table_;
        step.table_stride = stride_;
        step.block_size = block_size_;
        step.lengths = lengths_;
        step.heads = 16;
        step.kv_heads = 8;
        step.head_dim = 128;
        step.max_length = stride_ * block_size_;
        step.multiprocessors = 132;
        return step;
    }
    std::vector<int>& lengths() { return lengths_; }

  private:
    int blocks_of(int tokens) const { return (tokens + block_size_ - 1) / block_size_; }

    const int block_size_;
    int stride_ = 0, next_ = 1;
    std::vector<int> table_, lengths_;
};

/// The conditions of arguments.h.
void expect_valid(const DecodeStep& step, const Sharing& sharing) {
    ASSERT_EQ(sharing.prefixes.size(), step.lengths.size());
    const int rows = static_cast<int>(step.lengths.size());
    for (int row = 0; row < rows; ++row) {
        const kernels::SharedPrefix& one = sharing.prefixes[static_cast<size_t>(row)];
        const kernels::SharedPrefix& first = sharing.prefixes[static_cast<size_t>(one.first_row)];
        ASSERT_LE(one.first_row, row);
        ASSERT_LT(row, one.first_row + one.rows);
        ASSERT_EQ(first.first_row, one.first_row);
        ASSERT_EQ(first.rows, one.rows);
        ASSERT_EQ(first.parts, one.parts);
        ASSERT_LE(one.rows * step.heads / step.kv_heads, 16);
        const int tokens = one.parts * sharing.split_size;
        ASSERT_EQ(one.rows == 1, one.parts == 0);
        ASSERT_TRUE(one.parts == 0 || step.lengths[static_cast<size_t>(row)] > tokens);
        for (int block = 0; block * step.block_size < tokens; ++block)
            ASSERT_EQ(step.table[static_cast<size_t>(row * step.table_stride + block)],
                      step.table[static_cast<size_t>(one.first_row * step.table_stride + block)]);
    }
}

std::vector<int> first_rows(const std::vector<kernels::SharedPrefix>& prefixes) {
    std::vector<int> out;
    for (const kernels::SharedPrefix& one : prefixes) out.push_back(one.first_row);
    return out;
}

TEST(SharedPrefixes, TokensOfCommonBlocksAreShared) {
    Rows rows({{3, 4, 100}, {2, 0, 70}, {1, 2, 40}}, 16);
    EXPECT_THAT(tokens_shared_with_previous(rows.step()), ElementsAre(0, 64, 64, 0, 0, 0));
    // The token that is fed is never counted.
    Rows whole({{2, 4, 64}, {2, 1, 16}}, 16);
    EXPECT_THAT(tokens_shared_with_previous(whole.step()), ElementsAre(0, 63, 0, 15));
    whole.lengths()[1] = 0;  // an empty row
    EXPECT_THAT(tokens_shared_with_previous(whole.step()), ElementsAre(0, 0, 0, 15));
}

TEST(SharedPrefixes, NeighboursShareWholeParts) {
    const std::vector<int> shared = {0, 200, 200, 0, 127, 128, 128, 128};
    const auto prefixes = shared_prefixes(shared, 128, 16);
    EXPECT_THAT(first_rows(prefixes), ElementsAre(0, 0, 0, 3, 4, 4, 4, 4));
    EXPECT_EQ(prefixes[2].rows, 3);
    EXPECT_EQ(prefixes[2].parts, 1);
    EXPECT_EQ(prefixes[3].rows, 1);
    EXPECT_EQ(prefixes[3].parts, 0);
    EXPECT_EQ(prefixes[7].rows, 4);
    EXPECT_EQ(shared_prefixes(shared, 64, 16)[0].parts, 3);
    EXPECT_THAT(first_rows(shared_prefixes(shared, 256, 16)), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(SharedPrefixes, LargeGroupsAreCutInto16Queries) {
    const std::vector<int> shared = {0, 500, 500, 500, 500, 500, 500};
    EXPECT_THAT(first_rows(shared_prefixes(shared, 128, 4)), ElementsAre(0, 0, 0, 0, 4, 4, 4));
    EXPECT_THAT(first_rows(shared_prefixes(shared, 128, 2)), ElementsAre(0, 0, 2, 2, 4, 4, 6));
    EXPECT_THAT(first_rows(shared_prefixes(shared, 128, 1)), ElementsAre(0, 1, 2, 3, 4, 5, 6));
}

TEST(SharedPrefixes, WhatWasMeasuredIsChosen) {
    const Rows rows(std::vector<Samples>(16, {16, 8, 640}), 64);
    const Sharing sharing = find_sharing(rows.step());
    EXPECT_EQ(sharing.split_size, 512);
    expect_valid(rows.step(), sharing);
    EXPECT_EQ(sharing.prefixes[17].first_row, 16);
    EXPECT_EQ(sharing.prefixes[17].rows, 8);
    EXPECT_EQ(sharing.prefixes[17].parts, 1);
    DecodeStep wider = rows.step();
    wider.heads = 32;
    EXPECT_EQ(find_sharing(wider).split_size, 512);
    EXPECT_EQ(find_sharing(wider).prefixes[17].rows, 4);
}

TEST(SharedPrefixes, WithoutGainNothingIsShared) {
    const auto expect_alone = [](const DecodeStep& step, const char* why) {
        const Sharing sharing = find_sharing(step);
        EXPECT_TRUE(sharing.prefixes.empty()) << why;
        EXPECT_EQ(sharing.split_size, step.split_size) << why;
    };
    expect_alone(Rows({}, 64).step(), "no rows");
    expect_alone(Rows(std::vector<Samples>(256, {1, 8, 640}), 64).step(), "nothing is shared");
    expect_alone(Rows(std::vector<Samples>(128, {2, 1, 640}), 64).step(), "64 tokens are shared");
    expect_alone(Rows(std::vector<Samples>(16, {16, 8, 8000}), 64).step(), "answers have become long");
    expect_alone(Rows({{2, 8, 640}}, 64).step(), "two rows");
    const Rows many(std::vector<Samples>(16, {16, 8, 640}), 64);
    DecodeStep step = many.step();
    step.heads = 72;  // 9 to each of keys: two rows are more than 16 queries
    expect_alone(step, "too many queries");
}

TEST(SharedPrefixes, AFixedSplitStays) {
    const Rows rows({{7, 17, 1200}, {16, 16, 1100}, {1, 0, 30}}, 64);
    DecodeStep step = rows.step();
    step.split_size = 512;
    step.fixed_split = true;
    const Sharing sharing = find_sharing(step);
    EXPECT_EQ(sharing.split_size, 512);
    expect_valid(step, sharing);
    EXPECT_THAT(first_rows(sharing.prefixes),
                ElementsAre(0, 0, 0, 0, 0, 0, 0, 7, 7, 7, 7, 7, 7, 7, 7, 15, 15, 15, 15, 15, 15, 15, 15, 23));
    EXPECT_EQ(sharing.prefixes[0].parts, 2);
    EXPECT_EQ(sharing.prefixes[22].parts, 2);
    step.split_size = 2048;
    EXPECT_TRUE(find_sharing(step).prefixes.empty()) << "no part is shared whole";
}

/// engine_gpu_test.cpp relies on this: it cannot observe whether its rows share.
TEST(SharedPrefixes, TheEnginesTestsOnAGpuShare) {
    const auto of_small_model = [](DecodeStep step) {
        step.heads = 4, step.kv_heads = 2, step.head_dim = 64;
        return step;
    };
    const Rows groups({{7, 68, 1101}, {7, 66, 1065}}, 16);
    DecodeStep exact = of_small_model(groups.step());
    exact.split_size = 512;
    exact.fixed_split = true;
    EXPECT_FALSE(find_sharing(exact).prefixes.empty());
    const Rows many(std::vector<Samples>(16, {16, 65, 1080}), 16);
    EXPECT_FALSE(find_sharing(of_small_model(many.step())).prefixes.empty());
}

TEST(SharedPrefixes, FewLongRowsStillFillTheDevice) {
    const Rows rows({{16, 128, 8300}}, 64);
    DecodeStep step = rows.step();
    step.split_size = kernels::decode_split_size(16, 8, step.max_length, 132);
    ASSERT_GT(step.split_size, 0);
    const Sharing sharing = find_sharing(step);
    expect_valid(step, sharing);
    // 2 x 8 heads have all of the prefix: in parts of 4096 tokens most multiprocessors would have nothing.
    EXPECT_LE(sharing.split_size, 1024);
    EXPECT_GE(sharing.prefixes[0].parts, 8);
}

TEST(SharedPrefixes, AreValidWhateverTheRows) {
    std::mt19937 random(3);
    int shared = 0;
    for (int round = 0; round < 300; ++round) {
        std::vector<Samples> groups;
        for (unsigned i = 0, count = 1 + random() % 40; i < count; ++i) {
            const int length = 1 + static_cast<int>(random() % 3000);
            groups.push_back({1 + static_cast<int>(random() % 20),
                              static_cast<int>(random() % static_cast<unsigned>(length)) / 32, length});
        }
        Rows rows(groups, 32);
        // Samples of a prompt have lengths of their own, and the last rows of a step are empty.
        for (int& length : rows.lengths()) length -= static_cast<int>(random() % 5) * length / 8;
        for (size_t i = 1; i <= random() % 4 && i < rows.lengths().size(); ++i)
            rows.lengths()[rows.lengths().size() - i] = 0;
        DecodeStep step = rows.step();
        step.kv_heads = 1 << random() % 4;
        step.heads = step.kv_heads * (1 + static_cast<int>(random() % 10));
        if (random() % 2) step.split_size = 128 << random() % 4;
        step.fixed_split = step.split_size > 0 && random() % 2;
        const Sharing sharing = find_sharing(step);
        if (sharing.prefixes.empty()) {
            EXPECT_EQ(sharing.split_size, step.split_size);
            continue;
        }
        ++shared;
        EXPECT_GT(sharing.split_size, 0);
        EXPECT_EQ(sharing.split_size % 16, 0);
        expect_valid(step, sharing);
    }
    EXPECT_GT(shared, 50);
}

}  // namespace
}  // namespace tritonsmith::engine
