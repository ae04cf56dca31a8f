#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/process/process.h"
#include "run/client/client.h"
#include "run/client/pack_writer.h"
#include "run/client/worker_process.h"
#include "run/plan_builder_testing.h"

namespace tritonsmith::run {
namespace {

using plan::BufferKind;
using plan::DType;
using plan::Phase;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::integers;
using testing::PlanBuilder;
using testing::sequence;
using testing::value;

Worker& worker() {
    static Worker one(std::string(TRITONSMITH_BINARY_DIR) + "/bin/tritonsmith-worker");
    return one;
}

template <class T>
std::vector<T> values(const Pack& pack, const std::string& name) {
    const PackEntry* entry = pack.find(name);
    if (!entry) throw std::runtime_error("the pack holds no " + name);
    std::vector<T> out(static_cast<size_t>(Pack::element_count(*entry)));
    std::memcpy(out.data(), pack.bytes(*entry), out.size() * sizeof(T));
    return out;
}

std::string kernel_text(const std::string& name) {
    std::ifstream file(std::string(TRITONSMITH_SOURCE_DIR) + "/src/run/testdata/" + name + "_sm90.ttir");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

ReferenceResult reference(const plan::Plan& plan, uint64_t seed = 1, Variant variant = {}) {
    ReferenceRequest request;
    request.plan = &plan;
    request.seed = seed;
    request.variant = variant;
    auto answer = worker().reference(request);
    if (auto* error = std::get_if<WorkerError>(&answer))
        throw std::runtime_error(error->reason + ": " + error->message);
    return std::move(std::get<ReferenceResult>(answer));
}

WorkerError reference_error(const plan::Plan& plan, double deadline = 60) {
    ReferenceRequest request;
    request.plan = &plan;
    request.deadline_s = deadline;
    auto answer = worker().reference(request);
    if (auto* error = std::get_if<WorkerError>(&answer)) return *error;
    return {"none", "it ran"};
}

/// x [4, 8] drawn; linear layer of weight [3, 8] drawn and bias [3] zeros; a running statistic of ones that
/// is no parameter.
struct Linear : PlanBuilder {
    plan::Tensor x = tensor({4, 8}), w = tensor({3, 8}), b = tensor({3}), statistic = tensor({3}),
                 gain = tensor({3});
    plan::Tensor sum = tensor({4, 3}), out = tensor({4, 3});

    Linear() {
        plan::Tensor turned{w.buffer, DType::f32, {8, 3}, {1, 8}, 0};
        aten(Phase::inputs, "aten::randn", {integers({4, 8})}, value(x), 0);
        plan.inputs = {value(x)};
        aten(Phase::init, "aten::empty.memory_format", {integers({3, 8})}, value(w));
        aten(Phase::init, "aten::uniform_", {value(w), {-0.5}, {0.5}}, value(w), 0);
        aten(Phase::init, "aten::zeros", {integers({3})}, value(b));
        aten(Phase::init, "aten::ones", {integers({3})}, value(statistic));
        aten(Phase::init, "aten::ones", {integers({3})}, value(gain));
        weight("linear.weight", w);
        weight("linear.bias", b);
        weight("gain", gain);
        weight("statistic", statistic, false);
        forward("aten::t", {value(w)}, value(turned));
        forward("aten::addmm", {value(b), value(x), value(turned)}, value(sum));
        forward("aten::mul.Tensor", {value(sum), value(gain)}, value(out));
        plan.output = value(out);
    }
};

TEST(WorkerReference, ExecutesInItsOwnTypesInFloat64AndOnMagnitudes) {
    Linear task;
    ReferenceResult result = reference(task.plan);
    auto x = values<float>(result.inputs, "input/0"),
         w = values<float>(result.inputs, "weight/linear.weight"),
         b = values<float>(result.inputs, "weight/linear.bias"),
         g = values<float>(result.inputs, "weight/gain"), native = values<float>(result.native, "output/0");
    auto exact = values<double>(result.f64, "output/0"), scale = values<double>(result.absolute, "output/0");
    for (size_t row = 0; row < 4; ++row)
        for (size_t column = 0; column < 3; ++column) {
            double sum = b[column], magnitude = std::abs(b[column]);
            for (size_t k = 0; k < 8; ++k) {
                double product = static_cast<double>(x[row * 8 + k]) * w[column * 8 + k];
                sum += product;
                magnitude += std::abs(product);
            }
            size_t i = row * 3 + column;
            EXPECT_NEAR(exact[i], sum * g[column], 1e-14) << "the oracle starts from the native values";
            EXPECT_NEAR(native[i], sum * g[column], 1e-5);
            EXPECT_NEAR(scale[i], magnitude * std::abs(g[column]), 1e-13);
        }
    EXPECT_GE(result.longest_reduction, 8);
    EXPECT_TRUE(result.finite);
    EXPECT_FALSE(result.random);
    EXPECT_TRUE(result.mutated.empty());
}

TEST(WorkerReference, MagnitudesOfASoftmaxAreNotBelowIt) {
    PlanBuilder task;
    const plan::Tensor x = task.tensor({1, 64}), y = task.tensor({1, 64});
    task.aten(Phase::inputs, "aten::randn", {integers({1, 64})}, value(x), 0);
    task.plan.inputs = {value(x)};
    task.forward("aten::_softmax", {value(x), {int64_t{-1}}, {false}}, value(y));
    task.plan.output = value(y);
    ReferenceResult result = reference(task.plan);
    auto exact = values<double>(result.f64, "output/0"), scale = values<double>(result.absolute, "output/0");
    auto drawn = values<float>(result.inputs, "input/0");
    const std::vector<double> given(drawn.begin(), drawn.end());
    double sum = 0;
    for (double v : given) sum += std::exp(std::abs(v));
    int raised = 0;
    for (size_t i = 0; i < exact.size(); ++i) {
        const double of_magnitudes = std::exp(std::abs(given[i])) / sum;
        raised += exact[i] > of_magnitudes;
        EXPECT_NEAR(scale[i], std::max(exact[i], of_magnitudes) * (1 + std::abs(given[i]) / 16), 1e-12);
    }
    EXPECT_GT(raised, 5);
}

TEST(WorkerReference, RedrawsParametersThatStartAsOnesAndZeros) {
    Linear task;
    ReferenceResult result = reference(task.plan);
    for (float value : values<float>(result.inputs, "weight/gain")) {
        EXPECT_GE(value, 0.5f);
        EXPECT_LT(value, 1.5f);
        EXPECT_NE(value, 1.0f);
    }
    for (float value : values<float>(result.inputs, "weight/linear.bias")) {
        EXPECT_LT(std::abs(value), 1.0f);
        EXPECT_NE(value, 0.0f);
    }
    for (float value : values<float>(result.inputs, "weight/statistic")) EXPECT_NE(value, 1.0f);
    ReferenceRequest request;
    request.plan = &task.plan;
    request.redraw_state = false;
    request.want = {"inputs"};
    auto answer = worker().reference(request);
    ASSERT_TRUE(std::holds_alternative<ReferenceResult>(answer));
    EXPECT_THAT(values<float>(std::get<ReferenceResult>(answer).inputs, "weight/statistic"),
                ElementsAre(1, 1, 1));
    request.redraw = false;
    answer = worker().reference(request);
    ASSERT_TRUE(std::holds_alternative<ReferenceResult>(answer));
    EXPECT_THAT(values<float>(std::get<ReferenceResult>(answer).inputs, "weight/gain"), ElementsAre(1, 1, 1));
}

TEST(WorkerReference, FarWeightsHaveOtherSizesAndSigns) {
    PlanBuilder task;
    const plan::Tensor gain = task.tensor({64}), drawn = task.tensor({16, 8}), slope = task.tensor({1}),
                       statistic = task.tensor({64});
    task.aten(Phase::init, "aten::ones", {integers({64})}, value(gain));
    task.aten(Phase::init, "aten::randn", {integers({16, 8})}, value(drawn), 0);
    task.aten(Phase::init, "aten::full", {integers({1}), {0.25}}, value(slope));
    task.aten(Phase::init, "aten::ones", {integers({64})}, value(statistic));
    task.weight("gain", gain);
    task.weight("drawn", drawn);
    task.weight("slope", slope);
    task.weight("norm.running_var", statistic, false);
    const plan::Tensor out = task.tensor({64});
    task.forward("aten::mul.Tensor", {value(gain), value(statistic)}, value(out));
    task.plan.output = value(out);
    const auto near = values<float>(reference(task.plan, 1).inputs, "weight/drawn");
    std::vector<float> slopes;
    for (int turn = 0; turn < Variant::kTurns; ++turn)
        for (const auto weights : {Variant::Weights::far, Variant::Weights::positive}) {
            Variant variant;
            variant.weights = weights;
            variant.turn = turn;
            const Pack given = reference(task.plan, 1, variant).inputs;
            int large = 0, small = 0, negative = 0;
            for (float g : values<float>(given, "weight/gain")) {
                large += std::abs(g) >= 8;
                small += std::abs(g) <= 1.0F / 16;
                negative += g < 0;
            }
            EXPECT_EQ(large, 32);
            EXPECT_EQ(small, 16);
            EXPECT_EQ(negative, weights == Variant::Weights::far ? 32 : 0);
            for (float v : values<float>(given, "weight/norm.running_var"))
                EXPECT_GT(v, 0) << "a variance that is a buffer";
            const auto rows = values<float>(given, "weight/drawn");
            for (size_t i = 0; i < rows.size(); ++i) {
                const float factor = rows[i] / near[i];
                if (i / 8 % 8 == 0)
                    EXPECT_GE(factor, 7.9F);
                else if (i / 8 % 8 == 4)
                    EXPECT_LE(factor, 0.13F);
                else
                    EXPECT_EQ(factor, 1);
            }
            if (weights == Variant::Weights::far) slopes.push_back(values<float>(given, "weight/slope")[0]);
        }
    EXPECT_LT(slopes[0], -1);
    EXPECT_GT(slopes[1], 0.3F);
    EXPECT_LT(slopes[2], 0.03F);
    EXPECT_GT(slopes[2], 0);
}

TEST(WorkerReference, SeedsAndVariantsDecideTheInputs) {
    Linear task;
    auto first = values<float>(reference(task.plan, 1).inputs, "input/0");
    EXPECT_EQ(values<float>(reference(task.plan, 1).inputs, "input/0"), first);
    EXPECT_NE(values<float>(reference(task.plan, 2).inputs, "input/0"), first);
    ReferenceResult varied = reference(task.plan, 1, {-1, 2, 0.5});
    auto other = values<float>(varied.inputs, "input/0");
    for (size_t i = 0; i < other.size(); ++i) EXPECT_EQ(other[i], -2 * first[i] + 0.5f);
    EXPECT_EQ(values<float>(varied.inputs, "weight/linear.weight"),
              values<float>(reference(task.plan, 1).inputs, "weight/linear.weight"));
}

TEST(WorkerReference, SaysWhatIsRandomMutatedOrNotFinite) {
    PlanBuilder task;
    plan::Tensor x = task.tensor({16}), noise = task.tensor({16}), out = task.tensor({16});
    task.aten(Phase::inputs, "aten::rand", {integers({16})}, value(x), 0);
    task.plan.inputs = {value(x)};
    task.aten(Phase::forward, "aten::rand_like", {value(x)}, value(noise), 0);
    task.forward("aten::zero_", {value(x)}, value(x));
    task.forward("aten::div.Tensor", {value(noise), value(x)}, value(out));
    task.plan.output = value(out);
    ReferenceResult result = reference(task.plan);
    EXPECT_TRUE(result.random);
    EXPECT_FALSE(result.finite);
    EXPECT_THAT(result.mutated, ElementsAre("input/0"));
    EXPECT_NE(values<float>(result.inputs, "input/0")[0], 0) << "inputs are packed before the call";
}

TEST(WorkerReference, InputsThatItChangesAreAmongItsResults) {
    PlanBuilder task;
    plan::Tensor x = task.tensor({16}), kept = task.tensor({16}), out = task.tensor({16});
    task.aten(Phase::inputs, "aten::rand", {integers({16})}, value(x), 0);
    task.aten(Phase::inputs, "aten::rand", {integers({16})}, value(kept), 1);
    task.plan.inputs = {value(x), value(kept)};
    task.forward("aten::neg_", {value(x)}, value(x));
    task.forward("aten::exp", {value(kept)}, value(out));
    task.plan.output = value(out);
    ReferenceResult result = reference(task.plan);
    auto before = values<float>(result.inputs, "input/0"), after = values<float>(result.native, "input/0");
    EXPECT_EQ(after[3], -before[3]);
    EXPECT_EQ(values<double>(result.f64, "input/0")[3], -double{before[3]});
    EXPECT_EQ(result.native.find("input/1"), nullptr);
}

TEST(WorkerReference, WhatOverflowsInItsOwnDtypeIsNotFinite) {
    PlanBuilder task;
    plan::Tensor x = task.tensor({16}), out = task.tensor({16});
    task.aten(Phase::inputs, "aten::rand", {integers({16})}, value(x), 0);
    task.plan.inputs = {value(x)};
    task.forward("aten::exp", {value(x)}, value(out));
    task.plan.output = value(out);
    EXPECT_TRUE(reference(task.plan).finite);
    ReferenceResult large = reference(task.plan, 1, {1, 1, 100});
    EXPECT_FALSE(large.finite) << "exp(100) is more than float32 holds";
    EXPECT_TRUE(std::isinf(values<float>(large.native, "output/0")[0]));
    EXPECT_EQ(large.f64.find("output/0"), nullptr) << "nothing rests on it";
}

TEST(WorkerReference, InputsOfOneKindMayHoldTheSame) {
    PlanBuilder task;
    const plan::Tensor x = task.tensor({9, 16}), y = task.tensor({9, 16}), apart = task.tensor({9, 16});
    task.aten(Phase::inputs, "aten::randn", {integers({9, 16})}, value(x), 0);
    task.aten(Phase::inputs, "aten::randn", {integers({9, 16})}, value(y), 1);
    task.plan.inputs = {value(x), value(y)};
    task.forward("aten::sub.Tensor", {value(x), value(y)}, value(apart));
    task.plan.output = value(apart);
    const auto equal_rows = [&](Variant::Alike how) {
        Variant variant;
        variant.alike = how;
        const Pack given = reference(task.plan, 1, variant).inputs;
        const auto one = values<float>(given, "input/0"), other = values<float>(given, "input/1");
        int equal = 0, near = 0;
        for (size_t row = 0; row < one.size(); row += 16) {
            float furthest = 0;
            for (size_t i = row; i < row + 16; ++i)
                furthest = std::max(furthest, std::abs(one[i] - other[i]) / std::abs(one[i]));
            equal += furthest == 0;
            near += furthest > 0 && furthest < 0.002F;
        }
        return std::pair(equal, near);
    };
    EXPECT_EQ(equal_rows(Variant::Alike::none), std::pair(0, 0));
    EXPECT_EQ(equal_rows(Variant::Alike::lines), std::pair(3, 3));
    EXPECT_EQ(equal_rows(Variant::Alike::all), std::pair(9, 0));
}

TEST(WorkerReference, WhatIsNotFiniteIsNotCastToIntegers) {
    PlanBuilder task;
    const plan::Tensor x = task.tensor({8}), one = task.tensor({8}),
                       codes = task.tensor({8}, plan::DType::i32);
    task.aten(Phase::inputs, "aten::randn", {integers({8})}, value(x), 0);
    task.plan.inputs = {value(x)};
    task.forward("aten::div.Tensor", {value(x), value(x)}, value(one));
    task.forward("aten::_to_copy", {value(one)}, value(codes)).kwargs = {
        {"dtype", testing::symbol(plan::Symbol::Kind::dtype, "i32")}};
    task.plan.output = value(codes);
    EXPECT_TRUE(reference(task.plan).finite);
    EXPECT_FALSE(reference(task.plan, 1, {1, 0, 0}).finite) << "zero by zero";
}

TEST(WorkerReference, ErrorsNameReasonStepAndLineAndTheWorkerGoesOn) {
    Linear task;
    task.forward("aten::from_file", {{std::string("/etc/passwd")}}, value(task.tensor({4})));
    WorkerError error = reference_error(task.plan);
    EXPECT_EQ(error.reason, "aten_not_allowed");
    EXPECT_THAT(error.message, HasSubstr("aten::from_file"));
    EXPECT_EQ(error.step, 9);
    EXPECT_EQ(error.line, 10);
    Linear broken;
    std::get<plan::AtenStep>(broken.plan.steps.back().what).result = value(broken.tensor({5}));
    EXPECT_EQ(reference_error(broken.plan).reason, "plan_invalid");
    Linear outside;
    outside.plan.buffers[0].bytes = 8;
    EXPECT_EQ(reference_error(outside.plan).reason, "plan_invalid");
    EXPECT_NO_THROW(reference(Linear().plan));
}

TEST(WorkerReference, MemoryIsBounded) {
    PlanBuilder task;
    plan::Tensor x = task.tensor({int64_t{1} << 38}, DType::u8);
    task.forward("aten::zeros", {integers({int64_t{1} << 38})}, value(x));
    task.plan.output = value(x);
    EXPECT_EQ(reference_error(task.plan).reason, "out_of_memory");
    EXPECT_NO_THROW(reference(Linear().plan));
}

/// A plan that computes for minutes.
struct Endless : PlanBuilder {
    Endless() {
        plan::Tensor x = tensor({2048, 2048});
        aten(Phase::inputs, "aten::rand", {integers({2048, 2048})}, value(x), 0);
        plan.inputs = {value(x)};
        plan::Tensor last = x;
        for (int i = 0; i < 2000; ++i) {
            plan::Tensor next = tensor({2048, 2048});
            forward("aten::mm", {value(last), value(x)}, value(next));
            if (last.buffer != x.buffer) free(last);
            last = next;
        }
        plan.output = value(last);
    }
};

std::vector<pid_t> children() {
    std::vector<pid_t> out;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream file(entry.path() / "stat");
        std::string stat;
        std::getline(file, stat);
        size_t name = stat.rfind(')');
        if (name == std::string::npos || stat.find("(tritonsmith-wor") == std::string::npos) continue;
        std::istringstream fields(stat.substr(name + 2));
        char state;
        pid_t parent = 0;
        fields >> state >> parent;
        if (parent == ::getpid()) out.push_back(std::stoi(entry.path().filename()));
    }
    return out;
}

TEST(WorkerClient, KillsAWorkerThatRunsTooLongAndGoesOn) {
    Endless task;
    auto start = Clock::now();
    EXPECT_EQ(reference_error(task.plan, 0.5).reason, "deadline_exceeded");
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(20));
    EXPECT_NO_THROW(reference(Linear().plan));
}

TEST(WorkerClient, RestartsAWorkerThatDied) {
    reference(Linear().plan);
    std::vector<pid_t> before = children();
    ASSERT_EQ(before.size(), 1u);
    std::thread killer([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        ::kill(before[0], SIGSEGV);
    });
    WorkerError error = reference_error(Endless().plan);
    killer.join();
    EXPECT_EQ(error.reason, "worker_died");
    EXPECT_THAT(error.message, HasSubstr("signal 11"));
    EXPECT_NO_THROW(reference(Linear().plan));
    EXPECT_NE(children(), before);
    EXPECT_EQ(children().size(), 1u);
}

TEST(WorkerClient, AMissingProgramIsAMachineError) {
    EXPECT_THROW(Worker("/nonexistent/tritonsmith-worker"), MachineError);
}

// --- candidates

constexpr int64_t kElements = 1000;

/// out = x + y by one launch of 256 elements a program.
struct Add : PlanBuilder {
    plan::Tensor x, y, out;

