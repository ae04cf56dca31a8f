#include "judge/structure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plan/json.h"

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
    return plan::to_json(value).dump();
}

std::optional<Finding> compare_structure(const plan::Plan& reference, const plan::Plan& candidate) {
    std::string want = structure(reference.output), got = structure(candidate.output);
    if (want == got) return std::nullopt;
    return Finding{"output_structure",
                   fmt::format("the candidate returns {}, the reference returns {}", got, want),
                   0,
                   {{"expected", want}, {"found", got}}};
}

}  // namespace tritonsmith::judge
