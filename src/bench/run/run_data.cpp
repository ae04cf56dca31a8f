#include "bench/run/run_data.h"

#include <set>

#include "base/process/files.h"
#include "bench/run/run_folder.h"
#include "bench/run/run_lines.h"

namespace tritonsmith::bench {

namespace fs = std::filesystem;

size_t RunData::pending(const std::string& protocol) const {
    size_t all = 0;
    for (const auto& [problem, count] : answers) all += static_cast<size_t>(count);
    const auto found = outcomes.find(protocol);
    return all - (found == outcomes.end() ? 0 : found->second.size());
}

RunData read_run(const fs::path& folder) {
    if (!fs::exists(folder / "bench.toml"))
        throw InputError(folder.string() + ": no run of bench (it has no bench.toml)");
    RunData out;
    out.name = fs::weakly_canonical(folder).filename().string();
    out.config = read_file(folder / "bench.toml", "run", int64_t{1} << 20);
    for_each_line(folder / "problems.jsonl",
                  [&](const Json& line) { out.problems.push_back(problem_of(line)); });
    std::set<std::pair<std::string, int>> answered;
    for_each_line(folder / "answers.jsonl", [&](const Json& line) {
        const std::string problem = line.value("problem", "");
        if (!answered.emplace(problem, line.value("sample", 0)).second) return;
        out.samples = std::max(out.samples, ++out.answers[problem]);
    });
    std::map<VerdictKey, Outcome> last;  // a failure of the machine has a second verdict behind it
    for_each_line(folder / "verdicts.jsonl", [&](const Json& line) {
        Outcome one = outcome_of(line);
        if (!answered.contains({one.problem, one.sample})) return;
        const VerdictKey key(one.problem, one.sample, one.protocol);
        if (one.status == "machine_error") return;
        last.insert_or_assign(key, std::move(one));
    });
    for (auto& [key, one] : last) out.outcomes[one.protocol].push_back(std::move(one));
    return out;
}

}  // namespace tritonsmith::bench
