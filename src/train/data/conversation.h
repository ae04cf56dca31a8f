#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "text/prompt/chat_template.h"
#include "text/prompt/prompt_form.h"

namespace tritonsmith::train {

/// Messages, and which of the assistant's are learned.
struct Conversation {
    nlohmann::ordered_json messages;  ///< of {"role","content", ...}
    std::vector<bool> learned;        ///< of each message
};

/// How rows of `data synth` become conversations.
struct PairSettings {
    enum class Prompt { code, card, both, mixed };
    Prompt prompt = Prompt::mixed;  ///< what the task is shown as; mixed: drawn for each conversation
    std::string target = "sm_90";
    text::PromptForm form = text::PromptForm::full;
    bool repairs = true;  ///< rejected answers with the judge's feedback, and the right one behind it
};

/// The conversations of a row:
///   {"messages": [{"role", "content", "weight"?}...]}   chat; an assistant's message of weight 0 is not
///   learned
///   {"entry", "code", "card", "solutions", "repairs"?}  of `data synth`: one for each solution and repair
/// @param random draws what is not said @throws InputError that names `where` and the field
std::vector<Conversation> conversations_of(const std::string& row, const std::string& where,
                                           const PairSettings& settings, Random& random);

}  // namespace tritonsmith::train
