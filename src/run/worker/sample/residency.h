#pragma once

#include <optional>

#include "run/worker/sample/buffers/page_cache.h"
#include "run/worker/sample/completion.h"

namespace tritonsmith::run::sample {

/// Launches of the full-size plan that never end on a device, because all of the programs that it holds at
/// once wait for others, which cannot start. Launches of more programs than that are interpreted from their
/// first program on, with as many side by side as the device holds, until these wait for ever, as many have
/// ended, or the time is over. Says nothing about launches that read what earlier ones wrote. Finding:
/// interpret_timeout.
std::optional<Finding> check_residency(const Context& context, const Leaves::Options& options,
                                       PageCache& pages);

}  // namespace tritonsmith::run::sample
