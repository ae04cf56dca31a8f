#include "grpo/task_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace tritonsmith::grpo {
namespace {

std::vector<std::pair<size_t, size_t>> draws(TaskOrder& order, int count) {
    std::vector<std::pair<size_t, size_t>> out;
    for (int i = 0; i < count; ++i) {
        const TaskOrder::Place place = order.next();
        out.emplace_back(place.source, place.task);
    }
    return out;
}

TEST(TaskOrder, AnEpochHasEachTaskOnce) {
    TaskOrder order({10}, {1}, 3);
    std::vector<std::pair<size_t, size_t>> first = draws(order, 10), second = draws(order, 10);
    EXPECT_NE(first, second);
    std::sort(first.begin(), first.end());
    std::sort(second.begin(), second.end());
    EXPECT_EQ(first, second);
    EXPECT_EQ(std::set(first.begin(), first.end()).size(), 10U);
}

TEST(TaskOrder, GoesOnFromAPosition) {
    TaskOrder whole({7, 5}, {1, 3}, 11), stopped({7, 5}, {1, 3}, 11), resumed({7, 5}, {1, 3}, 11);
    const auto all = draws(whole, 40);
    auto some = draws(stopped, 17);
    resumed.seek(stopped.position());
    const auto rest = draws(resumed, 23);
    some.insert(some.end(), rest.begin(), rest.end());
    EXPECT_EQ(some, all);
    EXPECT_THROW(resumed.seek({1, 2}), InputError);
}

TEST(TaskOrder, SourcesAreDrawnByWeight) {
    TaskOrder order({50, 50}, {1, 3}, 5);
    std::map<size_t, int> count;
    for (const auto& [source, task] : draws(order, 4000)) ++count[source];
    EXPECT_NEAR(count[1] / 4000.0, 0.75, 0.03);
}

TEST(TaskOrder, ProcessesDivideTheTasks) {
    std::set<std::pair<size_t, size_t>> all;
    for (int rank = 0; rank < 3; ++rank) {
        TaskOrder order({10}, {1}, 3, rank, 3);
        for (const auto& draw : draws(order, rank == 0 ? 4 : 3)) EXPECT_TRUE(all.insert(draw).second);
    }
    EXPECT_EQ(all.size(), 10U);
    EXPECT_THROW(TaskOrder({2}, {1}, 3, 2, 3), InputError);
}

}  // namespace
}  // namespace tritonsmith::grpo
