#include "reward/facts.h"

#include <gtest/gtest.h>

namespace tritonsmith::reward {
namespace {

constexpr const char* program =
    "import triton\n@triton.jit\ndef k(p):\n    pass\nclass ModelNew:\n    def forward(self, x):\n"
    "        k[(1,)](x)\n        return x\n";

text::Response answer_of(const std::string& code) {
    return text::parse_response("First.\n```python\n" + code + "```\n");
}

judge::Verdict accepted() {
    judge::Verdict verdict;
    verdict.valid = verdict.compiled = verdict.correct = true;
    return verdict;
}

TEST(Facts, TheTextAndTheVerdictEachSayTheirPart) {
    const Facts facts = facts_of(answer_of(program), accepted());
    EXPECT_TRUE(facts.format && facts.is_triton && facts.syntax && facts.valid() && facts.compiled &&
                facts.correct);
    EXPECT_FALSE(facts.speedup || facts.estimated);
    const Facts plain = facts_of(answer_of("import torch\ndef f(x):\n    return torch.relu(x)\n"), {});
    EXPECT_TRUE(plain.format);
    EXPECT_FALSE(plain.is_triton || plain.syntax || plain.valid() || plain.correct);
    const Facts broken = facts_of(answer_of(std::string(program) + "def (\n"), {});
    EXPECT_FALSE(broken.syntax);
}

TEST(Facts, AnAnswerThatWasCutOffHasNoFormat) {
    const Facts facts = facts_of(text::parse_response(std::string("```python\n") + program), accepted());
    EXPECT_FALSE(facts.format);
    EXPECT_TRUE(facts.syntax);
    EXPECT_FALSE(facts_of(text::parse_response("no program"), {}).format);
}

TEST(Facts, TheBetterBaselineCounts) {
    judge::Verdict verdict = accepted();
    verdict.candidate_ms = 2;
    verdict.speedup = 3;
    verdict.baseline_ms = {{"eager", 6.0}, {"eager_tf32", 1.0}};
    EXPECT_DOUBLE_EQ(*facts_of(answer_of(program), verdict).best_speedup, 3);
    verdict.baseline_ms["compile"] = 3.0;
    const Facts facts = facts_of(answer_of(program), verdict);
    EXPECT_DOUBLE_EQ(*facts.speedup, 3);
    EXPECT_DOUBLE_EQ(*facts.best_speedup, 1.5);
}

TEST(CostModel, ComparesTrafficOrArithmeticWhicheverIsLonger) {
    const CostModel model{.bytes_per_second = 100, .flops_per_second = 1000};
    Json evidence = {{"small_size_launches",
                      {{{"bytes_read", 300}, {"bytes_written", 100}, {"flops", 10}},
                       {{"bytes_read", 0}, {"bytes_written", 100}, {"flops", 5000}}}},
                     {"small_size_reference", {{"traffic", 1800}, {"flops", 10}}}};
    EXPECT_DOUBLE_EQ(*estimated_speedup(evidence, model), 18.0 / (4 + 5));
    evidence["host_byte_share"] = 0.5;
    EXPECT_DOUBLE_EQ(*estimated_speedup(evidence, model), 18.0 / (2 * (4 + 5)));
    evidence["small_size_reference"]["flops"] = 36000;
    EXPECT_DOUBLE_EQ(*estimated_speedup(evidence, model), 36.0 / 18);
    EXPECT_FALSE(estimated_speedup(Json::object(), model));
}

TEST(CostModel, StandsInWhereNothingWasTimed) {
    const CostModel model;
    judge::Verdict verdict = accepted();
    verdict.evidence = {
        {"small_size_launches", {{{"bytes_read", 1000}, {"bytes_written", 1000}, {"flops", 1}}}},
        {"small_size_reference", {{"traffic", 6000}, {"flops", 1}}}};
    Facts facts = facts_of(answer_of(program), verdict, &model);
    EXPECT_TRUE(facts.estimated);
    EXPECT_DOUBLE_EQ(*facts.speedup, 3);
    EXPECT_DOUBLE_EQ(*facts.best_speedup, 3);
    EXPECT_FALSE(facts_of(answer_of(program), verdict).speedup);
    verdict.speedup = 1.5;
    facts = facts_of(answer_of(program), verdict, &model);
    EXPECT_FALSE(facts.estimated);
    EXPECT_DOUBLE_EQ(*facts.best_speedup, 1.5);
}

}  // namespace
}  // namespace tritonsmith::reward
