#pragma once

#include <string>

#include "base/json.h"
#include "bench/training/ablation.h"

namespace tritonsmith::bench {

/// Settings, their numbers at the end with those of each seed, and their curves.
Json ablation_json(const Ablation& ablation);
/// One row for each setting: its axes, its runs, and each metric as mean (least to greatest over seeds).
std::string ablation_markdown(const Ablation& ablation);
/// Each metric over steps, a line for each setting. @throws InputError where no step is done
std::string ablation_figure(const Ablation& ablation);
/// The page of a run of `train`, with a line for each setting and the table.
std::string ablation_html(const Ablation& ablation);

}  // namespace tritonsmith::bench
