#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>

#include "plan/analysis/collapse.h"
#include "plan/analysis/cost.h"
#include "plan/analysis/flow.h"
#include "run/client/client.h"
#include "task/shrink.h"
#include "task/task.h"
#include "trace/tracer.h"

/// references FILE.jsonl [ID]: traces the problems of KernelBench in the file, shrunk, and executes them as
/// references: in their own dtypes, in float64 and on magnitudes. Says which of them run on this CPU.
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

/// Outputs without elements, or with one value in all of their many, say nothing about what computed them.
std::string what_it_shows(const ReferenceResult& result) {
    std::string out;
    for (const PackEntry& entry : result.f64.entries()) {
        int64_t count = Pack::element_count(entry);
        if (count == 0) out += " EMPTY " + entry.name;
        if (entry.dtype != plan::DType::f64 || count < 2) continue;
        const auto* values = reinterpret_cast<const double*>(result.f64.bytes(entry));
        if (std::all_of(values, values + count, [&](double v) { return v == values[0]; }))
            out += " CONSTANT " + entry.name;
    }
    return out;
}

std::string text(const task::Shrunk& shrunk) {
    std::string out = std::to_string(shrunk.cost.bytes >> 10) + " KiB, " +
                      std::to_string(shrunk.cost.flops / 1e9) + " GFLOP, " + std::to_string(shrunk.probes) +
                      " probes";
    for (const auto& [name, value] : shrunk.overrides) out += ", " + name + "=" + std::to_string(value);
    return out;
}

struct Result {
    std::string why;    ///< empty if the problem runs
    std::string notes;  ///< what it was cut to
    double error = 0;
};

/// With the judge's own limits.
Result run_problem(Bench& bench, const task::Task& task) {
    trace::Outcome full = bench.traced(task, "cuda");
    if (auto* finding = std::get_if<Finding>(&full)) return {"does not trace: " + finding->message, "", 0};
    const plan::Plan& plan = std::get<plan::Plan>(full);
    auto probe = [&](const std::map<std::string, int64_t>& constants) -> std::optional<plan::Cost> {
        trace::Outcome outcome = bench.traced(task, "cuda", constants);
        auto* small = std::get_if<plan::Plan>(&outcome);
        if (!small || !plan::collapse(plan, *small).empty()) return std::nullopt;
        return plan::cost(*small);
    };
    task::Shrunk shrunk = task::shrink(plan.constants, plan::cost(plan), probe, task::ShrinkLimits{});
    Result run{"", text(shrunk), 0};
    auto failed = [&](const std::string& why) {
        run.why = why;
        return run;
    };
    if (!shrunk.fits) return failed("cannot be shrunk: " + shrunk.why);
    trace::Outcome cpu = bench.traced(task, "cpu", shrunk.overrides);
    if (auto* finding = std::get_if<Finding>(&cpu))
        return failed("does not trace on the CPU: " + finding->message);
    ReferenceRequest request;
    request.plan = &std::get<plan::Plan>(cpu);
    request.seed = 1;
    auto answer = bench.worker.reference(request);
    if (auto* wrong = std::get_if<WorkerError>(&answer)) return failed(wrong->reason + ": " + wrong->message);
    const auto& result = std::get<ReferenceResult>(answer);
    run.error = relative_error(result);
    run.notes += what_it_shows(result);
    if (result.random) return failed("random");
    if (!result.finite) return failed("the float64 output is not finite");
    return run;
}

int run_file(const std::string& path, const std::string& only) {
    std::ifstream file(path);
    if (!file) throw InputError("cannot read " + path);
    Bench bench;
    int ran = 0, all = 0;
    for (std::string line; std::getline(file, line);) {
        std::string id = Json::parse(line).at("id").get<std::string>();
        if (!only.empty() && id != only) continue;
        auto start = std::chrono::steady_clock::now();
        Result run = run_problem(bench, task::load(path + "#" + id));
        double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        ++all;
        if (run.why.empty()) ++ran;
        std::cout << id << (run.why.empty() ? " runs" : " FAILS: " + run.why) << ", error/S " << run.error
                  << ", " << seconds << " s; " << run.notes << std::endl;
    }
    std::cout << ran << " of " << all << " run\n";
    return ran == all ? 0 : 1;
}

}  // namespace
}  // namespace tritonsmith::run

int main(int argc, char** argv) {
    if (argc < 2) {
        std::cerr << "usage: references FILE.jsonl [ID]\n";
        return 2;
    }
    try {
        return tritonsmith::run::run_file(argv[1], argc > 2 ? argv[2] : "");
    } catch (const std::exception& error) {
        std::cerr << "references: " << error.what() << "\n";
        return 2;
    }
}
