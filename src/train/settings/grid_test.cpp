#include "train/settings/grid.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "train/settings/toml.h"

namespace tritonsmith::train {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<GridPoint> points_of(const std::string& toml) {
    return grid_points(SettingFields(parse_toml(toml, "grid.toml"), "grid.toml").tables("grids"));
}

std::vector<std::string> names_of(const std::string& toml) {
    std::vector<std::string> names;
    for (const GridPoint& point : points_of(toml)) names.push_back(point.name());
    return names;
}

TEST(Grid, HasAllCombinationsOfEachGrid) {
    EXPECT_THAT(names_of(R"(
[[grids]]
fields.reward.kind = ["hrd"]
fields.reward.alpha = [0, 0.1]
variants.sft.off.model.folder = "a"
variants.sft.on.model.folder = "b"
[[grids]]
fields.reward.kind = ["uniform"]
)"),
                ElementsAre("reward.alpha=0,reward.kind=hrd,sft=off", "reward.alpha=0,reward.kind=hrd,sft=on",
                            "reward.alpha=0.1,reward.kind=hrd,sft=off",
                            "reward.alpha=0.1,reward.kind=hrd,sft=on", "reward.kind=uniform"));
    EXPECT_THAT(names_of(""), ElementsAre("base"));
}

TEST(Grid, ChangesAreReadAsTheyWereWritten) {
    const std::string text = R"(
reward.speeds = [1, 2.5]
model.folder = "a \"b\"/c=d"
tasks.sources = [{files = "x.py", weight = 2}, {files = "y"}]
rollout.dynamic = true
"odd name"."with.dot" = "true"
)";
    const std::vector<GridPoint> points = points_of("[[grids]]\n[grids.variants.only.one]" + text);
    ASSERT_EQ(points.size(), 1U);
    Json document = Json::object();
    for (const std::string& change : points[0].changes()) set_toml(document, change);
    EXPECT_EQ(document, parse_toml(text, "expected"));
}

TEST(Grid, NamesAreFitForFilesAndDistinct) {
    const std::vector<std::string> names =
        names_of("[[grids]]\nfields.model.folder = [\"a/b\", \"a-b\", \"a b\", \"../x\"]\n");
    for (const std::string& name : names) EXPECT_EQ(name.find('/'), std::string::npos) << name;
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 4U);
    const std::string longer(400, 'x');
    EXPECT_LT(names_of("[[grids]]\nfields.a = [\"" + longer + "\"]\n")[0].size(), 200U);
}

TEST(Grid, WhatIsWrongIsNamed) {
    EXPECT_THAT([] { points_of("[[grids]]\nfields.reward.alpha = 1\n"); },
                ThrowsMessage<InputError>(HasSubstr("[[grids]] 1: fields.reward.alpha must be a list")));
    EXPECT_THAT([] { points_of("[[grids]]\nfields.a = []\n"); },
                ThrowsMessage<InputError>(HasSubstr("fields.a")));
    EXPECT_THAT([] { points_of("[[grids]]\nvariants.sft.on = 1\n"); },
                ThrowsMessage<InputError>(HasSubstr("variants.sft.on must be a table")));
    EXPECT_THAT([] { points_of("[[grids]]\nfields.a = [1]\n[[grids]]\nfields.a = [1]\n"); },
                ThrowsMessage<InputError>(HasSubstr("[[grids]] 2: a=1 is there twice")));
    EXPECT_THAT([] { points_of("[[grids]]\nreward.alpha = [1]\n"); },
                ThrowsMessage<InputError>(HasSubstr("reward is unknown")));
    std::string many = "[[grids]]\n";
    for (const char* axis : {"a", "b", "c", "d", "e"})
        many += fmt::format("fields.{} = [1,2,3,4,5,6,7,8]\n", axis);
    EXPECT_THAT([&] { points_of(many); }, ThrowsMessage<InputError>(HasSubstr("10000 combinations")));
}

}  // namespace
}  // namespace tritonsmith::train
