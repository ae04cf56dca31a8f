#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "run/client/client.h"
#include "run/client/pack_writer.h"
#include "run/worker/memory/memory.h"
#include "run/worker/memory/values.h"

namespace tritonsmith::run {

using NamedTensors = std::vector<std::pair<std::string, plan::Tensor>>;

/// "input/0" … in the order of the plan's inputs, "weight/name", "output/0" …
NamedTensors input_tensors(const plan::Plan& plan);
NamedTensors weight_tensors(const plan::Plan& plan);
NamedTensors output_tensors(const plan::Plan& plan);
/// What a candidate is given of a reference: its inputs, then its weights.
NamedTensors given_tensors(const plan::Plan& plan);

/// Copies the tensors' values, contiguous, into `writer`, which is mapped afterwards. @throws StepError
void write_pack(PackWriter& writer, const NamedTensors& tensors, Memory& memory);

/// A contiguous tensor over a pack's entry. Read-only memory: never write to it.
at::Tensor tensor_of(const Pack& pack, const PackEntry& entry);
/// Those of a pack, which must outlive what it returns.
ValueOf values_of(const Pack& pack);

/// The tensors whose bytes differ from what they were. @param before the values of tensors[i], contiguous and
/// in its dtype
std::vector<std::string> changed_since(const std::function<at::Tensor(size_t i)>& before,
                                       const NamedTensors& tensors, Memory& memory);

/// The outputs, and after them the inputs named in `changed`, which an in-place task is about as well.
NamedTensors results(const plan::Plan& plan, const std::vector<std::string>& changed);

/// Buffers of the module that its calls keep up (running statistics), by the reference's names: what a call
/// leaves in them is among its results, unless they are large (caches, which later calls show). @param links
/// candidate weight → reference weight; null: the plan is the reference's
NamedTensors kept_buffers(const plan::Plan& plan, const plan::KernelEffects& effects,
                          const std::map<std::string, std::string>* links = nullptr);
/// The same tensors of another form of the plan (plan/transform).
NamedTensors kept_buffers_of(const plan::Plan& transformed, const NamedTensors& kept);

/// Which of the buffers that its calls may keep up a module does keep up: those that its first call changes.
class KeptUp {
  public:
    KeptUp() = default;
    /// To be made before the first call.
    KeptUp(NamedTensors kept, Memory& memory);
    /// To be called after it.
    void see(Memory& memory);
    /// Those that are there.
    NamedTensors live(const Memory& memory) const;

  private:
    NamedTensors kept_;
    std::vector<at::Tensor> before_;
};

/// `more` behind `tensors`.
NamedTensors with(NamedTensors tensors, const NamedTensors& more);

}  // namespace tritonsmith::run
