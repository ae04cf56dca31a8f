// The TTIR interpreter on blocks of a million elements, with all checks on. Threads: the benchmark's
// argument.
#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "ttir/interp/interpreter.h"
#include "ttir/parse/parser.h"

namespace {

using namespace tritonsmith::ttir;

constexpr int64_t kElements = int64_t{1} << 20;

/// o[i] = f(x[i]) over programs of 1024 lanes, masked by n.
std::string elementwise(const std::string& body) {
    return R"(module {
  tt.func public @k(%x: !tt.ptr<f32>, %o: !tt.ptr<f32>, %n: i32) {
    %c1024 = arith.constant 1024 : i32
    %pid = tt.get_program_id x : i32
    %base = arith.muli %pid, %c1024 : i32
    %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %b = tt.splat %base : i32 -> tensor<1024xi32>
    %i = arith.addi %b, %r : tensor<1024xi32>
    %ns = tt.splat %n : i32 -> tensor<1024xi32>
    %m = arith.cmpi slt, %i, %ns : tensor<1024xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %v = tt.load %xp, %m : tensor<1024x!tt.ptr<f32>>
)" + body + R"(
    %os = tt.splat %o : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %op = tt.addptr %os, %i : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    tt.store %op, %y, %m : tensor<1024x!tt.ptr<f32>>
    tt.return
  }
})";
}

void run(benchmark::State& state, const std::string& text) {
    const Program program(std::make_shared<Module>(parse(text)));
    Buffer x(kElements * 4, 0x7f0000000000, "x"), o(kElements * 4, 0x7f1000000000, "o");
    const std::vector<float> values(kElements, 0.5f);
    std::memcpy(x.data(), values.data(), values.size() * 4);
    x.mark_all_written();
    LaunchOptions options;
    options.threads = static_cast<int>(state.range(0));
    const std::vector<Argument> arguments = {PointerArgument{&x, 0}, PointerArgument{&o, 0}, kElements};
    for (auto _ : state) {
        const LaunchReport report = program.launch({kElements / 1024, 1, 1}, arguments, options);
        if (!report.findings.empty() || !report.unsupported.empty()) return state.SkipWithError("a finding");
    }
    state.SetItemsProcessed(state.iterations() * kElements);
}

void add_one(benchmark::State& state) {
    run(state, elementwise(R"(
    %one = arith.constant dense<1.0> : tensor<1024xf32>
    %y = arith.addf %v, %one : tensor<1024xf32>)"));
}
void exponential(benchmark::State& state) {
    run(state, elementwise("    %y = math.exp %v : tensor<1024xf32>"));
}

/// 64x64x32 products of constants: the arithmetic of tt.dot alone, 1024 programs of 32 steps.
void dot(benchmark::State& state) {
    const Program program(std::make_shared<Module>(parse(R"(module {
  tt.func public @k(%o: !tt.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %a = arith.constant dense<0.5> : tensor<64x32xf32>
    %b = arith.constant dense<0.25> : tensor<32x64xf32>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %c32 step %c1 iter_args(%c = %zero) -> (tensor<64x64xf32>) : i32 {
      %d = tt.dot %a, %b, %c, inputPrecision = ieee : tensor<64x32xf32> * tensor<32x64xf32> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tt.return
  }
})")));
    Buffer o(4096, 0x7f0000000000, "o");
    LaunchOptions options;
    options.threads = static_cast<int>(state.range(0));
    int64_t flops = 0;
    for (auto _ : state) flops += program.launch({256, 1, 1}, {PointerArgument{&o, 0}}, options).flops;
    state.counters["FLOP/s"] = benchmark::Counter(static_cast<double>(flops), benchmark::Counter::kIsRate);
}

BENCHMARK(add_one)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(exponential)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(dot)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
