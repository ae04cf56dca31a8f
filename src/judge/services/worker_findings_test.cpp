#include "judge/services/worker_findings.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "base/reasons.h"
#include "judge/verdict/verdict.h"

namespace tritonsmith::judge {
namespace {

run::WorkerError error(const std::string& reason) {
    return {reason, "why", 3, 7};
}

TEST(WorkerFindings, NoneAboutACandidateIsAboutTheTask) {
    std::vector<std::string> codes = {"deadline_exceeded", "unsupported_operation", "task_random"};
    for (const Reason& reason : reasons())
        if (reason.kind == ReasonClass::rejected) codes.push_back(reason.code);
    for (const std::string& code : codes)
        EXPECT_TRUE(about_candidate(candidate_finding(error(code)))) << code;
    EXPECT_EQ(candidate_finding(error("deadline_exceeded")).reason, "interpret_timeout");
    EXPECT_EQ(candidate_finding(error("deadline_exceeded"), true).reason, "gpu_timeout");
    EXPECT_EQ(candidate_finding(error("unsupported_operation")).reason, "aten_not_allowed");
    EXPECT_EQ(candidate_finding(error("out_of_bounds")).line, 7);
}

TEST(WorkerFindings, NoneAboutAReferenceIsTheCandidates) {
    for (const Reason& reason : reasons())
        if (reason.kind != ReasonClass::machine) {
            EXPECT_FALSE(about_candidate(reference_finding(error(reason.code), "it"))) << reason.code;
        }
    EXPECT_EQ(reference_finding(error("gpu_fault"), "it").reason, "task_error");
    EXPECT_EQ(reference_finding(error("out_of_memory"), "it").reason, "task_error");
    EXPECT_EQ(reference_finding(error("aten_not_allowed"), "it").reason, "unsupported_operation");
}

TEST(WorkerFindings, TheMachinesFailureIsNobodysFault) {
    for (const char* reason : {"machine_error", "gpu_lost"}) {
        EXPECT_THROW(candidate_finding(error(reason)), MachineError);
        EXPECT_THROW(reference_finding(error(reason), "it"), MachineError);
    }
    run::WorkerError killed = error("worker_died");
    EXPECT_EQ(settled(candidate_finding(killed)).reason, "worker_died");
    killed.death = {SIGKILL, 1 << 20};
    EXPECT_THROW(settled(candidate_finding(killed)), MachineError);
    EXPECT_THROW(reference_finding(killed, "it"), MachineError);
    killed.death.peak_bytes = int64_t{1} << 60;
    EXPECT_EQ(settled(candidate_finding(killed)).reason, "out_of_memory");
}

TEST(Conclude, TheStatusIsTheReasonsClass) {
    for (const auto& [reason, status, code] : {std::tuple{"race", Status::rejected, 1},
                                               {"shape_specialised", Status::rejected, 1},
                                               {"timing_implausible", Status::rejected, 1},
                                               {"task_random", Status::unjudgeable, 4},
                                               {"machine_error", Status::machine_error, 3},
                                               {"never heard of", Status::rejected, 1}}) {
        Verdict verdict;
        conclude(verdict, "interpret", {reason, "why"}, "");
        EXPECT_EQ(verdict.status, status) << reason;
        EXPECT_EQ(exit_code(verdict), code) << reason;
    }
}

}  // namespace
}  // namespace tritonsmith::judge