    explicit Add(int64_t programs = 4, int64_t n = kElements) : PlanBuilder("candidate", "cuda") {
        x = tensor({kElements}, DType::f32, BufferKind::input);
        y = tensor({kElements}, DType::f32, BufferKind::input);
        out = tensor({kElements});
        plan.kernels.push_back({"add_kernel", kernel_text("add"), {{"num_warps", {int64_t{4}}}}, 3});
        plan.inputs = {value(x), value(y)};
        forward("aten::empty_like", {value(x)}, value(out));
        launch(0, {programs, 1, 1}, {value(x), value(y), value(out), {n}});
        plan.output = value(out);
    }
};

struct AddReference : PlanBuilder {
    AddReference() {
        plan::Tensor x = tensor({kElements}), y = tensor({kElements}), out = tensor({kElements});
        aten(Phase::inputs, "aten::rand", {integers({kElements})}, value(x), 0);
        aten(Phase::inputs, "aten::rand", {integers({kElements})}, value(y), 1);
        plan.inputs = {value(x), value(y)};
        forward("aten::add.Tensor", {value(x), value(y)}, value(out));
        plan.output = value(out);
    }
};

CandidateResult candidate(CandidateRequest request) {
    auto answer = worker().candidate(request);
    if (auto* error = std::get_if<WorkerError>(&answer))
        throw std::runtime_error(error->reason + ": " + error->message);
    return std::move(std::get<CandidateResult>(answer));
}

class WorkerCandidate : public ::testing::Test {
  protected:
    CandidateResult run(const plan::Plan& plan) {
        CandidateRequest request;
        request.plan = &plan;
        request.inputs = &given.inputs;
        return candidate(request);
    }
    std::string reason_of(const plan::Plan& plan) {
        CandidateResult result = run(plan);
        return result.findings.empty() ? "" : result.findings[0].reason;
    }
    ReferenceResult given = reference(AddReference().plan);
};

TEST_F(WorkerCandidate, RunsKernelsOnTheReferencesInputs) {
    CandidateResult result = run(Add().plan);
    ASSERT_TRUE(result.findings.empty()) << result.findings[0].message;
    EXPECT_EQ(values<float>(result.outputs, "output/0"), values<float>(given.native, "output/0"));
    ASSERT_EQ(result.launches.size(), 1u);
    EXPECT_EQ(result.launches[0].kernel, "add_kernel");
    EXPECT_EQ(result.launches[0].programs, 4);
    EXPECT_EQ(result.launches[0].bytes_read, 2 * 4 * kElements);
    EXPECT_EQ(result.launches[0].bytes_written, 4 * kElements);
    EXPECT_TRUE(result.mutated.empty());
    EXPECT_FALSE(result.tf32);
}

TEST_F(WorkerCandidate, FindsUnwrittenOutputs) {
    CandidateResult result = run(Add(3).plan);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].reason, "uninitialised_output");
    EXPECT_EQ(result.findings[0].evidence["index"], 768);
    EXPECT_EQ(result.findings[0].evidence["elements"], kElements - 768);
}

