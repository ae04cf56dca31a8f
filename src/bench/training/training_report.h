#pragma once

#include <string>

#include "base/json.h"
#include "bench/training/training_run.h"

namespace tritonsmith::bench {

/// The run's settings, its headline numbers and its curves.
Json training_json(const TrainingRun& run);
/// Headline numbers as a table.
std::string training_markdown(const TrainingRun& run);
/// Losses, and of reinforcement learning pass rates and rewards, over steps as one SVG.
std::string training_figure(const TrainingRun& run);
/// One page with everything in it: no network, no other file.
std::string training_html(const TrainingRun& run);

}  // namespace tritonsmith::bench
