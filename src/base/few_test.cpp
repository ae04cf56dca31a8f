#include "base/few.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace tritonsmith {
namespace {

using Shared = std::shared_ptr<int>;

std::vector<int> in(const Few<Shared, 2>& few) {
    std::vector<int> out;
    for (const Shared& one : few) out.push_back(*one);
    return out;
}

TEST(Few, IsAVectorWhetherFewOrMany) {
    Few<Shared, 2> few;
    std::vector<int> same;
    const std::vector<size_t> places = {0, 0, 1, 3, 2, 5};
    for (size_t i = 0; i < places.size(); ++i) {
        few.insert(places[i], std::make_shared<int>(static_cast<int>(i)));
        same.insert(same.begin() + static_cast<std::ptrdiff_t>(places[i]), static_cast<int>(i));
        EXPECT_EQ(in(few), same);
    }
    const Few<Shared, 2> copy = few;
    for (const size_t place : {size_t{5}, size_t{0}, size_t{2}, size_t{1}, size_t{0}, size_t{0}}) {
        few.erase(place);
        same.erase(same.begin() + static_cast<std::ptrdiff_t>(place));
        EXPECT_EQ(in(few), same);
        EXPECT_EQ(few.size(), same.size());
    }
    EXPECT_TRUE(few.empty());
    EXPECT_EQ(copy.size(), 6U);
}

TEST(Few, ReleasesWhatIsErased) {
    const auto one = std::make_shared<int>(1);
    Few<Shared, 2> few;
    for (int i = 0; i < 3; ++i) few.push_back(one);
    EXPECT_EQ(one.use_count(), 4);
    few.erase(1);
    EXPECT_EQ(one.use_count(), 3);
    few.erase(0);
    few.erase(0);
    EXPECT_EQ(one.use_count(), 1);
}

}  // namespace
}  // namespace tritonsmith
