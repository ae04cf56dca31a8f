#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/process/files.h"
#include "bench/training/ablation_report.h"

namespace tritonsmith::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Two settings with two seeds of four steps; of the last run two are done.
class AblationFolder : public testing::Test {
  protected:
    void SetUp() override {
        Json rows = Json::array();
        for (const std::string kind : {"hrd", "</script>|"}) {
            Json cells = Json::array();
            for (const int seed : {1, 2}) {
                const std::string folder = "cells/" + std::to_string(rows.size()) + std::to_string(seed);
                cells.push_back({{"seed", seed}, {"steps", 4}, {"folder", folder}});
                const bool last = !rows.empty() && seed == 2;
                write_run(path_ / folder, last ? 2 : 4, 0.1 * static_cast<double>(rows.size()) + 0.01 * seed);
            }
            rows.push_back({{"name", "reward.kind=" + kind},
                            {"values", {{{"axis", "reward.kind"}, {"label", kind}}}},
                            {"cells", cells}});
        }
        rows[0]["values"].push_back({{"axis", "reward.alpha"}, {"label", "0.1"}});
        const Json head = {{"kind", "ablation"},
                           {"configuration", "grpo.toml"},
                           {"seeds", {1, 2}},
                           {"window", 2},
                           {"metrics", {"evaluation/pass_rate", "answers/pass_rate", "mfu"}},
                           {"rows", rows}};
        write_file(path_ / "ablation.json", dump(head));
    }
    void write_run(const std::filesystem::path& folder, int steps, double offset) const {
        write_file(folder / "run.json", R"({"kind": "grpo", "settings": {}})");
        std::string text;
        for (int step = 1; step <= steps; ++step) {
            Json line = {{"step", step}, {"answers", {{"pass_rate", offset + 0.1 * step}}}};
            if (step % 2 == 0) line["evaluation"] = {{"pass_rate", offset + 0.2 * step}};
            text += dump(line) + "\n";
        }
        write_file(folder / "metrics.jsonl", text);
    }

    TemporaryFolder folder_;
    const std::filesystem::path path_ = folder_.path() / "grid";
};

TEST_F(AblationFolder, NumbersAreMeansOfTheLastStepsOverSeeds) {
    ASSERT_TRUE(is_ablation(path_));
    const Ablation ablation = read_ablation(path_);
    EXPECT_EQ(ablation.name, "grid");
    EXPECT_THAT(ablation.axes, ElementsAre("reward.kind", "reward.alpha"));
    ASSERT_EQ(ablation.rows.size(), 2U);
    const SeedMean& rate = ablation.rows[0].numbers[1];
    EXPECT_DOUBLE_EQ(rate.by_seed[0], 0.01 + 0.35);
    EXPECT_DOUBLE_EQ(rate.mean, 0.015 + 0.35);
    EXPECT_DOUBLE_EQ(rate.low, 0.01 + 0.35);
    EXPECT_DOUBLE_EQ(rate.high, 0.02 + 0.35);
    EXPECT_DOUBLE_EQ(ablation.rows[0].numbers[0].by_seed[1], 0.02 + 0.8) << "the last evaluation alone";
    EXPECT_TRUE(std::isnan(ablation.rows[0].numbers[2].mean)) << "nothing measures it";
    EXPECT_EQ(ablation.rows[1].cells[1].done, 2);
}

TEST_F(AblationFolder, CurvesAreMeansOverSeedsThatGotThatFar) {
    const Ablation ablation = read_ablation(path_);
    EXPECT_EQ(ablation.steps(), 4);
    const Curve& curve = ablation.rows[1].curves[1];
    EXPECT_THAT(ablation.rows[1].steps, ElementsAre(1, 2, 3, 4));
    EXPECT_DOUBLE_EQ(curve.mean[1], 0.1 + 0.015 + 0.2);
    EXPECT_DOUBLE_EQ(curve.high[1], 0.1 + 0.02 + 0.2);
    EXPECT_DOUBLE_EQ(curve.mean[3], 0.1 + 0.01 + 0.4) << "of the first seed";
}

TEST_F(AblationFolder, TablesAndFiguresShowEverySetting) {
    const Ablation ablation = read_ablation(path_);
    const std::string table = ablation_markdown(ablation);
    EXPECT_THAT(
        table,
        HasSubstr("| reward.kind | reward.alpha | runs | evaluation/pass_rate | answers/pass_rate |\n"));
    EXPECT_THAT(table, HasSubstr("| hrd | 0.1 | 2 | 0.815 (0.81–0.82) | 0.365 (0.36–0.37) |\n"));
    EXPECT_THAT(table, HasSubstr("| </script>  |  | 1 of 2 |"));
    EXPECT_THAT(table, Not(HasSubstr("mfu")));
    const Json json = ablation_json(ablation);
    EXPECT_EQ(json["rows"][0]["values"]["reward.kind"], "hrd");
    EXPECT_TRUE(json["rows"][0]["numbers"]["mfu"]["mean"].is_null());
    EXPECT_EQ(json["rows"][1]["curves"]["answers/pass_rate"]["mean"].size(), 4U);
    const std::string page = ablation_html(ablation);
    EXPECT_THAT(page, HasSubstr("answers pass_rate/reward.kind=hrd"));
    EXPECT_THAT(page, HasSubstr("\\u003c/script>"));
    EXPECT_THAT(page, Not(HasSubstr("https://")));
    const std::string figure = ablation_figure(ablation);
    EXPECT_THAT(figure, HasSubstr("reward.kind=hrd</text>"));
    EXPECT_THAT(figure, HasSubstr("reward.kind=&lt;/script"));
    EXPECT_THAT(figure, HasSubstr("class=\"band own\""));
    EXPECT_THAT(figure, Not(HasSubstr("nan")));
}

TEST_F(AblationFolder, RunsThatHaveNotBegunAreNoError) {
    std::filesystem::remove_all(path_ / "cells");
    const Ablation ablation = read_ablation(path_);
    EXPECT_EQ(ablation.steps(), 0);
    EXPECT_THAT(ablation_markdown(ablation), HasSubstr("| hrd | 0.1 | 0 of 2 |"));
    EXPECT_THAT([&] { ablation_figure(ablation); },
                testing::ThrowsMessage<InputError>(HasSubstr("nothing to draw")));
    EXPECT_THAT([&] { ablation_html(ablation); },
                testing::ThrowsMessage<InputError>(HasSubstr("nothing to draw")));
    write_file(path_ / "ablation.json", R"({"rows": 3})");
    EXPECT_THAT([&] { read_ablation(path_); }, testing::ThrowsMessage<InputError>(HasSubstr("is damaged")));
}

}  // namespace
}  // namespace tritonsmith::bench
