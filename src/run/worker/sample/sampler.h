#pragma once

#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "run/client/sample_client.h"
#include "run/worker/sample/buffers/memory.h"
#include "run/worker/sample/completion.h"
#include "run/worker/sample/mutation.h"
#include "run/worker/sample/untouched.h"
#include "ttir/footprint/program_classes.h"

namespace tritonsmith::run::sample {

/// Programs of every launch of a full-size plan, at edges and random ones, interpreted in order with all
/// checks on. Outputs of theirs are what a real run leaves where they depend on inputs and weights alone;
/// whatever else is wanted is for Completion.
class Sampler {
  public:
    /// @param memory fresh; must outlive this
    Sampler(const Context& context, const SampleRun& run, const std::vector<plan::Executed>& steps,
            Memory& memory);

    struct Result {
        std::optional<Finding> finding, broken_promise;
        int64_t programs = 0;
        int launches = 0, launches_sampled = 0;
        /// By tensor: elements that programs of the sample have written, as they are in a real run, those
        /// that were asked for among them.
        std::vector<SampledTensor> tensors;
        /// By tensor: elements that others of the sample's programs may write.
        std::vector<std::vector<int64_t>> wanted;
        /// By tensor: elements that were asked for and are not there, although all programs that may write
        /// them have run.
        std::vector<std::set<int64_t>> missing;
        /// Elements that programs, or the host, have changed, of what must stay as it is.
        std::vector<std::pair<Kept, std::vector<int64_t>>> changed;
        std::vector<double> seconds;  ///< of a program of each launch, on all threads; below zero: none ran
    };
    Result run(std::mt19937_64& random);

  private:
    /// False where a finding ends the run. @param enough seconds after which few programs must do
    struct Ran {
        const plan::LaunchStep* launch;
        size_t number;
        std::vector<int64_t> programs;  ///< in the order in which they were begun
    };

    bool sample(size_t number, const plan::LaunchStep& launch, const plan::Step& step, double seconds,
                double enough, std::mt19937_64& random);
    std::vector<int64_t> choose(const plan::LaunchStep& launch, size_t number,
                                const std::vector<ttir::Argument>& arguments, std::mt19937_64& random);
    /// Programs that may write the elements that were asked for.
    std::vector<int64_t> producers(const plan::LaunchStep& launch, size_t number,
                                   const std::vector<ttir::Argument>& arguments);
    /// Programs that may write what must stay as it is.
    std::vector<int64_t> spoilers(const plan::LaunchStep& launch,
                                  const std::vector<ttir::Argument>& arguments, std::mt19937_64& random);
    struct Looked {
        size_t tensor;
        int64_t program;
        Untouched before;
    };
    std::vector<Looked> look_before(const plan::LaunchStep& launch,
                                    const std::vector<ttir::Argument>& arguments,
                                    const std::vector<int64_t>& programs, std::mt19937_64& random);
    void collect_untouched(size_t tensor, ttir::Buffer& buffer, bool right);
    void note_effects(const plan::LaunchStep& launch, bool complete, bool cut);
    void collect(std::mt19937_64& random);
    void collect_wanted(size_t tensor, ttir::Buffer& buffer);
    /// Elements of the tensor that the programs of a launch may have written.
    void collect_of(const Ran& ran, size_t tensor, ttir::Buffer& buffer, bool right, std::mt19937_64& random);
    /// Those that tell a program, or a round of one, from others (ttir/footprint/program_classes.h).
    void note_classes(const Ran& ran, const plan::Tensor& tensor,
                      const std::function<void(int64_t program, int64_t index)>& note) const;
    bool take(size_t tensor, ttir::Buffer& buffer, int64_t index, int64_t tile, bool of_sample);

    const Context& context_;
    const SampleRun& run_;
    const std::vector<plan::Executed>& steps_;
    Memory& memory_;
    std::vector<Kept> kept_;
    Result result_;
    std::vector<Ran> ran_;
    struct PlaceOfClass {
        int64_t program;
        ttir::ProgramOfClass::Place place;
    };
    std::map<size_t, std::vector<PlaceOfClass>> places_;  ///< by number of the launch
    struct Left {
        int64_t index, tile;
    };
    std::vector<std::vector<Left>> untouched_;  ///< by tensor
    struct Producers {
        size_t launch;
        std::vector<int64_t> programs;
    };
    std::vector<std::map<int64_t, Producers>> producers_;  ///< by tensor, of elements that were asked for
    std::map<int, int> writers_;                           ///< launches that wrote a buffer
    std::set<int> wrong_;  ///< buffers whose written elements need not be what a real run leaves
};

}  // namespace tritonsmith::run::sample
