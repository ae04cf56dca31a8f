#include "run/worker/sessions/findings.h"

#include "run/worker/memory/tensor_packs.h"

namespace tritonsmith::run {

/// Outputs that no step wrote completely.
std::vector<Finding> unwritten_outputs(const plan::Plan& plan, Memory& memory) {
    std::vector<Finding> out;
    for (const auto& [name, tensor] : output_tensors(plan)) {
        Memory::Unwritten missing = memory.unwritten(tensor);
        if (missing.count == 0) continue;
        out.push_back(
            {"uninitialised_output",
             name + ": " + std::to_string(missing.count) +
                 " elements were never written, the first is element " + std::to_string(missing.first),
             plan.buffers[static_cast<size_t>(tensor.buffer)].line,
             Json{{"elements", missing.count}, {"index", missing.first}, {"shape", tensor.shape}}, name});
    }
    return out;
}

}  // namespace tritonsmith::run
