#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <map>
#include <memory>

#include "cuda/device_info.h"
#include "cuda/driver.h"
#include "cuda/kernel_testing.h"
#include "run/worker/sessions/session_testing.h"

/// Sessions on a GPU: the same round trip as on the CPU, and faults that stay in the process that made them.
namespace tritonsmith::run {
namespace {

using plan::Phase;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace testing;  // of tritonsmith::run

const std::string kProgram = std::string(TRITONSMITH_BINARY_DIR) + "/bin/tritonsmith-gpu-worker";

std::unique_ptr<DeviceWorker> references, candidates, bystander;

/// A plan's kernels for the first device, each compiled once by Triton itself.
DeviceKernels compiled(const plan::Plan& plan) {
    static std::map<std::string, cuda::CompiledKernel> done;
    DeviceKernels out;
    for (const plan::Kernel& kernel : plan.kernels) {
        auto found = done.find(kernel.name);
        if (found == done.end())
            found =
                done.emplace(kernel.name, cuda::compile_for_test(kernel.ttir, cuda::devices().at(0).target))
                    .first;
        const cuda::CompiledKernel& one = found->second;
        out.kernels.push_back({{"name", one.name},
                               {"num_warps", one.num_warps},
                               {"num_ctas", one.num_ctas},
                               {"cooperative", one.cooperative},
                               {"shared", one.shared},
                               {"global_scratch_size", one.global_scratch_size},
                               {"global_scratch_align", one.global_scratch_align},
                               {"tensordesc_meta", one.tensordesc_meta},
                               {"offset", out.cubins.size()},
                               {"bytes", one.cubin.size()}});
        out.cubins.insert(out.cubins.end(), one.cubin.begin(), one.cubin.end());
    }
    return out;
}

class GpuSession : public ::testing::Test {
  protected:
    static void SetUpTestSuite() {
        if (!cuda::find_driver(nullptr) || cuda::devices().empty()) return;
        for (auto* worker : {&references, &candidates, &bystander})
            *worker = std::make_unique<DeviceWorker>(kProgram, "cuda:0");
    }
    static void TearDownTestSuite() {
        for (auto* worker : {&references, &candidates, &bystander}) worker->reset();
    }
    void SetUp() override {
        std::string why;
        if (!cuda::find_driver(&why)) GTEST_SKIP() << "no GPU: " << why;
        if (cuda::devices().empty()) GTEST_SKIP() << "no GPU: the driver knows no device";
        reference = open_reference(*references, task.plan, {drawn(1), drawn(2), drawn(3, {-1, 1, 0})});
    }
    void TearDown() override {
        if (references) references->close(reference.session);
    }

    RemotePack inputs(size_t set) { return good(references->inputs(reference.session, set)).pack; }
    int opened(DeviceWorker& worker, const plan::Plan& plan) {
        return open_candidate(worker, plan, compiled(plan));
    }
    Answer<DeviceRun> try_run(DeviceWorker& worker, const plan::Plan& plan, size_t set = 0, int calls = 1,
                              double deadline_s = 60) {
        const int session = opened(worker, plan);
        auto answer = worker.run(session, inputs(set), {}, calls, deadline_s);
        if (std::holds_alternative<DeviceRun>(answer)) worker.close(session);
        return answer;
    }
    DeviceRun run(const plan::Plan& plan, size_t set = 0, int calls = 1) {
        return good(try_run(*candidates, plan, set, calls));
    }
    int64_t wrong(size_t set, const RemotePack& outputs) {
        return wrong_elements(good(references->compare(reference.session, set, outputs)));
    }
    int prepared(const plan::Plan& plan) {
        const int session = opened(*candidates, plan);
        std::vector<RemotePack> sets;
        for (const size_t set : {0, 1}) sets.push_back(inputs(set));
        how = good(candidates->prepare(session, sets, {}, false, 60));
        return session;
    }
    /// The plan's process ends with this reason, and everybody else goes on.
    void expect_contained(const plan::Plan& faulty, const std::string& reason, double deadline_s = 60) {
        AddCandidate right;
        const int other = opened(*bystander, right.plan);
        const int generation = candidates->generation();
        const auto answer = try_run(*candidates, faulty, 0, 1, deadline_s);
        ASSERT_EQ(reason_of(answer), reason)
            << (std::holds_alternative<WorkerError>(answer) ? std::get<WorkerError>(answer).message
                                                            : "it ran");
        EXPECT_EQ(candidates->generation(), generation + 1);
        const DeviceRun aside = good(bystander->run(other, inputs(1), {}, 1, 60));
        EXPECT_EQ(wrong(1, aside.outputs), 0) << "another process was hurt";
        EXPECT_EQ(wrong(0, run(right.plan).outputs), 0) << "the process that was started again";
        bystander->close(other);
    }

