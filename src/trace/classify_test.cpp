#include "trace/classify.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace tritonsmith::trace {
namespace {

std::string framed(const std::string& body) {
    std::string bytes(4, '\0');
    for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(body.size() >> (8 * i) & 0xff);
    return bytes + body;
}

std::string reason(const Ending& ending) {
    Allowance allowance;
    allowance.memory = 1000;
    allowance.cpu_seconds = 10;
    const auto finding = classify(ending, allowance);
    return finding ? finding->reason : "none";
}

TEST(Classify, ByEnding) {
    Ending fine;
    fine.result = framed("{}");
    EXPECT_EQ(reason(fine), "none");
    EXPECT_EQ(frame_body(fine), "{}");
    const std::vector<std::pair<int, std::string>> signals = {{SIGSYS, "trace_forbidden"},
                                                              {SIGSEGV, "trace_crash"},
                                                              {SIGXCPU, "trace_timeout"},
                                                              {SIGKILL, "trace_crash"}};
    for (const auto& [signal, expected] : signals) {
        Ending ending = fine;  // a frame does not excuse a crash
        ending.signal = signal;
        EXPECT_EQ(reason(ending), expected) << signal;
    }
    Ending killed = fine;
    killed.signal = SIGKILL;
    killed.peak = 900;
    EXPECT_EQ(reason(killed), "trace_memory");
    killed.peak = 0;
    killed.cpu_seconds = 11;
    EXPECT_EQ(reason(killed), "trace_timeout");
}

TEST(Classify, ByResult) {
    const std::string whole = framed("{\"plan\":{}}");
    for (const std::string& bytes : {std::string(), whole.substr(0, 3), whole.substr(0, 7), whole + "x"}) {
        Ending ending;
        ending.result = bytes;
        EXPECT_EQ(reason(ending), "trace_protocol") << bytes.size();
    }
}

TEST(FindingOf, TakesOnlyReasonsThatAProgramMayGive) {
    EXPECT_EQ(finding_of({{"reason", "host_read"}, {"line", 7}}, "candidate").reason, "host_read");
    EXPECT_EQ(finding_of({{"reason", "host_read"}, {"line", 7}}, "candidate").line, 7);
    EXPECT_EQ(finding_of({{"reason", "unsupported_operation"}}, "candidate").reason, "trace_protocol");
    EXPECT_EQ(finding_of({{"reason", "unsupported_operation"}}, "reference").reason, "unsupported_operation");
    EXPECT_EQ(finding_of({{"reason", "accepted"}}, "reference").reason, "trace_protocol");
    EXPECT_EQ(finding_of({{"reason", "trace_error"}, {"type", "PermissionError"}}, "candidate").reason,
              "trace_forbidden");
    for (const Json& odd : {Json(nullptr), Json(7), Json::array(), Json("x"), Json{{"reason", {1}}},
                            Json{{"reason", "trace_error"}, {"line", -1e300}, {"message", nullptr}}}) {
        EXPECT_EQ(finding_of(odd, "candidate").line, 0) << odd;
    }
}

TEST(FindingOf, SaysSomethingWhereTheProgramDoesNot) {
    EXPECT_NE(finding_of(Json{{"reason", "trace_error"}}, "candidate").message, "");
    EXPECT_NE(finding_of(Json{{"reason", "host_read"}, {"message", 3}}, "candidate").message, "");
}

}  // namespace
}  // namespace tritonsmith::trace
