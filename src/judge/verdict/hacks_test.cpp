#include "judge/verdict/hacks.h"

#include <gtest/gtest.h>

#include "base/reasons.h"

namespace tritonsmith::judge {
namespace {

TEST(Hacks, AreReasonsForWhichCandidatesAreRejected) {
    EXPECT_EQ(hack_of("host_compute"), "PyTorch does the work");
    EXPECT_EQ(hack_of("wrong_result"), "");
    for (const auto& [code, kind] : hacks()) {
        const Reason* reason = find_reason(code);
        ASSERT_NE(reason, nullptr) << code;
        EXPECT_EQ(reason->kind, ReasonClass::rejected) << code;
    }
}

}  // namespace
}  // namespace tritonsmith::judge
