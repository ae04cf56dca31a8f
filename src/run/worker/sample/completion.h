#pragma once

#include <map>
#include <optional>
#include <random>
#include <vector>

#include "run/client/sample_client.h"
#include "run/worker/sample/buffers/memory.h"
#include "run/worker/sample/closure.h"

namespace tritonsmith::run::sample {

/// What the samples of one request share.
struct Context {
    const OwnedSampleRequest& owned;
    const SampleRequest& request;
    Kernels& kernels;
    std::vector<std::optional<plan::Tensor>> tensors;  ///< of SampleRequest::tensors

    const plan::Plan& plan() const { return owned.plan; }
    int threads() const;
    bool skipped(int kernel) const;
    /// How a kernel's programs are run, with all checks.
    ttir::LaunchOptions launch_options(const SampleRun& run, int kernel, double seconds,
                                       std::mt19937_64& random) const;
};
/// The first promise that a launch has broken.
std::optional<Finding> broken_promise(const ttir::LaunchReport& report);

/// Elements of the candidate's tensors as a run of all programs leaves them, whoever writes them: just the
/// programs on which they depend are run, on fresh memory (closure.h). As many elements as there is time for,
/// in the order in which they are wanted; where even one takes too long, or it cannot be known what it
/// depends on, none. Of the others it is looked at whether any launch may write them.
class Completion {
  public:
    /// @param memory fresh; must outlive this
    /// @param seconds that a program of each launch takes
    Completion(const Context& context, const SampleRun& run, const std::vector<plan::Executed>& steps,
               Memory& memory, const std::vector<double>& seconds);

    const Events& events() const { return events_; }

    struct Result {
        int64_t programs = 0;
        std::optional<Finding> finding, broken_promise;
        std::vector<SampledTensor> tensors;
    };
    struct Wanted {
        std::string name;
        plan::Tensor tensor;
        bool comparable = true;
        std::vector<int64_t> elements;  ///< linear
        std::set<int64_t> of_sample;    ///< of these, those that were not drawn over the whole tensor
        std::set<int64_t> only_look;    ///< of these, those for which no programs are run
    };
    Result run(const std::vector<Wanted>& wanted, std::mt19937_64& random);

  private:
    struct Target {
        size_t tensor;
        int64_t index;
        int64_t tile;
    };
    struct State {
        bool open = true;  ///< programs may still be run for it
        int failures = 0, taken = 0;
        std::set<int> launches;  ///< that write it
    };

    void look_at(const Wanted& wanted, size_t tensor, int64_t index, State& state, SampledTensor& out);
    std::optional<Selection> affordable(const ttir::BufferBytes& wanted, bool comparable, State& state);
    bool run_selected(Result& result, std::mt19937_64& random);
    bool run_launch(size_t index, const std::set<int64_t>& programs, Result& result, std::mt19937_64& random);
    void run_host_event(const Event& event, const ttir::ByteRanges& bytes);
    void read(const Wanted& wanted, const Target& target, Result& result);

    const Context& context_;
    const SampleRun& run_;
    Memory& memory_;
    Events events_;
    Closure closure_;
    Selection selection_;
    double left_;  ///< seconds
    std::vector<Target> targets_;
};

}  // namespace tritonsmith::run::sample
