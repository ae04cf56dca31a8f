#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "base/error.h"
#include "judge/services/file_process.h"
#include "plan/ir/plan.h"
#include "run/client/client.h"
#include "trace/tracer.h"

namespace tritonsmith::judge {

struct AsWrittenRequest {
    std::string source, filename, entry = "ModelNew";
    std::string device = "cpu";        ///< "cuda:0"; "cpu" stands in where there is no GPU
    plan::List inputs, init_inputs;    ///< as in a plan; the pack holds those of `inputs`
    const run::Pack* given = nullptr;  ///< "input/i" and, under the reference's names, "weight/name"
    /// Candidate weight → reference weight (plan::Links). Draws without a name cannot be set ("draw/…" is
    /// passed over): see AsWrittenResult::unlinked_draws.
    std::map<std::string, std::string> links;
    int64_t output_bytes = 0;  ///< room for the outputs: output_room(plan)
    uint64_t seed = 0;
    std::chrono::milliseconds deadline{60000};  ///< on the clock
    int64_t memory_bytes = int64_t{24} << 30;   ///< of the host
};

struct AsWrittenResult {
    run::Pack outputs;  ///< "output/i", and "input/i" where an input was changed
    double seconds = 0;
    /// Draws of the constructor that no linked value replaced: the outputs may differ from the plan's by
    /// them.
    int64_t unlinked_draws = 0;
    /// The outputs prove nothing: the constructor did another thing the second time, so that weights derived
    /// from linked ones may be wrong; or it was given tensors, of which a request has no values.
    bool derived = false;
};

/// Bytes that the outputs of the plan take in a pack, and its inputs, should they be changed.
int64_t output_room(const plan::Plan& plan);

/// Runs a candidate's file once for real, in a sandboxed Python process: shows whether the file does what its
/// trace said. Thread-safe.
class AsWritten {
  public:
    explicit AsWritten(trace::TracerOptions options);

    /// Finding: as_written_failed; its evidence has "how": what the child said (run_error, no_device,
    /// weights_differ, outputs_differ, out_of_memory, syntax_error …) or how it ended (trace_timeout,
    /// trace_crash …). @throws MachineError if the process cannot be started.
    std::variant<AsWrittenResult, Finding> run(const AsWrittenRequest& request);

    /// Runs a module of ours, to tell a machine that cannot serve from a candidate that fails.
    /// @throws MachineError saying why the device cannot be used in the sandbox.
    void check(const std::string& device);

  private:
    FileProcess process_;
};

}  // namespace tritonsmith::judge
