#include "text/prompt/prompt_form.h"

#include "base/json.h"
#include "base/process/files.h"
#include "text/fields.h"

namespace tritonsmith::text {

PromptForm prompt_form_of(const std::filesystem::path& folder) {
    const std::filesystem::path path = folder / prompt_form_file;
    if (!std::filesystem::exists(path)) return PromptForm::full;
    const std::optional<Json> json = parse_untrusted_json(read_file(path, path.string(), 1 << 16));
    if (!json) throw InputError(path.string() + ": is not valid JSON");
    const Field prompt = Field(*json, path.string()).object().at("prompt");
    if (prompt.string() == "full") return PromptForm::full;
    if (prompt.string() == "brief") return PromptForm::brief;
    prompt.fail("must be \"full\" or \"brief\"");
}

}  // namespace tritonsmith::text
