#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "plan/analysis/flow.h"
#include "run/worker/sample/buffers/constants.h"
#include "run/worker/sample/buffers/memory.h"
#include "run/worker/sample/kernels.h"
#include "ttir/footprint/footprint.h"
#include "ttir/interp/interpreter.h"

namespace tritonsmith::run::sample {

/// A launch as the search for programs sees it (closure.h).
struct Launch {
    const plan::LaunchStep* step = nullptr;
    int line = 0;
    double seconds = -1;  ///< of one program; below zero: not known
    std::vector<ttir::Argument> arguments;
    std::set<const ttir::Buffer*> writes;
    std::unique_ptr<ttir::Footprint> footprint;  ///< null: it touches nothing of interest

    int64_t programs() const { return step->grid[0] * step->grid[1] * step->grid[2]; }
};

/// A step of a run, in order.
struct Event {
    int launch = -1;  ///< index into Events::launches
    std::optional<Copy> copy;
    std::optional<plan::Tensor> filled;  ///< with the one element
    std::vector<std::byte> element;
    std::vector<const ttir::Buffer*> made;    ///< known from here on, whatever was before
    std::vector<const ttir::Buffer*> spoilt;  ///< not known from here on
};

/// What happens in a run of the plan, and memory in which none of its launches has run yet. What PyTorch does
/// to buffers that no launch has been given yet is done already, where it is known; copies and fills behind
/// that are events, and all else spoils what it writes.
class Events {
  public:
    /// @param memory fresh; must outlive this
    /// @param seconds a program of each launch takes, in order
    Events(const std::vector<plan::Executed>& steps, const std::vector<bool>& skip_kernels, Kernels& kernels,
           Memory& memory, const std::vector<double>& seconds);

    /// False where what programs touch cannot be known: nothing may be asked of the footprints.
    bool followed() const { return followed_; }
    const std::vector<Event>& events() const { return events_; }
    const std::vector<Launch>& launches() const { return launches_; }
    ttir::Buffer* buffer(int id) const { return memory_.buffer(id); }

  private:
    void host_step(const plan::AtenStep& aten, plan::Phase phase, Event& event);
    void launch_step(const plan::LaunchStep& launch, const plan::Step& step, double seconds, Event& event);
    void add_footprints();

    Kernels& kernels_;
    Memory& memory_;
    std::vector<Event> events_;
    std::vector<Launch> launches_;
    std::set<int> interesting_;  ///< buffers whose contents depend on what runs
    std::set<int> late_;         ///< buffers that events change or launches are given
    bool followed_ = true;
};

}  // namespace tritonsmith::run::sample
