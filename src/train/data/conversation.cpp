#include "train/data/conversation.h"

#include <fmt/format.h>

#include "base/json.h"
#include "text/prompt/prompt.h"

namespace tritonsmith::train {
namespace {

/// A row's object, or an object within it.
class RowFields {
  public:
    RowFields(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
        if (!json.is_object()) fail("must be a JSON object");
    }
    bool has(const char* name) const { return json_.contains(name) && !json_[name].is_null(); }
    std::string text(const char* name) const {
        if (!has(name) || !json_[name].is_string()) fail(fmt::format("needs {}, a string", name));
        return json_[name].get<std::string>();
    }
    const Json& list(const char* name) const {
        if (!has(name) || !json_[name].is_array()) fail(fmt::format("needs {}, a list", name));
        return json_[name];
    }
    RowFields object(const char* name) const {
        if (!has(name)) fail(fmt::format("needs {}, an object", name));
        return {json_[name], where_ + ": " + name};
    }
    const Json& json() const { return json_; }
    [[noreturn]] void fail(const std::string& what) const { throw InputError(where_ + ": " + what); }

  private:
    const Json& json_;
    std::string where_;
};

void add(Conversation& conversation, const std::string& role, const std::string& content, bool learned) {
    conversation.messages.push_back({{"role", role}, {"content", content}});
    conversation.learned.push_back(learned);
}

Conversation chat_of(const RowFields& row, const std::string& where) {
    Conversation conversation{nlohmann::ordered_json::array(), {}};
    bool any = false;
    for (const Json& message : row.list("messages")) {
        const RowFields fields(message, where + ": messages");
        const std::string role = fields.text("role");
        const bool assistant = role == "assistant";
        if (!assistant || !fields.has("tool_calls")) (void)fields.text("content");
        const bool learned = assistant && (!fields.has("weight") || message["weight"] != 0);
        nlohmann::ordered_json shown = message;
        shown.erase("weight");
        conversation.messages.push_back(std::move(shown));
        conversation.learned.push_back(learned);
        any = any || learned;
    }
    if (!any) row.fail("has no message of the assistant that could be learned");
    return conversation;
}

std::string answer_of(const std::string& plan, const std::string& code) {
    return (plan.empty() ? "" : plan + (plan.ends_with('\n') ? "\n" : "\n\n")) + "```python\n" + code +
           (code.ends_with('\n') ? "" : "\n") + "```";
}

Conversation asked(const RowFields& row, const PairSettings& settings, Random& random) {
    PairSettings::Prompt prompt = settings.prompt;
    if (prompt == PairSettings::Prompt::mixed)
        prompt = static_cast<PairSettings::Prompt>(
            random.below(static_cast<int64_t>(PairSettings::Prompt::mixed)));
    text::KernelRequest request;
    if (prompt != PairSettings::Prompt::card) request.source = row.text("code");
    if (prompt != PairSettings::Prompt::code) request.card = row.text("card");
    request.entry = row.text("entry");
    request.target = settings.target;
    request.form = settings.form;
    Conversation conversation{nlohmann::ordered_json::array(), {}};
    for (const text::Message& message : text::kernel_prompt(request))
        add(conversation, message.role, message.content, false);
    return conversation;
}

std::vector<Conversation> pairs_of(const RowFields& row, const std::string& where,
                                   const PairSettings& settings, Random& random) {
    std::vector<Conversation> conversations;
    std::vector<std::string> answers;
    for (const Json& solution : row.list("solutions")) {
        const RowFields fields(solution, where + ": solutions");
        answers.push_back(answer_of(fields.text("plan"), fields.text("code")));
        conversations.push_back(asked(row, settings, random));
        add(conversations.back(), "assistant", answers.back(), true);
    }
    if (!settings.repairs || !row.has("repairs")) return conversations;
    for (const Json& repair : row.list("repairs")) {
        const RowFields fields(repair, where + ": repairs");
        const Json fixed = repair.value("fixed", Json());
        if (!fixed.is_number_unsigned() || fixed.get<size_t>() >= answers.size())
            fields.fail("fixed is the index of a solution");
        Conversation conversation = asked(row, settings, random);
        add(conversation, "assistant", answer_of("", fields.text("broken")), false);
        add(conversation, "user", text::correction_prompt(fields.object("feedback").text("model")).content,
            false);
        add(conversation, "assistant", answers[fixed.get<size_t>()], true);
        conversations.push_back(std::move(conversation));
    }
    return conversations;
}

}  // namespace

std::vector<Conversation> conversations_of(const std::string& row, const std::string& where,
                                           const PairSettings& settings, Random& random) {
    const std::optional<Json> json = parse_untrusted_json(row);
    if (!json) throw InputError(where + ": is not valid JSON");
    const RowFields fields(*json, where);
    if (fields.has("messages")) return {chat_of(fields, where)};
    if (fields.has("solutions")) return pairs_of(fields, where, settings, random);
    fields.fail("needs messages (chat) or solutions (of data synth)");
}

}  // namespace tritonsmith::train
