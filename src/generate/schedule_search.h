#pragma once

#include <string>
#include <vector>

#include "generate/forge_smith.h"
#include "judge/judge.h"

namespace tritonsmith::generate {

struct SearchOptions {
    judge::Options judge;
    std::string name;       ///< of the candidate, in findings
    double budget = 0;      ///< seconds in which further schedules may be judged
    int jobs = 4;           ///< schedules that are judged at a time, where they are measured
    bool measured = false;  ///< the judge times candidates: the fastest wins; else the first accepted one
};

/// A schedule that was judged.
struct Tried {
    std::string what;  ///< "as written first", "products in tiles of 128 by 128"
    double estimated_ms = 0;
    judge::Verdict verdict;
};

struct Found {
    std::string code;
    judge::Verdict verdict;  ///< of `code`: the best one's, or the first one's where none is accepted
    std::vector<Tried> tried;
};

/// Judges the forge's program, and then other schedules of it, those first that the cost model thinks
/// fastest: where nothing is measured until one is accepted, else until the budget is spent, each improvement
/// the start of what follows.
Found search_schedules(const Forged& forged, judge::Judge& judge, const task::Task& task,
                       const SearchOptions& options);

/// Writes the forge's program in another schedule. @throws InputError naming the schedules that there are
void reschedule(Forged& forged, const std::string& change);

}  // namespace tritonsmith::generate
