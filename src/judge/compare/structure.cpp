#include "judge/compare/structure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.h"
#include "plan/ir/json.h"

namespace tritonsmith::judge {

namespace {

std::string joined(const plan::List& items, const char* open, const char* close) {
    std::string text = open;
    for (size_t i = 0; i < items.size(); i++) text += (i ? ", " : "") + structure(items[i]);
    return text + close;
}

}  // namespace

std::string structure(const plan::Value& value) {
    if (auto* tensor = std::get_if<plan::Tensor>(&value.v))
        return fmt::format("{}[{}]", plan::dtype_name(tensor->dtype), fmt::join(tensor->shape, ","));
    if (auto* sequence = std::get_if<plan::Sequence>(&value.v)) return joined(sequence->items, "(", ")");
    if (auto* dict = std::get_if<plan::Dict>(&value.v)) {
        std::string text = "{";
        for (const auto& [key, item] : dict->items) text += key + ": " + structure(item) + ", ";
        return text + "}";
    }
    return dump(plan::to_json(value));
}

namespace {

/// Buffers of the device that computes nothing have addresses; those of the host, and of no device, have
/// none.
bool on_device(const plan::Plan& plan, const plan::Tensor& tensor) {
    const plan::Buffer& buffer = plan.buffers[static_cast<size_t>(tensor.buffer)];
    return buffer.address != 0 || buffer.bytes == 0;
}

}  // namespace

std::optional<Finding> compare_structure(const plan::Plan& reference, const plan::Plan& candidate) {
    std::string want = structure(reference.output), got = structure(candidate.output);
    if (want == got) {
        const std::vector<plan::Tensor> theirs = plan::tensors_in(reference.output),
                                        ours = plan::tensors_in(candidate.output);
        for (size_t i = 0; i < ours.size(); i++)
            if (on_device(reference, theirs[i]) && !on_device(candidate, ours[i]))
                return Finding{"output_structure", fmt::format("output {} does not lie on the device", i), 0,
                               Json::object(), fmt::format("output/{}", i)};
        return std::nullopt;
    }
    return Finding{"output_structure",
                   fmt::format("the candidate returns {}, the reference returns {}", got, want),
                   0,
                   {{"expected", want}, {"found", got}}};
}

}  // namespace tritonsmith::judge
