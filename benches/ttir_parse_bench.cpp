/// How fast TTIR text is read and printed: all texts of src/ttir/testdata, or of the folder
/// TRITONSMITH_TTIR_FOLDER.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "ttir/parse/parser.h"
#include "ttir/parse/printer.h"

namespace {

using namespace tritonsmith::ttir;

std::vector<std::string> texts() {
    const char* named = std::getenv("TRITONSMITH_TTIR_FOLDER");
    std::filesystem::path folder = named ? named : TRITONSMITH_SOURCE_DIR "/src/ttir/testdata";
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".ttir") continue;
        std::ifstream file(entry.path());
        std::stringstream text;
        text << file.rdbuf();
        out.push_back(text.str());
    }
    return out;
}

void parse_texts(benchmark::State& state) {
    std::vector<std::string> all = texts();
    int64_t bytes = 0;
    for (auto _ : state) {
        for (const std::string& text : all) {
            benchmark::DoNotOptimize(parse(text));
            bytes += static_cast<int64_t>(text.size());
        }
    }
    state.SetBytesProcessed(bytes);
}
BENCHMARK(parse_texts)->Unit(benchmark::kMillisecond);

void print_modules(benchmark::State& state) {
    std::vector<Module> all;
    for (const std::string& text : texts()) all.push_back(parse(text));
    int64_t bytes = 0;
    for (auto _ : state) {
        for (const Module& module : all) bytes += static_cast<int64_t>(print(module).size());
    }
    state.SetBytesProcessed(bytes);
}
BENCHMARK(print_modules)->Unit(benchmark::kMillisecond);

}  // namespace
