#include "bench/report/published.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace tritonsmith::bench {
namespace {

struct Published {
    const char* system;
    const char* suite;
    int level;  ///< 0: the whole suite
    const char* attempts;
    std::optional<double> compiled, correct, fast_1, fast_2;
    const char* protocol;
};

constexpr const char* kAutoTriton = "AutoTriton paper: a Triton kernel must exist; PyTorch beside it allowed";
constexpr const char* kAutoTritonBench = "AutoTriton paper: TritonBench's call and execution accuracy";
constexpr const char* kTritonRl = "TritonRL paper: linter and LLM judge, L40S";
constexpr const char* kNoCheck = "TritonRL paper, without its functional check, L40S";

const std::vector<Published>& all_published() {
    static const std::vector<Published> rows = {
        {"AutoTriton 8B", "kernelbench", 1, "1", 83, 36, 10, 6, kAutoTriton},
        {"AutoTriton 8B, SFT only", "kernelbench", 1, "1", 65, 29, 10, 4, kAutoTriton},
        {"Qwen3-8B", "kernelbench", 1, "1", 52, 16, 9, 9, kAutoTriton},
        {"Claude-4-Sonnet", "kernelbench", 1, "1", 87, 33, 11, 7, kAutoTriton},
        {"DeepSeek-R1-0528", "kernelbench", 1, "1", 90, 35, 7, 1, kAutoTriton},
        {"AutoTriton 8B", "kernelbench", 1, "10", 100, 68, {}, {}, kAutoTriton},
        {"TritonRL 8B", "kernelbench", 1, "10", {}, 88, 41, 22, kTritonRl},
        {"AutoTriton 8B", "kernelbench", 1, "10", {}, 57, {}, {}, kTritonRl},
        {"AutoTriton 8B", "kernelbench", 1, "10", {}, 87, {}, {}, kNoCheck},
        {"KernelLLM 8B", "kernelbench", 1, "10", {}, 20, {}, {}, kTritonRl},
        {"KernelLLM 8B", "kernelbench", 1, "10", {}, 34, {}, {}, kNoCheck},
        {"AutoTriton 8B", "kernelbench", 2, "1", 97, 45, 17, 0, kAutoTriton},
        {"AutoTriton 8B, SFT only", "kernelbench", 2, "1", 85, 27, 8, 3, kAutoTriton},
        {"Qwen3-8B", "kernelbench", 2, "1", 73, 16, 8, 1, kAutoTriton},
        {"Claude-4-Sonnet", "kernelbench", 2, "1", 92, 26, 10, 1, kAutoTriton},
        {"DeepSeek-R1-0528", "kernelbench", 2, "1", 90, 42, 28, 2, kAutoTriton},
        {"AutoTriton 8B", "kernelbench", 2, "10", 100, 88, {}, {}, kAutoTriton},
        {"TritonRL 8B", "kernelbench", 2, "10", {}, 28, 19, 10, kTritonRl},
        {"AutoTriton 8B", "kernelbench", 3, "1", 82, 20, 10, 4, kAutoTriton},
        {"AutoTriton 8B, SFT only", "kernelbench", 3, "1", 64, 6, 2, 2, kAutoTriton},
        {"Qwen3-8B", "kernelbench", 3, "1", 40, 14, 4, 2, kAutoTriton},
        {"Claude-4-Sonnet", "kernelbench", 3, "1", 82, 18, 2, 0, kAutoTriton},
        {"DeepSeek-R1-0528", "kernelbench", 3, "1", 76, 26, 14, 2, kAutoTriton},
        {"AutoTriton 8B", "kernelbench", 3, "10", 88, 52, {}, {}, kAutoTriton},
        {"AutoTriton 8B", "tritonbench-g", 0, "1", 15.8, 15.8, {}, {}, kAutoTritonBench},
        {"AutoTriton 8B, SFT only", "tritonbench-g", 0, "1", 14.7, 14.1, {}, {}, kAutoTritonBench},
        {"Qwen3-8B", "tritonbench-g", 0, "1", 2.2, 1.6, {}, {}, kAutoTritonBench},
        {"Claude-4-Sonnet", "tritonbench-g", 0, "1", 9.2, 9.2, {}, {}, kAutoTritonBench},
        {"DeepSeek-R1-0528", "tritonbench-g", 0, "1", 16.3, 15.2, {}, {}, kAutoTritonBench},
        {"AutoTriton 8B", "tritonbench-t", 0, "1", 40.4, 39.2, {}, {}, kAutoTritonBench},
        {"AutoTriton 8B, SFT only", "tritonbench-t", 0, "1", 34.9, 34.9, {}, {}, kAutoTritonBench},
        {"Qwen3-8B", "tritonbench-t", 0, "1", 6.0, 5.4, {}, {}, kAutoTritonBench},
        {"Claude-4-Sonnet", "tritonbench-t", 0, "1", 10.8, 10.8, {}, {}, kAutoTritonBench},
        {"DeepSeek-R1-0528", "tritonbench-t", 0, "1", 30.7, 30.1, {}, {}, kAutoTritonBench},
    };
    return rows;
}

Json number_or_null(const std::optional<double>& value) {
    return value ? Json(*value) : Json();
}

}  // namespace

Json published_numbers(const std::set<std::string>& suites, const std::set<int>& levels) {
    Json out = Json::array();
    for (const Published& one : all_published())
        if (suites.contains(one.suite) && (one.level == 0 || levels.contains(one.level)))
            out.push_back({{"system", one.system},
                           {"benchmark", one.level ? fmt::format("{} level {}", one.suite, one.level)
                                                   : std::string(one.suite)},
                           {"attempts", one.attempts},
                           {"compiled", number_or_null(one.compiled)},
                           {"correct", number_or_null(one.correct)},
                           {"fast_1", number_or_null(one.fast_1)},
                           {"fast_2", number_or_null(one.fast_2)},
                           {"protocol", one.protocol}});
    return out;
}

}  // namespace tritonsmith::bench