TEST_F(WorkerCandidate, FindsOutOfBounds) {
    CandidateResult result = run(Add(4, 1024).plan);
    ASSERT_FALSE(result.findings.empty());
    EXPECT_EQ(result.findings[0].reason, "out_of_bounds");
    EXPECT_EQ(result.findings[0].evidence["kernel"], "add_kernel");
}

TEST_F(WorkerCandidate, FindsUninitialisedReadsOfKernelsAndHost) {
    Add add;
    plan::Tensor scratch = add.tensor({kElements});
    add.forward("aten::empty_like", {value(add.x)}, value(scratch));
    add.launch(0, {4, 1, 1}, {value(add.x), value(scratch), value(add.out), {kElements}});
    EXPECT_EQ(reason_of(add.plan), "uninitialised_read");
    Add host;
    plan::Tensor garbage = host.tensor({kElements}), sum = host.tensor({kElements});
    host.forward("aten::empty_like", {value(host.x)}, value(garbage));
    host.forward("aten::add.Tensor", {value(host.out), value(garbage)}, value(sum));
    EXPECT_EQ(reason_of(host.plan), "uninitialised_read");
}

TEST_F(WorkerCandidate, FindsMutatedInputs) {
    Add add;
    add.launch(0, {4, 1, 1}, {value(add.x), value(add.out), value(add.y), {kElements}});
    EXPECT_THAT(run(add.plan).mutated, ElementsAre("input/1"));
}

