#include "run/findings.h"

#include "run/tensor_packs.h"

namespace tritonsmith::run {
namespace {

Json finding_json(const Finding& finding) {
    return {{"reason", finding.reason},
            {"message", finding.message},
            {"line", finding.line},
            {"evidence", finding.evidence}};
}

}  // namespace

Json findings_json(const std::vector<Finding>& findings) {
    Json out = Json::array();
    for (const Finding& finding : findings) out.push_back(finding_json(finding));
    return out;
}

/// Outputs that no step wrote completely.
std::vector<Finding> unwritten_outputs(const plan::Plan& plan, Memory& memory) {
    std::vector<Finding> out;
    for (const auto& [name, tensor] : output_tensors(plan)) {
        Memory::Unwritten missing = memory.unwritten(tensor);
        if (missing.count == 0) continue;
        out.push_back({"uninitialised_output",
                       name + ": " + std::to_string(missing.count) +
                           " elements were never written, the first is element " +
                           std::to_string(missing.first),
                       plan.buffers[static_cast<size_t>(tensor.buffer)].line,
                       Json{{"output", name},
                            {"elements", missing.count},
                            {"index", missing.first},
                            {"shape", tensor.shape}}});
    }
    return out;
}

}  // namespace tritonsmith::run
