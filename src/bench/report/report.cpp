#include "bench/report/report.h"

#include "bench/report/published.h"
#include "bench/summary/summary.h"

namespace tritonsmith::bench {

Json report_json(const RunData& run) {
    std::set<std::string> suites;
    std::set<int> levels;
    for (const Problem& one : run.problems) {
        suites.insert(one.suite);
        levels.insert(one.level);
    }
    Json out = summarise(run);
    out["config"] = run.config;
    out["published"] = published_numbers(suites, levels);
    return out;
}

}  // namespace tritonsmith::bench
