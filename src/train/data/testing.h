#pragma once

#include <string>
#include <vector>

#include "base/process/files.h"
#include "text/tokenizer/testing.h"
#include "train/data/example.h"

namespace tritonsmith::train {

/// A folder with the tokenizer of single bytes and a chat template: <begin>role|content<end>, a line each.
struct SmallChat {
    TemporaryFolder folder;
    ExampleMaker maker = (write(folder.path()), ExampleMaker(folder.path()));

    static void write(const std::filesystem::path& folder) {
        write_file(folder / "tokenizer.json", text::small_tokenizer_json().dump());
        write_file(folder / "tokenizer_config.json", R"({"bos_token": "<begin>", "eos_token": "<end>"})");
        write_file(folder / "chat_template.jinja",
                   "{% for m in messages %}<begin>{{ m.role }}|{{ m.content }}<end>\n{% endfor %}"
                   "{% if add_generation_prompt %}<begin>assistant|{% endif %}");
    }
};

/// A chat row of one question and its answer.
inline std::string chat_row(const std::string& question, const std::string& answer) {
    return Json{{"messages",
                 {{{"role", "user"}, {"content", question}}, {{"role", "assistant"}, {"content", answer}}}}}
        .dump();
}

}  // namespace tritonsmith::train
