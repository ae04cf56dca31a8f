#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "plan/ir/plan.h"
#include "run/client/issued_kernels.h"
#include "run/draw/leaves.h"

/// Sampled programs of a candidate's plan at full size, interpreted in a worker (docs/protocols.md,
/// "sample"). The request says how inputs and weights are made and which elements are wanted, never what
/// they should be.
namespace tritonsmith::run {

/// A tensor of the candidate's whose elements are wanted.
struct SampleTensor {
    std::string name;  ///< "output/0", "input/1"
    /// Somebody compares its elements: programs are run together for them. Else it is only looked at whether
    /// they are written at all.
    bool comparable = true;
};

/// One sample: of one draw of inputs and weights, and of one alternative at each choice.
struct SampleRun {
    Leaves::Options leaves;
    std::vector<int> choice;  ///< alternative taken at each choice step; missing entries: 0
    /// Linear indices, by tensor of SampleRequest::tensors: drawn over the whole tensor by whoever asks, and
    /// looked at in this order, whoever writes them.
    std::vector<std::vector<int64_t>> elements;
    /// Budget for all launches together. All budgets are processor time of one thread.
    double seconds = 2;
    /// Of all launches together: beyond it, a launch gets no more than the least number of programs.
    double enough_seconds = 0.08;
    int least_programs = 6;
    /// At edges, of rare classes, and random ones; 0: as few as the elements need.
    int programs_per_launch = 16;
    /// What the programs that an output's elements depend on may take, by what those of the sample took
    /// (completion.h); six times that for one element alone.
    double completion_seconds = 0.04;
    bool optional = false;       ///< SampleRequest::optional_seconds
    bool keep_promises = false;  ///< ttir::LaunchOptions::keep_promises
};

struct SampleRequest {
    const plan::Plan* leaves = nullptr;  ///< leaf_plan of the reference
    std::string leaves_id;               ///< names it: the same for all candidates of a task
    const plan::Plan* plan = nullptr;
    std::map<std::string, std::string> links;
    IssuedKernels issued;            ///< AsCompiled::issued
    std::vector<bool> skip_kernels;  ///< kernels that do not fit the target (autotune drops them)
    std::vector<SampleTensor> tensors;
    /// Inputs and weights ("input/0", "weight/running_mean") that the reference changes as well; all others
    /// must stay as they are (input_mutated).
    std::vector<std::string> may_change;
    std::vector<SampleRun> runs;
    /// Optional runs are left out (an empty answer) once those before them have taken as long.
    double optional_seconds = 0;
    /// Launches of these kernels, whose programs wait for others, must end on a device that does not hold all
    /// of them at once.
    std::set<std::string> resident_kernels;
    Leaves::Options resident_leaves;
    double resident_seconds = 10;  ///< beyond it nothing is known
    bool handed_on = false;        ///< what launches leave for later ones (SampleResult::handed_on)
    double handed_on_seconds = 60;
    int threads = 0;  ///< 0: as many as the machine has
};

/// An element as the candidate's programs leave it.
struct SampledElement {
    int64_t index = 0;  ///< linear
    uint64_t bits = 0;  ///< its bytes, little-endian
    /// Names the program that writes it; -1: not known, or none.
    int64_t tile = -1;
    bool of_sample = false;  ///< not one of those that were asked for: programs of the sample wrote it
};
struct SampledTensor {
    std::vector<SampledElement> elements;
    int64_t looked_at = 0;  ///< wanted elements of which it is known whether some launch may write them
    int64_t unwritten = 0;  ///< those that none writes
    int64_t tiles = 0;      ///< programs of the launches that write the tensor
};
struct SampleRunResult {
    std::vector<Finding> findings;  ///< the first one ends the run, and all later ones
    int64_t programs = 0;
    int launches = 0, launches_sampled = 0;
    std::optional<Finding>
        broken_promise;                  ///< a promise that does not hold, perhaps in lanes that do not count
    std::vector<SampledTensor> tensors;  ///< as in the request
};
/// A buffer of the program's own that launches write and others read, found from the addresses that programs
/// may touch. Left out: what PyTorch's operators read or write, but for a fill.
struct HandedOn {
    std::string kernel;          ///< its first writer,
    int argument = 0, line = 0;  ///< which of its arguments, and where it is launched
    int64_t bytes = 0;
    int64_t unwritten = 0;  ///< of them, as many that some launch may read and surely none writes
    double unread = 0;      ///< the share, of places drawn, that may be written and surely nobody reads
};
struct SampleResult {
    std::vector<HandedOn> handed_on;
    std::optional<Finding> residency;  ///< it ends the request
    std::vector<SampleRunResult> runs;
    double seconds = 0;
};

/// The messages of the request. @throws Json::exception, InputError
Json to_json(const SampleRequest& request);
Json to_json(const SampleResult& result);
SampleResult sample_result_from(const Json& json);
/// A request with the plans that it points to.
struct OwnedSampleRequest {
    plan::Plan leaves, plan;
    SampleRequest request;
};
OwnedSampleRequest sample_request_from(const Json& json);

}  // namespace tritonsmith::run
