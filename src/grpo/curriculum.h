#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "base/error.h"
#include "grpo/sample.h"
#include "grpo/settings.h"
#include "grpo/task_order.h"

namespace tritonsmith::grpo {

/// How hard tasks are, as the run measures it, and what follows for which are asked: tasks whose measured
/// pass rate is out of a range are asked seldom, and a source may open only when the one before it is
/// mastered. Measurements are kept in the run's folder, one line a step, of several processes each its own;
/// they change what is asked from the next step on.
class Curriculum {
  public:
    /// @param sizes tasks of each source @param step that the run goes on from: later lines are removed
    /// @param settings must outlive it @throws InputError for lines of other sources, MachineError
    Curriculum(const Settings& settings, const std::vector<size_t>& sizes, int64_t step, int rank, int count);

    /// Whether the task of this draw is to be left out. Most of what is drawn may be: the caller gives up
    /// asking after some draws.
    bool leaves_out(const TaskOrder::Place& place) const;
    /// Of each source: its weight, or 0 while it is closed.
    std::vector<double> weights() const;

    /// Remembers the pass rates of a step's groups. @param places of the groups @param sum_of_all adds up a
    /// number over processes: source by source
    void learn(int64_t step, const std::vector<Group>& groups,
               const std::function<double(double)>& sum_of_all);

    /// "open" sources, and the pass "rates" of each that was asked, by name.
    Json metrics() const;

  private:
    struct Rate {
        double value = 0;
        bool known = false;
        void add(double rate, double weight);
    };
    void apply(const Json& line);
    void read(int64_t step);

    const Settings& settings_;
    std::filesystem::path path_;
    std::vector<std::vector<Rate>> tasks_;  ///< of each source
    std::vector<Rate> sources_;
};

}  // namespace tritonsmith::grpo
