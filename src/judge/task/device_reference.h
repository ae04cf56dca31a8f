#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/process/deaths.h"
#include "judge/services/device_services.h"
#include "judge/services/worker_findings.h"
#include "judge/task/scaled_task.h"
#include "judge/timing/timing_statistics.h"
#include "judge/verdict/options.h"
#include "plan/ir/plan.h"

namespace tritonsmith::judge {

/// A task's reference at full size on the device: hidden inputs and what is expected of them, made once and
/// kept for all candidates. Thread-safe.
class DeviceReference {
  public:
    /// @param plan of the reference as PyTorch runs it on the device. @param small the task at its small
    /// size: of other sets than the task's own inputs the device sees what the reference took there. @param
    /// services must outlive this
    DeviceReference(plan::Plan plan, std::shared_ptr<const ScaledTask> small, DeviceServices& services,
                    const Options& options);
    ~DeviceReference();

    /// A set of inputs whose expected outputs are known.
    struct Set {
        size_t index = 0;    ///< in the worker's session
        bool timed = false;  ///< timed calls take these in turn
        std::string variant;
    };
    /// Computed where they are not, or where the worker that held them died. Finding: task_error,
    /// task_random, unsupported_operation. @throws MachineError
    std::optional<Finding> ensure(DeviceServices::ReferenceLease& lease);
    int session() const { return session_; }
    /// Of all sets.
    uint64_t weights_seed() const { return seed_; }
    /// Copies: another candidate may have it opened again meanwhile.
    std::vector<Set> sets() const;
    run::OpenedReference opened() const;
    /// The reference faults on another set of inputs, on this device: all others are left out.
    bool own_sets_only() const;
    /// A set's inputs and weights: asked for once, then known to all candidates, where the worker keeps them.
    /// Finding: as ensure()
    std::optional<Finding> inputs(const Set& set, run::RemotePack& pack);
    /// How a candidate's outputs differ from what is expected of a set. Finding: as ensure()
    std::variant<run::ComparedAnswer, Finding> compare(size_t set, const run::RemotePack& outputs);
    /// Asks the worker for something about this reference, which is opened where it is not; again where the
    /// worker died meanwhile (base/process/deaths.h). @param what is asked for: said where it fails. Finding:
    /// as ensure().
    /// @throws MachineError where it dies each time
    template <class Ask>
    auto ask(const std::string& what, Ask ask) {
        using Good = std::variant_alternative_t<0, decltype(ask(std::declval<run::DeviceWorker&>()))>;
        using Answer = std::variant<Good, Finding>;
        using Outcome = std::variant<Good, Finding, run::WorkerError>;
        DeviceServices::ReferenceLease lease(services_);
        Outcome outcome = ask_while_it_dies(
            [&]() -> Outcome {
                if (auto finding = ensure(lease)) return *std::move(finding);
                auto answer = ask(lease.worker());
                if (auto* error = std::get_if<run::WorkerError>(&answer)) return std::move(*error);
                return std::get<Good>(std::move(answer));
            },
            [](const Outcome& answer) { return worker_died(answer); });
        if (auto* good = std::get_if<Good>(&outcome)) return Answer(std::move(*good));
        if (auto* finding = std::get_if<Finding>(&outcome)) return Answer(std::move(*finding));
        const auto& error = std::get<run::WorkerError>(outcome);
        if (worker_died(outcome))
            throw MachineError("the worker that holds the references dies: " + error.message);
        return Answer(reference_finding(error, what));
    }
    /// Gives its memory on the device back; under the reference's lease.
    void close(DeviceServices::ReferenceLease& lease);
    /// Inputs, weights and outputs together.
    int64_t bytes() const { return bytes_; }
    /// When the memory of the device was out: closes all references. @param what was said of it @throws
    /// MachineError where most of the memory is held by others even then
    void expect_room(const std::string& what);
    /// So large that a candidate gets the device's memory for itself.
    bool large() const;

    /// What was prepared for timing, so that it is not prepared again for the next candidate.
    struct Prepared {
        int generation = 0;  ///< of the worker; 0: nothing is prepared
        bool graph = false;
        Estimate eager;                          ///< of its timed calls, the last time
        std::map<std::string, Estimate> others;  ///< in other precisions, by the baseline's name
    } prepared;

  private:
    std::optional<Finding> open(DeviceServices::ReferenceLease& lease,
                                const std::vector<run::DeviceSet>& sets);
    /// Closes others, the longest unused first, until that many bytes are free, or none is left. @return
    /// bytes that are free
    int64_t make_room(DeviceServices::ReferenceLease& lease, int64_t bytes);

    const plan::Plan plan_;
    const std::shared_ptr<const ScaledTask> small_;
    DeviceServices& services_;
    const numerics::Tolerance tolerance_;
    const numerics::Precision precision_;
    const uint64_t seed_;
    int64_t bytes_ = 0;
    int session_ = 0, generation_ = 0;
    mutable std::mutex mutex_;  ///< of what follows, which is written under the lease
    std::vector<Set> sets_;
    run::OpenedReference opened_;
    bool own_only_ = false;
    std::map<size_t, run::RemotePack> given_;  ///< by the set's index
    std::optional<Finding> failed_;            ///< the task cannot be judged on this device: not tried again
};

}  // namespace tritonsmith::judge
