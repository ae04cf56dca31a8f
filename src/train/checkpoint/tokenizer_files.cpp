#include "train/checkpoint/tokenizer_files.h"

#include <fmt/format.h>

#include "base/error.h"
#include "text/prompt/prompt_form.h"

namespace tritonsmith::train {

namespace fs = std::filesystem;

void copy_tokenizer(const fs::path& from, const fs::path& to) {
    for (const char* name :
         {text::prompt_form_file, "tokenizer.json", "tokenizer_config.json", "vocab.json", "merges.txt",
          "added_tokens.json", "chat_template.jinja", "special_tokens_map.json", "generation_config.json"}) {
        std::error_code error;
        if (!fs::exists(from / name, error)) continue;
        fs::copy_file(from / name, to / name, error);
        if (error)
            throw MachineError(fmt::format("cannot copy {} to {}: {}", name, to.string(), error.message()));
    }
}

}  // namespace tritonsmith::train
