#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plan/analysis/flow.h"
#include "plan/ir/plan.h"
#include "run/worker/memory/memory.h"

/// Values that come from outside of a plan: its inputs, and the reference's weights for the candidate's.
namespace tritonsmith::run {

/// Values by name ("input/0", "weight/linear.weight"), contiguous; nothing where there are none.
using ValueOf = std::function<std::optional<at::Tensor>(const std::string& name)>;

/// Fills the plan's input buffers, which are made where they are not live. @throws InputError naming the
/// input that has no values, StepError plan_invalid where their shape is another
void fill_inputs(const plan::Plan& plan, const ValueOf& values, Memory& memory);

/// The same for a further call of a module, after Executor::rewind: its inputs are tensors of their own, so
/// that some calls find theirs where the call before had them, and some do not.
void refill_inputs(const plan::Plan& plan, const ValueOf& values, Memory& memory);

/// Gives a candidate's weights the reference's values, after each of their initialising writes.
class LinkedWeights {
  public:
    /// @param links candidate weight → reference weight (plan/weights/link.h). @throws InputError
    LinkedWeights(const plan::Plan& plan, const ValueOf& values,
                  const std::map<std::string, std::string>& links, const plan::KernelEffects& effects,
                  Memory& memory);
    /// To be called after each step of the init phase.
    void after(int step);

  private:
    Memory& memory_;
    std::multimap<int, std::function<void()>> after_;
};

/// "draw/5" → "draw/2" among the links: ordinals of init draws.
std::map<int, int> draw_links(const std::map<std::string, std::string>& links);

/// All bytes of a buffer.
plan::Tensor whole_buffer(const plan::Plan& plan, int buffer);

/// The inputs that a call may change, as far as its steps tell: "input/0".
std::vector<std::string> written_inputs(const plan::Plan& plan, const plan::KernelEffects& effects);

}  // namespace tritonsmith::run
