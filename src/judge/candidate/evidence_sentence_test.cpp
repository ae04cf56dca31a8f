#include "judge/verdict/evidence_sentence.h"

#include <gtest/gtest.h>

namespace tritonsmith::judge {
namespace {

TEST(EvidenceSentence, TellsSizesSetsSharesAndWhatMayHaveBeenMissed) {
    Verdict verdict;
    verdict.evidence["input_sets"] = 5;
    EXPECT_EQ(evidence_sentence(verdict), "compared: all elements on 5 sets of inputs at the task's own size");
    verdict.evidence["scaled"] = {{"ROWS", {4096, 256}}};
    verdict.evidence["full_size_sample"] = {
        {"elements_compared", 160},
        {"input_sets", 1},
        {"outputs", {{{"output", "output/0"}, {"elements", 16777216}, {"unwritten_share", 0.125}}}},
        {"one_wrong_tile", {{"of", 16384}, {"missed", 0.99}}}};
    EXPECT_EQ(evidence_sentence(verdict),
              "compared: all elements on 5 sets of inputs scaled down (ROWS 4096 -> 256); at full size 160 of "
              "16777216 elements on 1 set of inputs, where one wrong tile of 16384 would be missed with a "
              "probability of 0.99; no launch writes 12 % of output/0");
    verdict.evidence["full_size_sample"]["elements_compared"] = 0;
    verdict.evidence["full_size_run"] = {{"input_sets", 6}, {"device", "cuda:0"}};
    EXPECT_EQ(evidence_sentence(verdict),
              "compared: all elements on 5 sets of inputs scaled down (ROWS 4096 -> 256); at full size no element "
              "could be compared; all elements at full size on 6 sets of inputs on cuda:0");
}

}  // namespace
}  // namespace tritonsmith::judge
