#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>

#include "plan/policy.h"
#include "run/client.h"
#include "task/shrink.h"
#include "task/task.h"
#include "trace/tracer.h"

/// Traces the development problems of KernelBench, shrunk, and executes them as references: in their own
/// dtypes, in float64 and on magnitudes. Needs the data's folder in TRITONSMITH_DEV_DATA.
namespace tritonsmith::run {
namespace {

struct Bench {
    trace::Tracer tracer{{TRITONSMITH_PYTHON, std::string(TRITONSMITH_BINARY_DIR) + "/package"}};
    Worker worker{std::string(TRITONSMITH_BINARY_DIR) + "/bin/tritonsmith-worker"};

    trace::Outcome traced(const task::Task& task, const std::string& device,
                          const std::map<std::string, int64_t>& constants = {}) {
        trace::Request request;
        request.kind = "reference";
        request.device = device;
        request.source = task.source;
        request.filename = task.display;
        request.entry = task.entry;
        request.constants = constants;
        request.deadline = std::chrono::seconds(60);
        return tracer.trace(request);
    }
};

/// Largest difference between the native and the float64 outputs, relative to the largest magnitude S.
double relative_error(const ReferenceResult& result) {
    double worst = 0;
    for (const PackEntry& entry : result.native.entries()) {
        const PackEntry* exact = result.f64.find(entry.name);
        const PackEntry* scale = result.absolute.find(entry.name);
        if (entry.dtype != plan::DType::f32 || !exact || !scale || exact->dtype != plan::DType::f64) continue;
        const auto* native = reinterpret_cast<const float*>(result.native.bytes(entry));
        const auto* oracle = reinterpret_cast<const double*>(result.f64.bytes(*exact));
        const auto* magnitude = reinterpret_cast<const double*>(result.absolute.bytes(*scale));
        double largest = 0, difference = 0;
        for (int64_t i = 0; i < Pack::element_count(entry); ++i) {
            largest = std::max({largest, std::abs(magnitude[i]), std::abs(oracle[i])});
            difference = std::max(difference, std::abs(native[i] - oracle[i]));
        }
        if (largest > 0) worst = std::max(worst, difference / largest);
    }
    return worst;
}

/// Empty if the problem runs, else why it does not.
std::string run_problem(Bench& bench, const task::Task& task, double& error) {
    trace::Outcome full = bench.traced(task, "cuda");
    if (auto* finding = std::get_if<Finding>(&full)) return "does not trace: " + finding->message;
    plan::Plan& plan = std::get<plan::Plan>(full);
    auto probe = [&](const std::map<std::string, int64_t>& constants) -> std::optional<plan::Cost> {
        trace::Outcome outcome = bench.traced(task, "cuda", constants);
        auto* small = std::get_if<plan::Plan>(&outcome);
        return small ? std::optional(plan::cost(*small)) : std::nullopt;
    };
    task::ShrinkLimits limits;
    limits.bytes = int64_t{4} << 20;
    limits.flops = 2e8;
    task::Shrunk shrunk = task::shrink(plan.constants, plan::cost(plan), probe, limits);
    trace::Outcome cpu = bench.traced(task, "cpu", shrunk.overrides);
    if (auto* finding = std::get_if<Finding>(&cpu)) return "does not trace on the CPU: " + finding->message;
    ReferenceRequest request;
    request.plan = &std::get<plan::Plan>(cpu);
    request.seed = 1;
    auto answer = bench.worker.reference(request);
    if (auto* wrong = std::get_if<WorkerError>(&answer)) return wrong->reason + ": " + wrong->message;
    const auto& result = std::get<ReferenceResult>(answer);
    error = relative_error(result);
    if (result.random) return "random";
    if (!result.finite) return "the float64 output is not finite";
    return {};
}

TEST(KernelBench, AtLeast100Of125DevelopmentProblemsRunOnTheCpu) {
    const char* folder = std::getenv("TRITONSMITH_DEV_DATA");
    if (!folder) GTEST_SKIP() << "TRITONSMITH_DEV_DATA names no folder with kernelbench_dev.jsonl";
    std::string path = std::string(folder) + "/kernelbench_dev.jsonl";
    std::ifstream file(path);
    ASSERT_TRUE(file) << path;
    Bench bench;
    int ran = 0, all = 0;
    const char* only = std::getenv("TRITONSMITH_ONLY");
    for (std::string line; std::getline(file, line);) {
        std::string id = Json::parse(line).at("id").get<std::string>();
        if (only && id != only) continue;
        double error = 0;
        auto start = std::chrono::steady_clock::now();
        std::string why = run_problem(bench, task::load(path + "#" + id), error);
        double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        ++all;
        if (why.empty()) ++ran;
        std::cout << id << (why.empty() ? " runs" : " FAILS: " + why) << ", error/S " << error << ", "
                  << seconds << " s" << std::endl;
        EXPECT_LT(error, 1e-3) << id;
    }
    std::cout << ran << " of " << all << " run\n";
    if (!only) {
        EXPECT_GE(ran, 100);
    }
}

}  // namespace
}  // namespace tritonsmith::run
