#include "judge/candidate/evidence_sentence.h"

#include <gtest/gtest.h>

namespace tritonsmith::judge {
namespace {

TEST(EvidenceSentence, TellsSizesSetsSharesAndWhatMayHaveBeenMissed) {
    Evidence evidence;
    evidence.input_sets = 5;
    EXPECT_EQ(evidence_sentence(evidence),
              "compared: all elements on 5 sets of inputs at the task's own size");
    evidence.scaled = ScaledSizes{{"ROWS", {4096, 256}}};
    SampledEvidence& sample = evidence.full_size_sample.emplace();
    sample.compared = 160;
    sample.sets = 1;
    sample.outputs.push_back({.name = "output/0",
                              .elements = 16777216,
                              .compared = 160,
                              .drawn = 160,
                              .looked_at = 8,
                              .unwritten = 1,
                              .programs = 16384,
                              .seen = {}});
    EXPECT_EQ(
        evidence_sentence(evidence),
        "compared: all elements on 5 sets of inputs scaled down (ROWS 4096 -> 256); at full size 160 of "
        "16777216 elements on 1 set of inputs, where one wrong tile of 16384 would be missed with a "
        "probability of 0.99; no launch writes 12 % of output/0");
    sample.compared = 0;
    evidence.further_sizes = {ScaledSizes{{"COLS", {512, 64}}}};
    evidence.full_size_run = FullSizeRun{.device = "cuda:0", .input_sets = 6};
    EXPECT_EQ(
        evidence_sentence(evidence),
        "compared: all elements on 5 sets of inputs scaled down (ROWS 4096 -> 256); the same with COLS 512 "
        "-> 64; at full size no element could be compared; all elements at full size on 6 sets of inputs on "
        "cuda:0");
}

TEST(EvidenceJson, HasWhatStagesHaveShownAndNothingElse) {
    Evidence evidence;
    EXPECT_EQ(to_json(evidence), Json::object());
    evidence.scaled = ScaledSizes{{"ROWS", {4096, 256}}};
    evidence.skipped_input_variants = {"scaled by 100: not finite"};
    evidence.compile_baseline.not_timed = "no time";
    evidence.sizes_that_failed.push_back({*evidence.scaled, Finding{"race", "two write", 3, Json::object()}});
    evidence.as_written = AsWrittenRun{.not_run = "it draws"};
    const Json expected = {{"scaled", {{"ROWS", {4096, 256}}}},
                           {"skipped_input_variants", Json::array({"scaled by 100: not finite"})},
                           {"compile_baseline", {{"not_timed", "no time"}}},
                           {"sizes_that_failed", Json::array({{{"scaled", {{"ROWS", {4096, 256}}}},
                                                               {"reason", "race"},
                                                               {"message", "two write"},
                                                               {"line", 3}}})},
                           {"as_written", "not run: it draws"}};
    EXPECT_EQ(to_json(evidence), expected);
}

}  // namespace
}  // namespace tritonsmith::judge
