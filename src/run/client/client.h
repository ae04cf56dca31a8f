#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/process/deaths.h"
#include "numerics/precision.h"
#include "plan/ir/plan.h"
#include "run/client/issued_kernels.h"
#include "run/draw/variant.h"

/// Client side of tritonsmith-worker (docs/protocols.md, Worker). No torch in this header, nor in its library
/// (tritonsmith::run_client); the worker itself is a program of its own.
namespace tritonsmith::run {

/// Named tensors, contiguous, in one shared memory file.
struct PackEntry {
    std::string name;  ///< "output/0", "input/1", "weight/linear.weight"
    plan::DType dtype;
    std::vector<int64_t> shape;
    int64_t offset = 0;  ///< bytes
};
class Pack {
  public:
    Pack() = default;
    /// Maps the descriptor read-only (private) and takes ownership of it. @throws InputError if the index
    /// does not fit.
    Pack(int fd, const Json& index);
    Pack(Pack&&) noexcept;
    Pack& operator=(Pack&&) noexcept;
    ~Pack();
    const std::vector<PackEntry>& entries() const { return entries_; }
    const PackEntry* find(const std::string& name) const;
    const std::byte* bytes(const PackEntry& entry) const;
    int fd() const { return fd_; }
    Json index() const;
    static int64_t element_count(const PackEntry& entry);

  private:
    std::vector<PackEntry> entries_;
    int fd_ = -1;
    std::byte* map_ = nullptr;
    int64_t size_ = 0;
};

struct ReferenceRequest {
    const plan::Plan* plan = nullptr;
    uint64_t seed = 0;
    std::optional<uint64_t> weights_seed;  ///< where it is not the inputs'
    Variant variant;
    bool redraw = true, redraw_state = true;
    const Pack* state = nullptr;  ///< what the call before left (ReferenceResult::state)
    /// state: what the call leaves for the next one in buffers that are no inputs (plan::carried_buffers)
    std::vector<std::string> want{"inputs", "native", "f64", "absolute", "perturbed"};
    numerics::Precision precision = numerics::Precision::defaults;
    int threads = 0;  ///< 0: as many as the machine has
    double deadline_s = 300;
};
struct ReferenceResult {
    Pack inputs, native, f64, absolute, state;  ///< empty where not wanted
    std::vector<Pack> perturbed;  ///< f64 with other roundings (run/worker/oracle/perturbation.h)
    int64_t longest_reduction = 1;
    bool finite = true;                 ///< every output is, in float64 and in its own dtype
    bool random = false;                ///< the forward phase draws random numbers: not judgeable
    std::vector<std::string> mutated;   ///< inputs that the forward phase changes: "input/0"
    std::vector<std::string> rounding;  ///< deliberate lower-precision roundings kept in the oracle
    double seconds = 0;
};
/// What of the compiled kernels the interpreter is to take over.
struct AsCompiled {
    IssuedKernels issued;  ///< loads that come before a store whose value they should find are findings
    /// Values are what was promised of them (ttir::LaunchOptions::keep_promises).
    bool keep_promises = false;
};
struct CandidateRequest {
    const plan::Plan* plan = nullptr;
    uint64_t seed = 0;
    const Pack* inputs = nullptr;
    std::map<std::string, std::string> links;
    uint64_t linked_seed = 0;  ///< with which the reference drew what links name "draw/n"
    std::vector<int> choice;   ///< alternative taken at each choice step; missing entries: 0
    int threads = 1;
    bool checks = true;
    bool full_size =
        false;  ///< the plan is of the task's own sizes: what the hardware demands of sizes is checked
    int disable_launch = -1;  ///< index of a launch to skip (kernel_without_effect)
    /// Inputs of further calls of the module, each on the memory that the one before left. A plan whose calls
    /// end the life of what construction made is called once.
    std::vector<const Pack*> further;
    /// Where the last of them has left other memory than the first, though its inputs are the same: so many
    /// more on these inputs, as far as `repeat_s` seconds reach.
    int repeat = 0;
    double repeat_s = 0;
    /// Outputs hold what calls leave in buffers that both modules keep up too: "weight/norm.running_mean".
    bool kept_buffers = false;
    AsCompiled as_compiled;
    double deadline_s = 60;
};
struct Launched {
    std::string kernel;
    int64_t programs = 0, bytes_read = 0, bytes_written = 0, flops = 0;
    double seconds = 0;
    int line = 0;
    int64_t waiting = 0;  ///< the most programs that waited for others at one time
};
struct CandidateCall {
    Pack outputs;
    std::vector<std::string> mutated;
    std::vector<Finding> warnings;
};
struct CandidateResult {
    Pack outputs;                             ///< of the first call
    std::vector<Finding> findings, warnings;  ///< of the last call that began; of the first
    std::vector<std::string> mutated, prints;
    std::vector<CandidateCall> further;  ///< as many as were made and ended without a finding
    int repeated = 0;                    ///< calls behind these; the last one is in `further` too
    std::vector<Launched> launches;      ///< of the first call
    bool tf32 = false;
    double seconds = 0;
};
/// The worker refused or failed: reasons of docs/protocols.md; or worker_died, or deadline_exceeded (it was
/// killed).
struct WorkerError {
    std::string reason, message;
    int step = -1, line = 0;
    Death death = {};  ///< worker_died
};
/// Of a worker that died.
inline Blame blame_of(const WorkerError& error) {
    return blame(error.death, much_memory());
}

class WorkerProcess;
struct SampleRequest;
struct SampleResult;

/// One worker process: started in the constructor (does not wait), restarted when it died. Not thread-safe:
/// one per thread and role.
class Worker {
  public:
    explicit Worker(std::string program);  ///< path of tritonsmith-worker
    ~Worker();
    std::variant<ReferenceResult, WorkerError> reference(const ReferenceRequest& request);
    std::variant<CandidateResult, WorkerError> candidate(const CandidateRequest& request);
    std::variant<SampleResult, WorkerError> sample(const SampleRequest& request);  ///< sample_client.h

  private:
    std::unique_ptr<WorkerProcess> process_;
};

}  // namespace tritonsmith::run
