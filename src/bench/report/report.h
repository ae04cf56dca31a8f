#pragma once

#include <filesystem>
#include <string>

#include "base/json.h"
#include "bench/run/run_data.h"

namespace tritonsmith::bench {

/// The summary (summary/summary.h) with "config" and "published".
Json report_json(const RunData& run);

/// Tables for a README or a pull request.
std::string report_markdown(const RunData& run);

/// Correct answers in all and by level, with intervals, beside published numbers, as one SVG. @throws
/// InputError where nothing is judged yet
std::string report_figure(const RunData& run);

/// One page with everything in it: no network, no other file. @param folder of `run`: programs and evidence
/// are read from there @throws InputError
std::string report_html(const RunData& run, const std::filesystem::path& folder);

}  // namespace tritonsmith::bench
