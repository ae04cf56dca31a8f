#pragma once

#include <random>
#include <vector>

#include "run/client/sample_client.h"
#include "run/worker/sample/completion.h"

namespace tritonsmith::run::sample {

/// What launches leave for later ones, and what of it is missing or left lying: a grid that is too short, or
/// a loop that ends early, shows in the addresses even where nobody can afford to run what depends on them.
/// Buffers of which that cannot be known are left out.
std::vector<HandedOn> handed_on(const Context& context, const Leaves::Options& options, PageCache& pages,
                                std::mt19937_64& random);

}  // namespace tritonsmith::run::sample