TEST_F(WorkerCandidate, ADisabledLaunchLeavesPoison) {
    Add add;
    CandidateRequest request;
    request.plan = &add.plan;
    request.inputs = &given.inputs;
    request.disable_launch = 0;
    request.checks = false;  // as the judge asks
    CandidateResult first = candidate(request), second = candidate(request);
    ASSERT_EQ(first.findings.size(), 1u) << "what only this launch wrote is unwritten now";
    EXPECT_EQ(first.findings[0].reason, "uninitialised_output");
    auto one = values<uint32_t>(first.outputs, "output/0"),
         two = values<uint32_t>(second.outputs, "output/0");
    EXPECT_NE(one, two) << "fresh memory has another pattern in each run";
    EXPECT_NE(one, values<uint32_t>(given.native, "output/0"));
}

TEST_F(WorkerCandidate, ASecondCallFindsWhatTheFirstLeftBehind) {
    Add add;
    plan::Tensor sum = add.tensor({kElements});
    add.aten(Phase::init, "aten::zeros", {integers({kElements})}, value(sum));
    std::rotate(add.plan.steps.begin(), add.plan.steps.end() - 1, add.plan.steps.end());  // first
    add.launch(0, {4, 1, 1}, {value(sum), value(add.out), value(sum), {kElements}});
    add.plan.output = value(sum);
    CandidateRequest request;
    request.plan = &add.plan;
    request.inputs = &given.inputs;
    auto once = values<float>(candidate(request).outputs, "output/0");
    request.further = {&given.inputs, &given.inputs};
    const CandidateResult in_turn = candidate(request);
    ASSERT_EQ(in_turn.further.size(), 2U);
    EXPECT_EQ(values<float>(in_turn.outputs, "output/0"), once);
    const auto twice = values<float>(in_turn.further[0].outputs, "output/0");
    for (size_t i = 0; i < once.size(); ++i) EXPECT_EQ(twice[i], 2 * once[i]);
    EXPECT_EQ(in_turn.repeated, 0);
    // Memory that calls share is another than after the first: that may matter in a call of any number.
    request.repeat = 5;
    request.repeat_s = 60;
    const CandidateResult many = candidate(request);
    EXPECT_EQ(many.repeated, 5);
    ASSERT_EQ(many.further.size(), 3U);
    const auto last = values<float>(many.further[2].outputs, "output/0");
    for (size_t i = 0; i < once.size(); ++i) EXPECT_NEAR(last[i], 8 * once[i], 1e-4);
}