    AddReference task;
    OpenedReference reference;
    Prepared how;
};

TEST_F(GpuSession, TellsWhatItRunsOn) {
    const Json device = good(references->device());
    EXPECT_EQ(device["target"], cuda::devices().at(0).target);
    EXPECT_EQ(device["uuid"], cuda::devices().at(0).uuid);
    EXPECT_GT(device["free_bytes"].get<int64_t>(), 0);
    EXPECT_GT(device["l2_bytes"].get<int64_t>(), 0);
}

TEST_F(GpuSession, ARightCandidateIsRightOnEachSet) {
    EXPECT_THAT(reference.finite, ElementsAre(true, true, true));
    for (const size_t set : {0, 1, 2}) {
        const DeviceRun right = run(AddCandidate().plan, set);
        EXPECT_THAT(right.findings, IsEmpty());
        EXPECT_THAT(right.mutated, IsEmpty());
        EXPECT_EQ(wrong(set, right.outputs), 0);
        EXPECT_GT(wrong((set + 1) % 3, right.outputs), kElements / 2);
    }
}

TEST_F(GpuSession, AWrongOneIsTold) {
    AddCandidate twice;
    std::get<plan::LaunchStep>(twice.plan.steps.back().what).args[1] = value(twice.x);
    EXPECT_GT(wrong(0, run(twice.plan).outputs), kElements / 2);
}

TEST_F(GpuSession, InputsAreTheSameOnTheHost) {
    const Pack host = good(references->host_inputs(reference.session, 2));
    const PackEntry* entry = host.find("input/0");
    ASSERT_NE(entry, nullptr);
    const auto* x = reinterpret_cast<const float*>(host.bytes(*entry));
    for (int64_t i = 0; i < kElements; ++i) {
        ASSERT_LE(x[i], 0) << "the sign of the variant";
        ASSERT_GT(x[i], -1.001);
    }
    EXPECT_NE(x[0], x[1]);
}

TEST_F(GpuSession, WhatIsNotWrittenAndWhatIsChangedIsTold) {
    const DeviceRun partial = run(AddCandidate(0, 3).plan);
    ASSERT_EQ(partial.findings.size(), 1U);
    EXPECT_EQ(partial.findings[0].reason, "uninitialised_output");
    AddCandidate greedy;
    greedy.add(greedy.x, greedy.y, greedy.y);
    EXPECT_THAT(run(greedy.plan).mutated, ElementsAre("input/1"));
    EXPECT_EQ(wrong(0, run(AddCandidate().plan).outputs), 0) << "the reference's own inputs are as they were";
}

TEST_F(GpuSession, WritesJustBehindABufferAreFound) {
    const DeviceRun astray = run(AddCandidate(0, 4, kElements + 1).plan);
    ASSERT_FALSE(astray.findings.empty());
    EXPECT_EQ(astray.findings[0].reason, "out_of_bounds");
    EXPECT_EQ(astray.findings[0].evidence["where"], "behind");
    AddCandidate freed;
    const plan::Tensor scratch = freed.tensor({kElements});
    freed.forward("aten::empty_like", {value(freed.x)}, value(scratch));
    freed.add(freed.x, freed.y, scratch, 4, kElements + 1);
    freed.free(scratch);
    const DeviceRun late = run(freed.plan);
    ASSERT_FALSE(late.findings.empty()) << "the buffer was freed before the end";
    EXPECT_EQ(late.findings[0].evidence["buffer"], scratch.buffer);
}

TEST_F(GpuSession, ASecondCallFindsTheFirstOnesState) {
    EXPECT_EQ(wrong(0, run(Forgetful().plan).outputs), 0);
    EXPECT_GT(wrong(0, run(Forgetful().plan, 0, 2).outputs), kElements / 2);
}

TEST_F(GpuSession, TimedCallsAreRecordedRightAndInTurn) {
    for (const plan::Plan& plan : {AddCandidate().plan, Forgetful().plan}) {
        const int session = prepared(plan);
        EXPECT_TRUE(how.graph);
        EXPECT_FALSE(how.computes_at_construction);
        const TimedBlock timed = good(candidates->time(session, 70, {0, 1, 64, 69}, 60));
        ASSERT_EQ(timed.ms.size(), 70U);
        for (const double ms : timed.ms) {
            EXPECT_GT(ms, 0);
            EXPECT_LT(ms, 50);
        }
        ASSERT_EQ(timed.kept.size(), 4U);
        for (const TimedBlock::Kept& kept : timed.kept) {
            EXPECT_EQ(kept.set, static_cast<size_t>(kept.sample + 1) % 2);
            EXPECT_EQ(wrong(kept.set, kept.outputs), 0) << kept.sample;
            EXPECT_GT(wrong(1 - kept.set, kept.outputs), kElements / 2) << kept.sample;
        }
        candidates->close(session);
    }
}

TEST_F(GpuSession, NothingOfOneTimedCallIsLeftForTheNext) {
    const int session = prepared(AddCandidate(0, 3).plan);
    const TimedBlock timed = good(candidates->time(session, 5, {2, 4}, 60));
    for (const TimedBlock::Kept& kept : timed.kept) EXPECT_EQ(wrong(kept.set, kept.outputs), kElements - 768);
    candidates->close(session);
}

TEST_F(GpuSession, AReferenceIsTimedAsAGraph) {
    EXPECT_TRUE(good(references->prepare(reference.session, std::vector<size_t>{0, 1},
                                         numerics::Precision::defaults, 60))
                    .graph);
    EXPECT_EQ(good(references->time(reference.session, 20, {}, 60)).ms.size(), 20U);
}

TEST_F(GpuSession, CallsThatCannotBeRecordedAreTimedWithTheHostsWork) {
    Waiting waiting;
    const OpenedReference opened = open_reference(*references, waiting.plan);
    for (int turn = 0; turn < 2; ++turn) {
        ASSERT_FALSE(good(references->prepare(opened.session, std::vector<size_t>{0, 1},
                                              numerics::Precision::defaults, 60))
                         .graph);
        EXPECT_EQ(good(references->time(opened.session, 5, {}, 60)).ms.size(), 5U);
    }
    // The next one is recorded as if nothing had been.
    EXPECT_TRUE(good(references->prepare(reference.session, std::vector<size_t>{0, 1},
                                         numerics::Precision::defaults, 60))
                    .graph);
    EXPECT_EQ(good(references->time(reference.session, 5, {}, 60)).ms.size(), 5U);
    EXPECT_EQ(wrong(0, run(AddCandidate().plan).outputs), 0);
    references->close(opened.session);
}

/// A launch that writes to `scale` times the address of the output, plus `offset`.
AddCandidate poking(int64_t scale, int64_t offset) {
    AddCandidate plan;
    plan.launch(plan.kernel("poke"), {1, 1, 1}, {value(plan.out), {scale}, {offset}});
    return plan;
}

TEST_F(GpuSession, AWriteToNobodysMemoryIsContained) {
    expect_contained(poking(0, 64).plan, "gpu_illegal_address");
}

TEST_F(GpuSession, AMisalignedWriteIsContained) {
    expect_contained(poking(1, 1).plan, "gpu_misaligned_address");
}

AddCandidate endless() {
    AddCandidate plan;
    plan.launch(plan.kernel("forever"), {1, 1, 1}, {value(plan.out), {int64_t{1}}});
    return plan;
}

TEST_F(GpuSession, AKernelThatNeverEndsIsContained) {
    const auto start = Clock::now();
    expect_contained(endless().plan, "gpu_timeout", 2);
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(120));
}

TEST_F(GpuSession, AKernelThatNeverEndsWhenItIsTimedIsContained) {
    const AddCandidate plan = endless();
    const int session = opened(*candidates, plan.plan);
    std::vector<RemotePack> sets;
    sets.push_back(inputs(0));
    EXPECT_EQ(reason_of(candidates->prepare(session, sets, {}, false, 2)), "gpu_timeout");
    EXPECT_EQ(wrong(0, run(AddCandidate().plan).outputs), 0);
}

TEST_F(GpuSession, MoreMemoryThanThereIsIsRefusedAndTheWorkerStays) {
    AddCandidate greedy;
    const plan::Tensor huge = greedy.tensor({int64_t{1} << 40});
    greedy.forward("aten::empty.memory_format", {integers({int64_t{1} << 40})}, value(huge));
    const int generation = candidates->generation();
    EXPECT_EQ(reason_of(try_run(*candidates, greedy.plan)), "out_of_memory");
    EXPECT_EQ(candidates->generation(), generation);
    EXPECT_EQ(wrong(0, run(AddCandidate().plan).outputs), 0);
}

TEST_F(GpuSession, AKilledWorkerIsReplaced) {
    const std::vector<pid_t> others = workers();
    DeviceWorker worker(kProgram, "cuda:0");
    const std::vector<pid_t> mine = since(others);
    ASSERT_EQ(mine.size(), 1U);
    AddCandidate right;
    const int session = opened(worker, right.plan);
    const int generation = worker.generation();
    ::kill(mine[0], SIGKILL);
    EXPECT_EQ(reason_of(worker.run(session, inputs(0), {}, 1, 60)), "worker_died");
    EXPECT_EQ(worker.generation(), generation + 1);
    const DeviceRun again = good(try_run(worker, right.plan));
    EXPECT_EQ(wrong(0, again.outputs), 0);
}

}  // namespace
}  // namespace tritonsmith::run
