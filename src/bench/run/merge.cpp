#include "bench/run/merge.h"

#include <fmt/format.h>

#include <map>
#include <sstream>

#include "base/process/files.h"
#include "bench/run/run_folder.h"
#include "bench/run/run_lines.h"

namespace tritonsmith::bench {
namespace fs = std::filesystem;
namespace {

constexpr int64_t kMostMergedBytes = int64_t{1} << 20;

/// The lines of a configuration that runs of one benchmark share.
std::string common_lines(const std::string& config) {
    std::istringstream in(config);
    std::string out;
    for (std::string line; std::getline(in, line);) {
        bool differs = false;
        for (const char* key : {"shard =", "levels =", "only =", "limit =", "path =", "answers ="})
            differs |= line.starts_with(key);
        if (!differs) out += line + "\n";
    }
    return out;
}

void fill(RunFolder& merged, const std::vector<fs::path>& runs) {
    for (const fs::path& run : runs)
        for_each_line(run / "answers.jsonl", [&](const Json& line) { merged.add(answer_of(line)); });
    for (const fs::path& run : runs)
        for_each_line(run / "verdicts.jsonl", [&](const Json& line) {
            const VerdictKey key(line.at("problem"), line.at("sample"), line.at("protocol"));
            if (!merged.judged(key)) merged.add(key, line.at("verdict"));
        });
}

}  // namespace

void merge_runs(const std::vector<fs::path>& runs, const fs::path& output) {
    if (fs::exists(output)) throw InputError(output.string() + " exists; give another -o");
    std::string config;
    std::vector<Problem> problems;
    std::map<std::string, std::string> programs;
    for (const fs::path& run : runs) {
        const std::string own = common_lines(read_file(run / "bench.toml", "run", kMostMergedBytes));
        if (!config.empty() && own != config)
            throw InputError(fmt::format("{} and {} were not judged alike: compare their bench.toml",
                                         runs[0].string(), run.string()));
        config = own;
        for_each_line(run / "problems.jsonl", [&](const Json& line) {
            Problem one = problem_of(line);
            const std::string program = one.task ? one.task->source : "";
            const auto [it, fresh] = programs.emplace(one.id, program);
            if (!fresh && it->second != program)
                throw InputError("problem " + one.id + " is another one than in the runs before");
            if (fresh) problems.push_back(std::move(one));
        });
    }
    const fs::path part = output.string() + ".part";
    fs::remove_all(part);
    try {
        RunFolder merged(part, config, problems);
        fill(merged, runs);
    } catch (...) {
        fs::remove_all(part);
        throw;
    }
    fs::rename(part, output);
}

}  // namespace tritonsmith::bench
