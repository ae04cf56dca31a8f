#pragma once

#include "base/json.h"
#include "bench/run/run_data.h"

namespace tritonsmith::bench {

/// Two runs, paired by task: {"protocol", "tasks", "only_in_a", "only_in_b", "metrics": [{"metric", "a", "b",
/// "difference": E, "gained", "lost", "p"}], "flips": [{"problem", "to": "solved" or "lost", "a": REASON,
/// "b": REASON}]}. A task is solved by a run if one of its answers is accepted; p is McNemar's, exact, over
/// tasks. "difference" is the mean over tasks of b's share of answers less a's, with its bootstrap interval.
/// @throws InputError where the runs have no problem in common, or one lacks the protocol
Json compare_runs(const RunData& a, const RunData& b, const std::string& protocol);

}  // namespace tritonsmith::bench
