// Latency of the warm tracer for one candidate with a ten-line host part (target: at most 100 ms on one
// core), and its parts.
#include <benchmark/benchmark.h>

#include <atomic>
#include <fstream>
#include <sstream>
#include <thread>

#include "trace/testing.h"

namespace tritonsmith::trace {
namespace {

std::string program(const std::string& name) {
    std::ifstream file(std::string(TRITONSMITH_SOURCE_DIR) + "/" + name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

Tracer& warm() {
    static Tracer tracer(testing::options());
    return tracer;
}

void expect_plan(benchmark::State& state, const Outcome& outcome) {
    if (testing::reason(outcome) != "none") state.SkipWithError(testing::text(outcome).c_str());
}

/// Real time from the text to the validated plan. Each text differs, as candidates do.
void candidate(benchmark::State& state) {
    const std::string source = program("tests/hostile/honest.py");
    expect_plan(state, warm().trace(testing::candidate(source)));
    int number = 0;
    for (auto _ : state) {
        expect_plan(state, warm().trace(testing::candidate(source + "# " + std::to_string(number++) + "\n")));
    }
}
BENCHMARK(candidate)->UseRealTime()->Unit(benchmark::kMillisecond);

/// The same without a kernel: process, sandbox, protocol.
void empty_program(benchmark::State& state) {
    const std::string source =
        "from torch import nn\nclass ModelNew(nn.Module):\n    def forward(self, x):\n        return x\n";
    expect_plan(state, warm().trace(testing::candidate(source)));
    for (auto _ : state) expect_plan(state, warm().trace(testing::candidate(source)));
}
BENCHMARK(empty_program)->UseRealTime()->Unit(benchmark::kMillisecond);

/// Programs that are stopped cost no more than honest ones.
void forbidden(benchmark::State& state) {
    const std::string source = program("tests/hostile/forks.py");
    for (auto _ : state) {
        if (testing::reason(warm().trace(testing::candidate(source))) != "trace_forbidden")
            state.SkipWithError("not stopped");
    }
}
BENCHMARK(forbidden)->UseRealTime()->Unit(benchmark::kMillisecond);

/// Candidates a second from several threads of the judge.
void at_once(benchmark::State& state) {
    const std::string source = program("tests/hostile/honest.py");
    for (auto _ : state) expect_plan(state, warm().trace(testing::candidate(source)));
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(at_once)->Threads(2)->Threads(4)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tritonsmith::trace