TEST(WorkerReference, ACallBeginsWithWhatTheOneBeforeHasLeft) {
    PlanBuilder task;
    const plan::Tensor x = task.tensor({8}), total = task.tensor({8}), out = task.tensor({8});
    task.aten(Phase::inputs, "aten::randn", {integers({8})}, value(x), 0);
    task.plan.inputs = {value(x)};
    task.aten(Phase::init, "aten::zeros", {integers({8})}, value(total));
    task.weight("total", total, false);
    task.forward("aten::add_.Tensor", {value(total), value(x)}, value(total));
    task.forward("aten::clone", {value(total)}, value(out));
    task.plan.output = value(out);
    ReferenceRequest request;
    request.plan = &task.plan;
    request.want.emplace_back("state");
    request.redraw_state = false;
    std::vector<float> sum(8);
    std::vector<double> sum_of_all(8), magnitudes(8);
    ReferenceResult before;
    for (const uint64_t seed : {1, 2, 3}) {
        request.seed = seed;
        request.weights_seed = 9;
        request.state = seed > 1 ? &before.state : nullptr;
        auto answer = worker().reference(request);
        ASSERT_TRUE(std::holds_alternative<ReferenceResult>(answer));
        ReferenceResult now = std::move(std::get<ReferenceResult>(answer));
        const auto drawn = values<float>(now.inputs, "input/0");
        for (size_t i = 0; i < sum.size(); ++i) {
            sum[i] += drawn[i];
            sum_of_all[i] += static_cast<double>(drawn[i]);
            magnitudes[i] += std::abs(static_cast<double>(drawn[i]));
        }
        // What was summed in earlier calls, too, is summed exactly, and counts by its magnitude.
        for (const char* name : {"output/0", "weight/total"}) {
            EXPECT_EQ(values<float>(now.native, name), sum) << name;
            EXPECT_EQ(values<double>(now.f64, name), sum_of_all) << name;
            EXPECT_EQ(values<double>(now.absolute, name), magnitudes) << name;
        }
        before = std::move(now);
    }
}

