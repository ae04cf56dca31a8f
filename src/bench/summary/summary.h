#pragma once

#include "base/json.h"
#include "bench/metrics/statistics.h"
#include "bench/run/run_data.h"

namespace tritonsmith::bench {

/// All numbers of a run (docs/bench.md, "Metrics"), the same for every form of the report:
///
///     {"run", "samples", "problems": {"all", "judgeable", "flawed", "answered"},
///      "protocols": {NAME: {"describe", "pending", "timed",
///          "rates": [{"metric", "k", "all": E, "sound": E}], "groups": {KEY: [{"group", "tasks", "compiled":
///          E, ...}]}, "speedups": {"answers": D, "best": D, "mean_best"}, "reasons": [{"reason", "hack",
///          "stage", "count"}], "hacks": {}}}}
///
/// E is {"value", "low", "high", "tasks"}; "sound" leaves out flawed problems and those that cannot be
/// judged.
Json summarise(const RunData& run);

Json to_json(const Estimate& estimate);

}  // namespace tritonsmith::bench
