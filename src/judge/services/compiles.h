#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "plan/ir/plan.h"
#include "trace/compiler.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::judge {

/// The compiles of one candidate's kernels, begun while it is interpreted: a few at a time, those first that
/// are launched whatever a tuner chooses, within a budget that all of them share.
class Compiles {
  public:
    using Result = std::variant<trace::Compiled, Finding>;

    /// @param plan and `modules` of its kernels must outlive this. @param seconds of processor time for all
    /// @param at_a_time compiles
    Compiles(trace::Compiler& compiler, const plan::Plan& plan,
             const std::vector<std::shared_ptr<const ttir::Module>>& modules, double seconds, int at_a_time);
    /// Ends what is still under way.
    ~Compiles();
    Compiles(const Compiles&) = delete;
    Compiles& operator=(const Compiles&) = delete;

    /// Kernels in the order in which they are compiled.
    const std::vector<size_t>& order() const { return order_; }
    /// Waits for a kernel. @throws MachineError
    const Result& wait(size_t kernel);
    trace::CompileBudget& budget() { return budget_; }

  private:
    void work();
    Result compile(size_t kernel);

    trace::Compiler& compiler_;
    const plan::Plan& plan_;
    const std::vector<std::shared_ptr<const ttir::Module>>& modules_;
    trace::CompileBudget budget_;
    std::vector<size_t> order_;
    std::mutex mutex_;
    std::condition_variable changed_;
    size_t next_ = 0;  ///< in order_
    std::map<size_t, Result> results_;
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;
};

}  // namespace tritonsmith::judge