TEST(WorkerReference, OtherRoundingsOfEarlierCallsAreStillInWhatTheyHaveLeft) {
    PlanBuilder task;
    const plan::Tensor x = task.tensor({8, 64}), y = task.tensor({64, 8}), product = task.tensor({8, 8}),
                       total = task.tensor({8, 8}), out = task.tensor({8, 8});
    task.aten(Phase::inputs, "aten::rand", {integers({8, 64})}, value(x), 0);
    task.aten(Phase::inputs, "aten::rand", {integers({64, 8})}, value(y), 1);
    task.plan.inputs = {value(x), value(y)};
    task.aten(Phase::init, "aten::zeros", {integers({8, 8})}, value(total));
    task.weight("total", total, false);
    task.forward("aten::mm", {value(x), value(y)}, value(product));
    task.forward("aten::add_.Tensor", {value(total), value(product)}, value(total));
    task.forward("aten::clone", {value(total)}, value(out));
    task.plan.output = value(out);
    ReferenceRequest request;
    request.plan = &task.plan;
    request.want.emplace_back("state");
    request.redraw_state = false;
    request.precision = numerics::Precision::tf32;
    ReferenceResult before;
    std::vector<double> lost;  // by operands that are cut, in the mean, behind each call
    for (const uint64_t seed : {1, 2, 3, 4}) {
        request.seed = seed;
        request.weights_seed = 9;
        request.state = seed > 1 ? &before.state : nullptr;
        auto answer = worker().reference(request);
        ASSERT_TRUE(std::holds_alternative<ReferenceResult>(answer));
        ReferenceResult now = std::move(std::get<ReferenceResult>(answer));
        ASSERT_GE(now.perturbed.size(), 2U);
        const auto exact = values<double>(now.f64, "output/0"),
                   cut = values<double>(now.perturbed[1], "output/0");
        lost.push_back(0);
        for (size_t i = 0; i < exact.size(); ++i)
            lost.back() += (exact[i] - cut[i]) / static_cast<double>(exact.size());
        before = std::move(now);
    }
    EXPECT_GT(lost[0], 0);
    for (size_t call = 1; call < lost.size(); ++call)
        EXPECT_NEAR(lost[call] / lost[0], static_cast<double>(call + 1), 0.3) << call;
}

