#include "cli/bench/bench_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "base/json.h"

namespace tritonsmith::cli {

void BenchFlags::add_to(CLI::App& command) {
    command.add_option("path", suite.path,
                       "the suite: a checkout's folder, a JSON or JSONL file, or task files");
    command.add_option("--suite", suite.suite, "what the path holds")
        ->check(CLI::IsMember({"kernelbench", "tritonbench-g", "tritonbench-t", "tasks"}));
    command.add_option("--level", suite.levels, "only problems of this level (may be repeated)");
    command.add_option("--only", only, "only this problem, as in L1-23 (may be repeated)");
    command.add_option("--limit", limit, "only the first problems")->check(CLI::Range(1, 1'000'000));
    command.add_option("--tasks", suite.tasks,
                       "folder with ID.py for problems that come as programs with tests (TritonBench)");
    auto* given = command.add_option(
        "--answers", answers,
        "existing answers: KernelBench's runs/ layout, files ID.py, or rows {\"task\", \"code\"} or "
        "TritonBench's {\"instruction\", \"label\", \"predict\"}");
    auto* smith_option = command.add_option("--smith", smith, "who writes the answers, where no model does")
                             ->check(CLI::IsMember({"forge"}))
                             ->excludes(given);
    sampling.add_sampling_to(command);
    for (const char* model : {"--model", "--endpoint"})
        command.get_option(model)->excludes(given)->excludes(smith_option);
    command.add_option("--samples", samples, "answers of a model to each problem")
        ->check(CLI::Range(1, 65536))
        ->capture_default_str();
    command.add_option("-o,--output", output, "the run's folder; a run that was stopped there goes on");
    command.add_option("--protocols", protocols,
                       "rules to judge by, side by side: robust, relaxed, kernelbench, kernelbench-trials, "
                       "tritonbench (default: robust; "
                       "tritonbench for its suites without --tasks)");
    command.add_option("--shard", shard,
                       "I/N: only every Nth problem, for one of N processes or machines (then bench merge)");
    command.add_option("--jobs", jobs, "candidates judged at a time (default: one per core and a few more)")
        ->check(CLI::Range(1, 1024));
    command.add_flag("--no-cache", no_cache, "judge again what the cache has a verdict for");
    command.add_flag("--json", json, "print the summary as one JSON object on stdout");
    judge.add_to(command);
}

std::string BenchFlags::sampling_section() const {
    auto text = [](const std::string& value) { return dump(Json(value)); };
    auto number = [](const auto& value) {
        return value ? fmt::format("{}", *value) : std::string("\"default\"");
    };
    std::string out = "\n[sampling]\n";
    auto line = [&out](const char* key, const std::string& value) {
        out += fmt::format("{} = {}\n", key, value);
    };
    line("model", text(sampling.local() ? std::filesystem::weakly_canonical(sampling.model).string() : ""));
    line("endpoint", text(sampling.endpoint));
    line("model_name", text(sampling.model_name));
    line("samples", std::to_string(samples));
    line("prompt", text(sampling.prompt));
    line("temperature", number(sampling.temperature));
    line("top_p", number(sampling.top_p));
    line("max_tokens", std::to_string(sampling.max_tokens));
    line("seed", number(sampling.sample_seed));
    line("extra", text(dump(sampling.more())));
    line("dtype", text(sampling.dtype));
    line("cache_dtype", text(sampling.cache_dtype));
    return out;
}

std::string BenchFlags::config(const std::string& device, const judge::Options& options) const {
    auto text = [](const std::string& value) { return dump(Json(value)); };  // a basic string of TOML
    auto path = [&](const std::filesystem::path& value) {
        return text(value.empty() ? "" : std::filesystem::weakly_canonical(value).string());
    };
    std::string out = "# What this run of `tritonsmith bench` was asked for.\n";
    auto line = [&out](const char* key, const std::string& value) {
        out += fmt::format("{} = {}\n", key, value);
    };
    line("suite", text(suite.suite));
    line("path", path(suite.path));
    line("tasks", path(suite.tasks));
    line("levels", fmt::format("[{}]", fmt::join(suite.levels, ", ")));
    line("only", dump(Json(only)));
    line("limit", std::to_string(limit));
    line("answers", path(answers));
    line("smith", text(smith));
    line("protocols", text(protocols));
    line("shard", text(shard));
    if (sampling.any()) out += sampling_section();
    out += "\n[judge]\n";
    line("device", text(device.empty() ? "cpu" : device));
    line("target", text(options.target));
    line("timing", options.timing ? "true" : "false");
    line("timing_budget", fmt::format("{:g}", options.timing_seconds));
    line("as_written", options.as_written ? "true" : "false");
    line("compile_baseline", options.compile_baseline ? "true" : "false");
    line("prepack", options.prepack ? "true" : "false");
    line("strict_state", options.strict_state ? "true" : "false");
    line("require", text(judge::name(options.require)));
    line("tolerance", fmt::format("{:g}", judge.tolerance));
    line("precision", text(judge.precision));
    line("shrink", std::to_string(options.shrink_bytes));
    line("deadline", fmt::format("{:g}", options.candidate_seconds));
    line("compile_budget", fmt::format("{:g}", options.compile_seconds));
    line("sandbox", judge.unsafe_no_sandbox ? "false" : "true");
    line("seed", options.seed ? std::to_string(*options.seed) : "\"drawn\"");
    return out;
}

}  // namespace tritonsmith::cli
