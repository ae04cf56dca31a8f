#pragma once

#include "run/program_cache.h"
#include "run/sample/page_cache.h"
#include "run/sample_client.h"

namespace tritonsmith::run::sample {

/// What a worker keeps between requests for samples.
struct State {
    PageCaches pages;
};

/// @throws StepError, MachineError
SampleResult answer(const OwnedSampleRequest& owned, ProgramCache& programs, State& state);

}  // namespace tritonsmith::run::sample
