#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/process/files.h"
#include "bench/training/training_report.h"

namespace tritonsmith::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Training : public testing::Test {
  protected:
    void SetUp() override {
        std::filesystem::create_directories(path_);
        write_file(
            path_ / "run.json",
            R"({"kind": "sft", "parameters": 61000000, "settings": {"run": {"device": "cuda:0", "folder": "</script>"}}})");
    }
    void write_steps(int steps) {
        std::string text;
        for (int step = 1; step <= steps; ++step) {
            Json line = {{"step", step},
                         {"seconds", 1e9 + step},
                         {"loss", 8.0 / step},
                         {"tokens", 100 * step},
                         {"tokens_per_second", 400},
                         {"time", {{"data", 0.5}, {"passes", 1.3}}},
                         {"data", {{"pairs", {{"rows", step}}}}}};
            if (step % 4 == 0) line["evaluation"] = {{"loss", 3.0 + std::abs(step - 8)}};
            text += dump(line) + "\n";
        }
        write_file(path_ / "metrics.jsonl",
                   text + R"({"step": 99, "loss": 5)");  // a line that is being written
    }
    TemporaryFolder folder_;
    const std::filesystem::path path_ = folder_.path() / "first";
};

TEST_F(Training, CurvesAreMeansOfIntervals) {
    write_steps(12);
    const TrainingRun run = read_training_run(path_, 4);
    EXPECT_EQ(run.name, "first");
    EXPECT_EQ(run.lines, 12U);
    EXPECT_THAT(run.steps, ElementsAre(3, 6, 9, 12));
    EXPECT_THAT(run.tokens, ElementsAre(300, 600, 900, 1200));
    EXPECT_DOUBLE_EQ(run.hours.back(), 12 * 1.8 / 3600) << "of work, whatever the clock says";
    const Curve& loss = run.curves.at("loss");
    EXPECT_DOUBLE_EQ(loss.mean[0], (8 + 4 + 8.0 / 3) / 3);
    EXPECT_DOUBLE_EQ(loss.low[0], 8.0 / 3);
    EXPECT_DOUBLE_EQ(loss.high[0], 8);
    const Curve& held = run.curves.at("evaluation/loss");
    EXPECT_TRUE(std::isnan(held.mean[0])) << "no evaluation in the first three steps";
    EXPECT_EQ(held.mean[1], 7);
    EXPECT_EQ(held.mean[2], 3);
    EXPECT_EQ(run.best, 3);
    EXPECT_EQ(run.best_step, 8);
    EXPECT_FALSE(run.curves.contains("step"));
}

TEST_F(Training, TheBestPassRateIsTheGreatest) {
    std::string text;
    for (const auto& [step, rate] : {std::pair(0, 0.2), {1, 0.5}, {2, 0.4}})
        text += dump({{"step", step},
                      {"evaluation", {{"pass_rate", rate}}},
                      {"time", {{"decode", 3}, {"train", 4}, {"total", 7}}}}) +
                "\n";
    write_file(path_ / "metrics.jsonl", text);
    const TrainingRun run = read_training_run(path_);
    EXPECT_EQ(run.best, 0.5);
    EXPECT_EQ(run.best_step, 1);
    EXPECT_DOUBLE_EQ(run.hours.back(), 3 * 7.0 / 3600);
    EXPECT_THAT(training_markdown(run), HasSubstr("| best evaluation, step 1 | 50.0 % |"));
    EXPECT_EQ(training_json(run)["best_evaluation"]["pass_rate"], 0.5);
    EXPECT_THAT(training_figure(run), HasSubstr("share of right answers"));
}

TEST_F(Training, ARunWithoutStepsIsSaidPlainly) {
    EXPECT_TRUE(is_training_run(path_));
    EXPECT_THAT([&] { read_training_run(path_); },
                testing::ThrowsMessage<InputError>(HasSubstr("has no step yet")));
    write_file(path_ / "problems.jsonl", "");
    EXPECT_FALSE(is_training_run(path_)) << "a run of bench";
}

TEST_F(Training, HtmlHoldsEverythingAndTextOpensNothing) {
    write_steps(12);
    const std::string page = training_html(read_training_run(path_));
    EXPECT_THAT(page, HasSubstr("evaluation/loss"));
    EXPECT_THAT(page, HasSubstr("\\u003c/script>"));
    EXPECT_THAT(page, Not(HasSubstr("https://"))) << "nothing is loaded from elsewhere";
    EXPECT_THAT(page, Not(HasSubstr("{{")));
}

TEST_F(Training, MarkdownJsonAndFigure) {
    write_steps(12);
    const TrainingRun run = read_training_run(path_);
    EXPECT_THAT(training_markdown(run), HasSubstr("sft · 61 M parameters · cuda:0"));
    EXPECT_THAT(training_markdown(run), HasSubstr("| best evaluation, step 8 | 3 |"));
    const Json json = training_json(run);
    EXPECT_EQ(json["best_evaluation"]["loss"], 3);
    EXPECT_EQ(json["curves"]["loss"]["mean"].size(), 12U);
    EXPECT_TRUE(json["curves"]["evaluation/loss"]["mean"][0].is_null());
    EXPECT_THAT(training_figure(run), HasSubstr("class=\"held\""));
}

}  // namespace
}  // namespace tritonsmith::bench
