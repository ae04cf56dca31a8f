#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/process/process.h"
#include "numerics/precision.h"
#include "numerics/tolerance.h"
#include "run/client/client.h"

/// Client side of a worker's sessions (docs/protocols.md, sessions): plans at full size, on a device. No
/// torch.
namespace tritonsmith::run {

/// A pack in the memory of a device, or in a file of memory: only its names and shapes are known here.
struct RemotePack {
    Fd fd;
    Json where;  ///< {"index","bytes"}
};

struct GivenInputs {
    RemotePack pack;
    bool kept = false;  ///< the worker keeps them: whoever else keeps them costs no more memory
};

/// A kernel as the launcher takes it: the compiler's answer without the cubin, which lies in `cubins`.
struct DeviceKernels {
    Json kernels = Json::array();  ///< one for each of the plan's; null where it was left out
    std::vector<uint8_t> cubins;
};

struct DeviceSet {
    uint64_t seed = 0;
    Variant variant;
    bool wide = false;  ///< held to no more than the conditioning of the formula allows
    /// Where it is not the inputs': sets that one module is called on have the same weights.
    std::optional<uint64_t> weights_seed = std::nullopt;
};
struct OpenReference {
    const plan::Plan* plan = nullptr;
    std::vector<DeviceSet> sets;
    numerics::Tolerance tolerance;
    numerics::Precision precision = numerics::Precision::defaults;
    int64_t budget_bytes = int64_t{8} << 30;  ///< of the device's memory, for what is expected
    double deadline_s = 300;
};
struct OpenedReference {
    int session = 0;
    std::vector<bool> finite;  ///< for each set; a set that is not is of no use
    /// For each set: outputs whose bound says nothing on it. They are not compared.
    std::vector<std::vector<std::string>> left_out;
    bool random = false;
    bool stateful =
        false;  ///< an answer depends on the calls before: that of a set is of its place among them
    std::vector<std::string> mutated, rounding;
    int64_t longest_reduction = 1, expected_bytes = 0;
    int spilled = 0;  ///< sets whose expected outputs lie in the CPU's memory
    double seconds = 0;
    Json parts;  ///< seconds of each part, for each set
};
struct OpenCandidate {
    const plan::Plan* plan = nullptr;
    uint64_t seed = 0;
    std::map<std::string, std::string> links;
    uint64_t linked_seed = 0;  ///< as CandidateRequest's: the weights' of all sets that it will be run on
    const DeviceKernels* kernels = nullptr;
    numerics::Precision precision = numerics::Precision::defaults;  ///< of what PyTorch's libraries compute
    double deadline_s = 60;
};
struct DeviceRun {
    RemotePack outputs;  ///< no descriptor where a finding came before
    std::vector<Finding> findings, warnings;
    std::vector<std::string> mutated;
    bool tf32 = false;
    double seconds = 0;
};
/// Whether a run calls the module that the run before kept, on the memory that it left, and keeps it for the
/// next one. Where there is none (a call ended the life of what it is made of) it is new.
struct KeptModule {
    bool same = false, keep = false;
    bool kept_buffers = false;  ///< CandidateRequest::kept_buffers
};
struct ComparedOutput {
    std::string name;
    Json mismatch;  ///< null, or {"index","expected","found","allowed","rms","out_of_bound","elements"}
    int64_t elements = 0;
    double worst_error = 0, worst_ratio = 0;
};
struct ComparedAnswer {
    std::vector<ComparedOutput> outputs;
    std::vector<std::string> missing;  ///< absent, or of another shape
};
struct Prepared {
    bool graph = false;
    bool computes_at_construction = false;
};
struct TimedBlock {
    std::vector<double> ms;
    struct Kept {
        int sample = 0;
        size_t set = 0;  ///< ordinal among the prepared sets
        RemotePack outputs;
    };
    std::vector<Kept> kept;
};
template <class T>
using Answer = std::variant<T, WorkerError>;

/// A worker that holds sessions. Where the process was replaced, its sessions are gone: `generation` tells.
/// Not thread-safe.
class DeviceWorker {
  public:
    /// @param device "cuda:0" or "cpu"; program: of the worker for it. @param sandbox false: it is not
    /// confined
    DeviceWorker(std::string program, const std::string& device, bool sandbox = true);
    ~DeviceWorker();

    Answer<OpenedReference> open(const OpenReference& request);
    Answer<int> open(const OpenCandidate& request);
    Answer<GivenInputs> inputs(int session, size_t set);
    /// In the CPU's memory.
    Answer<Pack> host_inputs(int session, size_t set);
    Answer<DeviceRun> run(int session, const RemotePack& inputs, const std::vector<int>& choice, int calls,
                          double deadline_s, KeptModule module = {});
    Answer<ComparedAnswer> compare(int session, size_t set, const RemotePack& outputs);
    Answer<ComparedAnswer> compare(int session, size_t set, const Pack& outputs);
    /// A candidate's timed calls. @param prepack what its construction computes is not part of them
    Answer<Prepared> prepare(int session, const std::vector<RemotePack>& sets, const std::vector<int>& choice,
                             bool prepack, double deadline_s);
    /// A reference's.
    Answer<Prepared> prepare(int session, const std::vector<size_t>& sets, numerics::Precision precision,
                             double deadline_s);
    Answer<TimedBlock> time(int session, int samples, const std::vector<int>& keep, double deadline_s);
    /// Of a reference: frees what prepare() has made.
    void release(int session);
    void close(int session);
    /// {"name","memory","free"…} once the device is ready. Waits for it.
    Answer<Json> device();

    int generation() const;
    /// One that died while nobody used it is started again.
    void revive();

  private:
    Answer<ComparedAnswer> compare(const Json& request, int fd);
    void tell(const std::string& what, int session);
    std::unique_ptr<WorkerProcess> process_;
};

}  // namespace tritonsmith::run
