#pragma once

#include <filesystem>
#include <optional>

namespace tritonsmith::text {

/// What a model is told besides the task.
enum class PromptForm {
    full,   ///< the judge's requirements and a worked example: for models that were trained on many things
    brief,  ///< nothing: for models that were trained to answer tasks, and nothing else
};

/// What FOLDER/tritonsmith.json says, {"prompt": "full" | "brief"}; full where there is no such file.
/// @throws InputError that names the file and the field
PromptForm prompt_form_of(const std::filesystem::path& folder);

/// The temperature at which the model is sampled where nobody names one, {"temperature": 0 to 2} in the same
/// file.
/// @throws InputError that names the file and the field
std::optional<double> temperature_of(const std::filesystem::path& folder);

/// The file's name, for those who copy a model.
constexpr const char* prompt_form_file = "tritonsmith.json";

}  // namespace tritonsmith::text
