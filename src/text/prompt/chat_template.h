#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace tritonsmith::text {

/// One message of a conversation: "system", "user" or "assistant".
struct Message {
    std::string role, content;
};

/// The chat template of a model: the part of Jinja that Hugging Face's templates use (for, if, set, macros,
/// filters, tests, namespaces, slices, `raise_exception`, `strftime_now`, whitespace control), with
/// trim_blocks and lstrip_blocks as there. Time, memory and output of a rendering are bounded.
/// Immutable: any number of threads may use one.
class ChatTemplate {
  public:
    /// FOLDER/chat_template.jinja, else `chat_template` of FOLDER/tokenizer_config.json ("default" where
    /// there are several).
    /// @throws InputError that names the file, the template's line and the fix
    static ChatTemplate load(const std::filesystem::path& folder);
    /// @param special `bos_token`, `eos_token` and others that templates name
    static ChatTemplate parse(std::string_view source, Json special = Json::object());
    ~ChatTemplate();
    ChatTemplate(ChatTemplate&&) noexcept;
    ChatTemplate& operator=(ChatTemplate&&) noexcept;

    /// JSON whose objects keep their order: `tojson` prints members in the caller's order.
    using OrderedJson = nlohmann::ordered_json;

    /// @param messages array of {"role","content", ...}. Reasoning gets the names "reasoning_content" and
    /// "thinking", as in transformers
    /// @param more further variables, as in {"enable_thinking": false, "tools": [...]}; without them `tools`
    /// and `documents` are none
    /// @throws InputError if the template raises one or does something unsupported, with the template's line
    std::string render(const OrderedJson& messages, bool add_generation_prompt = true,
                       const OrderedJson& more = OrderedJson::object()) const;
    std::string render(const Json& messages, bool add_generation_prompt = true,
                       const Json& more = Json::object()) const;
    std::string render(const std::vector<Message>& messages, bool add_generation_prompt = true) const;

  private:
    struct State;
    explicit ChatTemplate(std::unique_ptr<const State> state);
    std::unique_ptr<const State> state_;
};

}  // namespace tritonsmith::text
