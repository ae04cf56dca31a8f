// Lint of programs of about 100 lines, beside tree-sitter's bare parse of the same texts in the same run.
//   build/release/bin/lint_bench --benchmark_repetitions=5 --benchmark_report_aggregates_only=true
// items_per_second counts programs per second of CPU time of one core.
#include <benchmark/benchmark.h>
#include <tree_sitter/api.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "lint/lint.h"

extern "C" const TSLanguage* tree_sitter_python();

namespace {

using tritonsmith::lint::lint;

/// 64 different programs of 95 to 105 lines: honest examples put together, with names and numbers changed.
const std::vector<std::string>& programs() {
    static const std::vector<std::string> made = [] {
        std::vector<std::string> examples;
        for (const auto& entry : std::filesystem::directory_iterator(
                 std::filesystem::path(TRITONSMITH_SOURCE_DIR) / "examples/kernels")) {
            std::stringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            examples.push_back(text.str());
        }
        std::sort(examples.begin(), examples.end());
        std::mt19937 random(1);
        std::vector<std::string> programs;
        while (programs.size() < 64) {
            std::shuffle(examples.begin(), examples.end(), random);
            std::string text;
            long lines = 0;
            for (const std::string& example : examples) {
                long more = std::count(example.begin(), example.end(), '\n');
                if (lines + more > 105) continue;
                // The last module is the candidate, the ones before are others.
                text =
                    std::regex_replace(text, std::regex("\\bModelNew\\b"), "Other" + std::to_string(lines));
                text += example;
                lines += more;
            }
            if (lines < 95) continue;
            std::string suffix = "_" + std::to_string(random() % 1000);
            text = std::regex_replace(text, std::regex("\\b(x|out|row|col|total|inside)\\b"), "$1" + suffix);
            programs.push_back(
                std::regex_replace(text, std::regex("\\b1024\\b"), std::to_string(128 + random() % 4096)));
        }
        return programs;
    }();
    return made;
}

void bare_parse(TSParser* parser, const std::string& text) {
    TSTree* tree = ts_parser_parse_string(parser, nullptr, text.data(), static_cast<uint32_t>(text.size()));
    benchmark::DoNotOptimize(tree);
    ts_tree_delete(tree);
}

TSParser* parser() {
    static TSParser* one = [] {
        TSParser* made = ts_parser_new();
        ts_parser_set_language(made, tree_sitter_python());
        return made;
    }();
    return one;
}

template <class Action>
void each_program(benchmark::State& state, Action action) {
    size_t next = 0, bytes = 0;
    for (auto _ : state) {
        const std::string& text = programs()[next++ % programs().size()];
        action(text);
        bytes += text.size();
    }
    state.SetItemsProcessed(state.iterations());
    state.SetBytesProcessed(static_cast<int64_t>(bytes));
}

void BareParse(benchmark::State& state) {
    each_program(state, [](const std::string& text) { bare_parse(parser(), text); });
}
BENCHMARK(BareParse);

void Lint(benchmark::State& state) {
    each_program(state, [](const std::string& text) { benchmark::DoNotOptimize(lint(text)); });
}
BENCHMARK(Lint);

void LintWithNormalForm(benchmark::State& state) {
    each_program(
        state, [](const std::string& text) { benchmark::DoNotOptimize(lint(text, {.normal_form = true})); });
}
BENCHMARK(LintWithNormalForm);

/// Both in turn on every text, so that a busy machine slows both alike; the counter is lint's time over the
/// parse's.
void LintOverBareParse(benchmark::State& state) {
    using Clock = std::chrono::steady_clock;
    Clock::duration parse{}, rules{};
    each_program(state, [&](const std::string& text) {
        auto begin = Clock::now();
        bare_parse(parser(), text);
        auto middle = Clock::now();
        benchmark::DoNotOptimize(lint(text));
        parse += middle - begin;
        rules += Clock::now() - middle;
    });
    state.counters["ratio"] = std::chrono::duration<double>(rules) / std::chrono::duration<double>(parse);
}
BENCHMARK(LintOverBareParse);

}  // namespace
