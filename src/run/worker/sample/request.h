#pragma once

#include "run/client/sample_client.h"
#include "run/worker/program_cache.h"
#include "run/worker/sample/buffers/page_cache.h"

namespace tritonsmith::run::sample {

/// What a worker keeps between requests for samples.
struct State {
    PageCaches pages;
};

/// @throws StepError, MachineError
SampleResult answer(const OwnedSampleRequest& owned, ProgramCache& programs, State& state);

}  // namespace tritonsmith::run::sample
