#include "text/prompt/prompt_form.h"

#include "base/json.h"
#include "base/process/files.h"
#include "text/fields.h"

namespace tritonsmith::text {

namespace {

std::string file_of(const std::filesystem::path& folder) {
    return (folder / prompt_form_file).string();
}

/// The file's object; empty where there is no file.
Json read(const std::filesystem::path& folder) {
    const std::string path = file_of(folder);
    if (!std::filesystem::exists(path)) return Json::object();
    std::optional<Json> json = parse_untrusted_json(read_file(path, path, 1 << 16));
    if (!json) throw InputError(path + ": is not valid JSON");
    Field(*json, path).object();
    return std::move(*json);
}

}  // namespace

PromptForm prompt_form_of(const std::filesystem::path& folder) {
    const Json json = read(folder);
    if (!std::filesystem::exists(file_of(folder))) return PromptForm::full;
    const Field prompt = Field(json, file_of(folder)).at("prompt");
    if (prompt.string() == "full") return PromptForm::full;
    if (prompt.string() == "brief") return PromptForm::brief;
    prompt.fail("must be \"full\" or \"brief\"");
}

std::optional<double> temperature_of(const std::filesystem::path& folder) {
    const Json json = read(folder);
    const Field fields(json, file_of(folder));
    if (!fields.has("temperature")) return std::nullopt;
    const Field temperature = fields.at("temperature");
    if (!temperature.json().is_number()) temperature.fail("must be a number");
    const double value = temperature.json().get<double>();
    if (!(value >= 0 && value <= 2)) temperature.fail("must be from 0 to 2");
    return value;
}

}  // namespace tritonsmith::text