TEST_F(WorkerCandidate, BuffersThatItKeepsUpAreAmongItsOutputsWhereTheyAreAskedFor) {
    Add add;
    plan::Tensor total = add.tensor({kElements}), left = add.tensor({kElements});
    add.aten(Phase::init, "aten::zeros", {integers({kElements})}, value(total));
    add.aten(Phase::init, "aten::zeros", {integers({kElements})}, value(left));
    std::rotate(add.plan.steps.begin(), add.plan.steps.end() - 2, add.plan.steps.end());  // first
    add.weight("total", total, false);
    add.weight("left", left, false);
    add.launch(0, {4, 1, 1}, {value(total), value(add.out), value(total), {kElements}});
    add.launch(0, {4, 1, 1}, {value(left), value(left), value(left), {kElements}});  // zeros stay zeros
    PackWriter weights;
    for (const char* name : {"input/0", "input/1", "weight/sums", "weight/left"})
        weights.add(name, plan::DType::f32, {kElements});
    weights.map();
    for (size_t i : {0, 1})
        std::memcpy(weights.data(i), given.inputs.bytes(given.inputs.entries()[i]),
                    kElements * sizeof(float));
    const Json index = weights.index();
    const Pack inputs(weights.seal().release(), index);
    CandidateRequest request;
    request.plan = &add.plan;
    request.inputs = &inputs;
    request.links = {{"total", "sums"}, {"left", "left"}};
    EXPECT_EQ(candidate(request).outputs.find("weight/sums"), nullptr);
    request.kept_buffers = true;
    request.further = {&inputs};
    const CandidateResult result = candidate(request);
    ASSERT_EQ(result.further.size(), 1U);
    const auto once = values<float>(given.native, "output/0");
    EXPECT_EQ(values<float>(result.outputs, "weight/sums"), once);
    EXPECT_EQ(result.outputs.find("weight/left"), nullptr) << "the first call has not changed it";
    const auto twice = values<float>(result.further[0].outputs, "weight/sums");
    for (size_t i = 0; i < once.size(); ++i) EXPECT_EQ(twice[i], 2 * once[i]);
}

TEST_F(WorkerCandidate, FurtherCallsHaveTheirOwnInputs) {
    Add add;
    const ReferenceResult second = reference(AddReference().plan, 77);
    CandidateRequest request;
    request.plan = &add.plan;
    request.inputs = &given.inputs;
    request.further = {&second.inputs, &given.inputs};
    request.repeat = 5;
    request.repeat_s = 60;
    const CandidateResult result = candidate(request);
    ASSERT_EQ(result.further.size(), 2U);
    EXPECT_EQ(result.repeated, 0) << "calls share no memory";
    EXPECT_EQ(values<float>(result.outputs, "output/0"), values<float>(given.native, "output/0"));
    EXPECT_EQ(values<float>(result.further[0].outputs, "output/0"), values<float>(second.native, "output/0"));
    EXPECT_EQ(values<float>(result.further[1].outputs, "output/0"), values<float>(given.native, "output/0"));
}

TEST_F(WorkerCandidate, AKernelThatDoesNotEndIsAFinding) {
    Add add;
    add.plan.kernels.push_back({"forever_kernel", kernel_text("forever"), {}, 7});
    add.launch(1, {1, 1, 1}, {value(add.out), {int64_t{1}}});
    CandidateRequest request;
    request.plan = &add.plan;
    request.inputs = &given.inputs;
    request.deadline_s = 0.5;
    CandidateResult result = candidate(request);
    ASSERT_FALSE(result.findings.empty());
    EXPECT_EQ(result.findings[0].reason, "interpret_timeout");
    EXPECT_EQ(result.findings[0].line, 7);
}

TEST_F(WorkerCandidate, BrokenTtirIsAFinding) {
    Add add;
    add.plan.kernels[0].ttir = "module { this is not TTIR }";
    CandidateResult result = run(add.plan);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].reason, "invalid_ttir");
}

TEST_F(WorkerCandidate, ChoicesRunTheAlternativeAskedFor) {
    Add add;
    plan::Step launch = add.plan.steps.back();
    plan::Step partial = launch;
    std::get<plan::LaunchStep>(partial.what).grid = {1, 1, 1};
    add.plan.steps.back().what = plan::ChoiceStep{{{"BLOCK: 256", {launch}}, {"BLOCK: 1", {partial}}}};
    EXPECT_EQ(reason_of(add.plan), "");
    CandidateRequest request;
    request.plan = &add.plan;
    request.inputs = &given.inputs;
    request.choice = {1};
    ASSERT_EQ(candidate(request).findings.size(), 1u);
    EXPECT_EQ(candidate(request).findings[0].reason, "uninitialised_output");
}

TEST_F(WorkerCandidate, AliasedOutputsAreExportedByValue) {
    Add add;
    plan::Tensor half{add.out.buffer, DType::f32, {500}, {2}, 0};
    add.forward("aten::slice.Tensor", {value(add.out), {int64_t{0}}, {int64_t{0}}, {kElements}, {int64_t{2}}},
                value(half));
    add.plan.output = sequence({value(add.out), value(half), value(add.x)});
    CandidateResult result = run(add.plan);
    ASSERT_TRUE(result.findings.empty());
    auto whole = values<float>(result.outputs, "output/0"), part = values<float>(result.outputs, "output/1");
    for (size_t i = 0; i < part.size(); ++i) EXPECT_EQ(part[i], whole[2 * i]);
    EXPECT_EQ(values<float>(result.outputs, "output/2"), values<float>(given.inputs, "input/0"));
}

