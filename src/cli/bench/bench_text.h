#pragma once

#include <string>

#include "base/json.h"

namespace tritonsmith::cli {

/// A run's headline for a terminal (bench::summarise).
std::string summary_text(const Json& summary);

/// bench::compare_runs for a terminal.
std::string compare_text(const Json& compared);

}  // namespace tritonsmith::cli
