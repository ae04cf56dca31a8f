#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/process/process.h"
#include "numerics/precision.h"
#include "run/client/client.h"
#include "run/client/worker_process.h"
#include "run/worker/exec/accelerator.h"
#include "run/worker/memory/memory.h"
#include "run/worker/memory/tensor_packs.h"
#include "run/worker/program_cache.h"
#include "run/worker/sample/request.h"

namespace tritonsmith::run {

struct WorkerState;

/// What a worker holds for requests that belong together (docs/protocols.md, sessions).
class Session {
  public:
    virtual ~Session() = default;
    /// @throws as `run_reference`, and DeviceFault
    virtual Json answer(const std::string& what, const Json& request, std::vector<Fd>& descriptors,
                        std::vector<Fd>& files) = 0;
};

/// What a worker keeps between requests.
struct WorkerState {
    ProgramCache programs;
    sample::State samples;
    int64_t memory_limit = int64_t{4} << 30;  ///< bytes of one execution's buffers
    std::unique_ptr<Accelerator> accelerator = host_accelerator();
    std::map<int, std::unique_ptr<Session>> sessions;
    int next_session = 1;
};

std::unique_ptr<Session> open_candidate(const Json& request, std::vector<Fd>& descriptors, WorkerState& state,
                                        Json& answer);
std::unique_ptr<Session> open_reference(const Json& request, WorkerState& state, Json& answer);

/// Executes one request of docs/protocols.md (Worker) and returns the answer; memory files of the packs go to
/// `files` in their order. Never throws: what goes wrong is in the answer.
Json answer(const Json& request, std::vector<Fd>& descriptors, WorkerState& state, std::vector<Fd>& files);

/// @throws StepError, InputError, MachineError, Json::exception
Json run_reference(const Json& request, std::vector<Fd>& descriptors, WorkerState& state,
                   std::vector<Fd>& files);
Json run_candidate(const Json& request, std::vector<Fd>& descriptors, WorkerState& state,
                   std::vector<Fd>& files);

/// "precision" of a request about a reference. @throws InputError
numerics::Precision precision_of(const Json& request);
/// Where outputs that may hold infinities (plan::stated_infinities) do, by their names.
using Infinities = std::map<std::string, at::Tensor>;
/// Every output is, in float64 and whatever it is stored in; but for infinities that the plan states, which
/// stand where they stood before. @param where of another run; they are noted there where it is empty
bool all_finite(const plan::Plan& plan, Memory& memory, Infinities& where);
/// Every one of other tensors is.
bool all_finite(const NamedTensors& tensors, Memory& memory);

}  // namespace tritonsmith::run