TEST_F(WorkerCandidate, SoftmaxAgreesWithTheReference) {
    PlanBuilder task;
    plan::Tensor x = task.tensor({9, 50}), y = task.tensor({9, 50});
    task.aten(Phase::inputs, "aten::randn", {integers({9, 50})}, value(x), 0);
    task.plan.inputs = {value(x)};
    task.forward("aten::_softmax", {value(x), {int64_t{-1}}, {false}}, value(y));
    task.plan.output = value(y);
    PlanBuilder kernel("candidate", "cuda");
    plan::Tensor in = kernel.tensor({9, 50}, DType::f32, BufferKind::input), out = kernel.tensor({9, 50});
    kernel.plan.kernels.push_back({"softmax_kernel", kernel_text("softmax"), {}, 1});
    kernel.plan.inputs = {value(in)};
    kernel.forward("aten::empty_like", {value(in)}, value(out));
    kernel.launch(0, {9, 1, 1}, {value(in), value(out), {int64_t{50}}});
    kernel.plan.output = value(out);
    ReferenceResult expected = reference(task.plan);
    CandidateRequest request;
    request.plan = &kernel.plan;
    request.inputs = &expected.inputs;
    request.threads = 2;
    CandidateResult result = candidate(request);
    ASSERT_TRUE(result.findings.empty()) << result.findings[0].message;
    auto found = values<float>(result.outputs, "output/0"),
         native = values<float>(expected.native, "output/0");
    for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], native[i], 1e-6);
}

TEST_F(WorkerCandidate, LinkedWeightsReachWhatIsDerivedFromThem) {
    Linear task;
    ReferenceResult expected = reference(task.plan);
    PlanBuilder mine("candidate", "cuda");
    plan::Tensor x = mine.tensor({4, 8}, DType::f32, BufferKind::input), w = mine.tensor({3, 8}),
                 turned = mine.tensor({8, 3}), out = mine.tensor({4, 3});
    mine.plan.inputs = {value(x)};
    mine.aten(Phase::init, "aten::randn", {integers({3, 8})}, value(w), 0);
    plan::Tensor view{w.buffer, DType::f32, {8, 3}, {1, 8}, 0};
    mine.aten(Phase::init, "aten::t", {value(w)}, value(view));
    mine.aten(Phase::init, "aten::clone", {value(view)}, value(turned)).kwargs = {
        {"memory_format", testing::symbol(plan::Symbol::Kind::memory_format, "contiguous_format")}};
    mine.weight("proj", w);
    mine.weight("folded", turned);
    mine.forward("aten::mm", {value(x), value(turned)}, value(out));
    mine.plan.output = value(out);
    CandidateRequest request;
    request.plan = &mine.plan;
    request.inputs = &expected.inputs;
    request.links = {{"proj", "linear.weight"}};
    auto found = values<float>(candidate(request).outputs, "output/0");
    auto in = values<float>(expected.inputs, "input/0"),
         weight = values<float>(expected.inputs, "weight/linear.weight");
    for (size_t row = 0; row < 4; ++row)
        for (size_t column = 0; column < 3; ++column) {
            float sum = 0;
            for (size_t k = 0; k < 8; ++k) sum += in[row * 8 + k] * weight[column * 8 + k];
            EXPECT_NEAR(found[row * 3 + column], sum, 1e-5);
        }
}

TEST_F(WorkerCandidate, MissingInputsAndLinksAreErrors) {
    Add add;
    Linear task;
    ReferenceResult other = reference(task.plan);
    CandidateRequest request;
    request.plan = &add.plan;
    request.inputs = &other.inputs;
    EXPECT_TRUE(std::holds_alternative<WorkerError>(worker().candidate(request)))
        << "another shape, and no input/1";
    request.inputs = &given.inputs;
    request.links = {{"w", "nothing"}};
    plan::Tensor w = add.tensor({4});
    add.aten(Phase::init, "aten::zeros", {integers({4})}, value(w));
    std::rotate(add.plan.steps.begin(), add.plan.steps.end() - 1, add.plan.steps.end());  // before the call
    add.weight("w", w);
    auto answer = worker().candidate(request);
    ASSERT_TRUE(std::holds_alternative<WorkerError>(answer));
    EXPECT_THAT(std::get<WorkerError>(answer).message, HasSubstr("nothing"));
}

TEST(Worker, OfAnotherBuildIsRefusedByName) {
    WorkerProcess other(std::string(TRITONSMITH_BINARY_DIR) + "/bin/tritonsmith-worker",
                        {"--build", "another"});
    try {
        (void)other.ask<int>(Json::object(), {}, 60, [](const Json&, std::vector<Fd>&) { return 0; });
        FAIL() << "it answered";
    } catch (const MachineError& error) {
        EXPECT_THAT(error.what(), HasSubstr("tritonsmith-worker' is of another build"));
    }
}

}  // namespace
}  // namespace tritonsmith::run
