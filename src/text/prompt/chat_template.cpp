#include "text/prompt/chat_template.h"

#include "base/json.h"
#include "base/process/files.h"
#include "text/fields.h"
#include "text/jinja/evaluator.h"
#include "text/jinja/parser.h"
#include "text/unicode.h"

namespace tritonsmith::text {
namespace {

constexpr int64_t template_most = int64_t{1} << 20, configuration_most = int64_t{64} << 20;
constexpr const char* template_file = "chat_template.jinja";
constexpr const char* configuration_file = "tokenizer_config.json";

using Variables = std::vector<std::pair<std::string, jinja::Value>>;

/// Prefixes an InputError with its source.
template <class Function>
auto named(const std::string& name, const Function& function) {
    try {
        return function();
    } catch (const InputError& error) {
        throw InputError(one_line(name + ": " + error.what()));
    }
}

Json read_configuration(const std::filesystem::path& folder) {
    const std::filesystem::path path = folder / configuration_file;
    if (!std::filesystem::exists(path)) return Json::object();
    std::optional<Json> json = parse_untrusted_json(read_file(path, configuration_file, configuration_most),
                                                    {configuration_most, 64, 4 << 20});
    if (!json || !json->is_object())
        throw InputError(path.string() +
                         " is not one JSON object (or has a key twice, or is nested deeper than 64)");
    return std::move(*json);
}

/// bos_token, eos_token and all others named *_token: {"content": …} or a string.
Json special_tokens(const Json& configuration) {
    Json result = Json::object();
    for (const auto& [key, value] : configuration.items()) {
        if (!key.ends_with("_token")) continue;
        if (value.is_string()) result[key] = value;
        if (value.is_object() && value.contains("content")) result[key] = value["content"];
    }
    return result;
}

std::string configured_template(const Field& configuration) {
    if (!configuration.has("chat_template"))
        configuration.fail(std::string("there is no chat template: write one into ") + template_file +
                           " beside it, or use an instruction-tuned model");
    const Field field = configuration.at("chat_template");
    if (!field.json().is_array()) return field.string();
    for (size_t i = 0; i < field.size(); ++i)
        if (field.element(i).at("name").string() == "default")
            return field.element(i).at("template").string();
    field.fail("no template is named \"default\"");
}

/// Reasoning under the names that templates read it by, as transformers does it.
jinja::Value with_reasoning(const jinja::Value& message) {
    if (!message.dict()) return message;
    for (const char* key : {"reasoning_content", "thinking", "reasoning"}) {
        const jinja::Value* reasoning = message.dict()->find(key);
        if (!reasoning || reasoning->is_none()) continue;
        const jinja::Value kept = *reasoning;
        jinja::Dict result;
        result.insert("thinking", kept);
        for (const auto& [name, value] : message.dict()->entries()) result.insert(name, value);
        result.insert("reasoning_content", kept);
        return jinja::Value::dict(std::move(result));
    }
    return message;
}

template <class J>
jinja::Value conversation(const J& messages) {
    if (!messages.is_array()) throw InputError("messages must be an array of {\"role\", \"content\"}");
    std::vector<jinja::Value> result;
    for (const J& message : messages) {
        if (!message.is_object())
            throw InputError("messages[" + std::to_string(result.size()) +
                             "] must be an object {\"role\", \"content\"}");
        result.push_back(with_reasoning(jinja::from_json(message)));
    }
    return jinja::Value::list(std::move(result));
}

}  // namespace

struct ChatTemplate::State {
    std::string name;
    std::vector<jinja::Statement> statements;
    Variables special;

    template <class J>
    std::string render(const J& messages, bool add_generation_prompt, const J& more) const {
        return named(name, [&] {
            Variables variables{{"messages", conversation(messages)},
                                {"add_generation_prompt", add_generation_prompt},
                                {"tools", jinja::None{}},
                                {"documents", jinja::None{}}};
            const auto set = [&](const std::string& key, jinja::Value value) {
                for (auto& [known, old] : variables)
                    if (known == key) {
                        old = std::move(value);
                        return;
                    }
                variables.emplace_back(key, std::move(value));
            };
            for (const auto& [key, value] : special) set(key, value);
            for (const auto& [key, value] : more.items()) set(key, jinja::from_json(value));
            return jinja::Evaluator(std::move(variables)).render(statements);
        });
    }

    static std::unique_ptr<const State> parse(std::string name, std::string_view source,
                                              const Json& special) {
        auto state = std::make_unique<State>();
        state->name = std::move(name);
        if (source.size() > template_most) throw InputError(state->name + ": longer than 1 MiB");
        std::string buffer;
        state->statements = named(state->name, [&] { return jinja::parse(utf8_lossy(source, buffer)); });
        for (const auto& [key, value] : special.items())
            state->special.emplace_back(key, jinja::from_json(value));
        return state;
    }
};

ChatTemplate::ChatTemplate(std::unique_ptr<const State> state) : state_(std::move(state)) {}
ChatTemplate::~ChatTemplate() = default;
ChatTemplate::ChatTemplate(ChatTemplate&&) noexcept = default;
ChatTemplate& ChatTemplate::operator=(ChatTemplate&&) noexcept = default;

ChatTemplate ChatTemplate::load(const std::filesystem::path& folder) {
    const Json configuration = read_configuration(folder);
    const std::string configuration_name = (folder / configuration_file).string();
    const std::filesystem::path path = folder / template_file;
    if (std::filesystem::exists(path))
        return ChatTemplate(State::parse(path.string(), read_file(path, template_file, template_most),
                                         special_tokens(configuration)));
    const std::string source = configured_template(Field(configuration, configuration_name));
    return ChatTemplate(
        State::parse(configuration_name + ": chat_template", source, special_tokens(configuration)));
}

ChatTemplate ChatTemplate::parse(std::string_view source, Json special) {
    return ChatTemplate(State::parse("chat template", source, special));
}

std::string ChatTemplate::render(const OrderedJson& messages, bool add_generation_prompt,
                                 const OrderedJson& more) const {
    return state_->render(messages, add_generation_prompt, more);
}

std::string ChatTemplate::render(const Json& messages, bool add_generation_prompt, const Json& more) const {
    return state_->render(messages, add_generation_prompt, more);
}

std::string ChatTemplate::render(const std::vector<Message>& messages, bool add_generation_prompt) const {
    OrderedJson list = OrderedJson::array();
    for (const Message& message : messages)
        list.push_back({{"role", message.role}, {"content", message.content}});
    return render(list, add_generation_prompt);
}

}  // namespace tritonsmith::text
