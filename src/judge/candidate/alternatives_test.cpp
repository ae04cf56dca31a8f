#include "judge/candidate/alternatives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "ttir/parse/parser.h"

namespace tritonsmith::judge {
namespace {

using ::testing::ElementsAre;

/// A kernel that adds `constant` to places of a tile, and negates or not.
std::shared_ptr<const ttir::Module> kernel(int tile, int constant, bool negates = false) {
    const std::string t = "tensor<" + std::to_string(tile) + "xi32>";
    return std::make_shared<const ttir::Module>(ttir::parse(
        "module {\n  tt.func public @k(%n: i32) {\n    %at = tt.make_range {end = " + std::to_string(tile) +
        " : i32, start = 0 : i32} : " + t + "\n    %c = arith.constant dense<" + std::to_string(constant) +
        "> : " + t + "\n    %sum = arith.addi %at, %c : " + t + "\n" +
        (negates ? "    %more = arith.subi %sum, %c : " + t + "\n" : "") + "    tt.return\n  }\n}\n"));
}

plan::Alternative launch(int kernel, int64_t argument = 7) {
    plan::LaunchStep step;
    step.kernel = kernel;
    step.args = {plan::Value{argument}};
    return {"number " + std::to_string(kernel), {plan::Step{step}}};
}

struct Tuned {
    plan::Plan plan;
    std::vector<std::shared_ptr<const ttir::Module>> modules;

    void choice(std::vector<plan::Alternative> alternatives) {
        plan.steps.push_back({plan::ChoiceStep{std::move(alternatives)}});
    }
    std::vector<TunedRun> runs(const std::function<bool(size_t, size_t)>& usable = [](size_t, size_t) {
        return true;
    }) const {
        return tuned_runs(plan, modules, std::vector<int>(plan.steps.size(), 0), usable, 5);
    }
    Likeness second() const { return runs().at(0).like; }
};

Likeness compared(const std::shared_ptr<const ttir::Module>& one,
                  const std::shared_ptr<const ttir::Module>& other, int64_t argument = 7) {
    Tuned tuned;
    tuned.modules = {one, other};
    tuned.choice({launch(0), launch(1, argument)});
    return tuned.second();
}

TEST(Alternatives, AreAlikeWhereTheirTilesExplainWhatDiffers) {
    EXPECT_EQ(compared(kernel(64, 5), kernel(64, 5)), Likeness::same);
    EXPECT_EQ(compared(kernel(64, 5), kernel(128, 5)), Likeness::tiles);
    EXPECT_EQ(compared(kernel(64, 128), kernel(128, 256)), Likeness::tiles);
    EXPECT_EQ(compared(kernel(64, 63), kernel(128, 127)), Likeness::tiles);
    EXPECT_EQ(compared(kernel(64, 128), kernel(128, 128)), Likeness::tiles);
    EXPECT_EQ(compared(kernel(64, 5), kernel(64, 6)), Likeness::other) << "no tile has changed";
    EXPECT_EQ(compared(kernel(64, 5), kernel(128, 10)), Likeness::other) << "no multiple of one";
    EXPECT_EQ(compared(kernel(64, 256), kernel(128, 128)), Likeness::other) << "fewer of them";
    EXPECT_EQ(compared(kernel(64, 5), kernel(64, 5, true)), Likeness::other);
    EXPECT_EQ(compared(kernel(64, 5), kernel(128, 5), 8), Likeness::other) << "another argument";
}

TEST(Alternatives, OfSeveralChoicesChangeTogether) {
    Tuned tuned;
    tuned.modules = {kernel(64, 5), kernel(64, 5, true), kernel(32, 5, true), kernel(128, 5)};
    tuned.choice({launch(0), launch(1), launch(2), launch(3)});
    tuned.choice({launch(0), launch(3)});
    const std::vector<TunedRun> runs = tuned.runs();
    ASSERT_EQ(runs.size(), 3U);
    EXPECT_EQ(runs[0].like, Likeness::other) << "one of the two that go another way";
    EXPECT_THAT(runs[0].changed, ElementsAre(0));
    EXPECT_EQ(runs[1].like, Likeness::tiles);
    EXPECT_THAT(runs[1].changed, ElementsAre(0, 1));
    EXPECT_EQ(runs[1].choice[1], 1);
    EXPECT_EQ(runs[2].like, Likeness::tiles);
    EXPECT_THAT(runs[2].changed, ElementsAre(0));
    std::vector<int> seen{runs[0].choice[0], runs[1].choice[0], runs[2].choice[0]};
    std::sort(seen.begin(), seen.end());
    EXPECT_THAT(seen, ElementsAre(1, 2, 3));
}

TEST(Alternatives, ThatATunerDropsShowNothing) {
    Tuned tuned;
    tuned.modules = {kernel(64, 5), kernel(128, 5), kernel(256, 5)};
    tuned.choice({launch(0), launch(1), launch(2)});
    const std::vector<TunedRun> runs = tuned.runs([](size_t, size_t alternative) { return alternative > 0; });
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].like, Likeness::other) << "the first is dropped: another is seen on all sets";
    EXPECT_EQ(runs[1].like, Likeness::tiles);
}

TEST(Alternatives, OfMoreTilesAreSeenOnFewerSets) {
    EXPECT_EQ(sets_of_tiles(1, 6), 6U);
    EXPECT_EQ(sets_of_tiles(4, 6), 6U);
    EXPECT_EQ(sets_of_tiles(8, 6), 3U);
    EXPECT_EQ(sets_of_tiles(40, 6), 2U);
    EXPECT_EQ(sets_of_tiles(0, 1), 1U);
}

}  // namespace
}  // namespace tritonsmith::judge
