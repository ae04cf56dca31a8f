#include "endpoint/chat.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"

namespace tritonsmith::endpoint {
namespace {

constexpr int kMostAnswers = 1024;  // in one completion: a greater index is a server's error

std::string text_at(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// A string, or an array of parts {"type": "text", "text": ...}.
std::string content_at(const Json& object) {
    const auto found = object.find("content");
    if (found == object.end() || !found->is_array()) return text_at(object, "content");
    std::string out;
    for (const Json& part : *found)
        if (part.is_object() && part.value("type", Json()) == "text") out += text_at(part, "text");
    return out;
}

int64_t count_at(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_number_integer() ? std::max<int64_t>(0, found->get<int64_t>())
                                                               : 0;
}

std::string one_line(std::string text, size_t most) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    return text.size() > most ? std::string(cut(text, most)) + "..." : text;
}

/// Phrases of OpenAI, Azure, vLLM, pydantic, Anthropic, Mistral and Google for an unsupported field.
bool says_unsupported(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const char* word :
         {"unsupported", "not support", "n't support", "unknown", "unrecognized", "unrecognised",
          "not permitted", "unexpected", "not allowed", "extra_forbidden", "only n=1", "deprecated"})
        if (text.find(word) != std::string::npos) return true;
    return false;
}

}  // namespace

Json to_json(const ChatRequest& request, int n, int first, const Dialect& dialect) {
    Json out = {{"model", request.model}};
    Json& messages = out["messages"] = Json::array();
    for (const text::Message& m : request.messages)
        messages.push_back({{"role", m.role}, {"content", m.content}});
    if (n > 1) out["n"] = n;
    if (request.temperature) out["temperature"] = *request.temperature;
    if (request.top_p) out["top_p"] = *request.top_p;
    if (request.max_tokens) out[dialect.max_tokens] = *request.max_tokens;
    // Many servers read seeds as signed 32- or 64-bit numbers.
    if (request.seed) out["seed"] = (*request.seed + static_cast<uint64_t>(first)) & 0x7fffffff;
    if (!request.stop.empty()) out["stop"] = request.stop;
    for (const auto& [name, value] : request.more.items()) out[name] = value;
    if (dialect.stream) {
        out["stream"] = true;
        out["stream_options"] = {{"include_usage", true}};
    }
    for (const std::string& name : dialect.without) out.erase(name);
    return out;
}

std::string learn_from_refusal(Dialect& dialect, const Json& sent, const Json& body) {
    const std::string dumped = dump(body);
    if (!says_unsupported(dumped)) return "";  // a value out of range is the caller's error
    // The field is named separately ("param", "loc") or in the sentence.
    auto named = [&dumped](const std::string& field) {
        for (size_t at = 0; (at = dumped.find(field, at)) != std::string::npos; at += field.size()) {
            auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
            const size_t end = at + field.size();
            if (!(at > 0 && part(dumped[at - 1])) && !(end < dumped.size() && part(dumped[end]))) return true;
        }
        return false;
    };
    if (sent.contains("max_tokens") && named("max_completion_tokens")) {
        dialect.max_tokens = "max_completion_tokens";
        return "max_tokens is sent as max_completion_tokens";
    }
    if (sent.contains("n") && named("n")) {
        dialect.many = false;
        return "answers are requested one by one";
    }
    for (const auto& [name, value] : sent.items()) {
        if (name == "model" || name == "messages" || name == "n" || name == "stream" ||
            name == "max_tokens" || name == "max_completion_tokens" || !named(name))
            continue;
        dialect.without.push_back(name);
        return fmt::format("{} is omitted", name);
    }
    if (sent.contains("stream") && named("stream")) {
        dialect.stream = false;
        return "answers are not streamed";
    }
    return "";
}

std::vector<int> AnswerParts::take(const Json& body) {
    std::vector<int> ended;
    if (!body.is_object()) return ended;
    if (const auto error = body.find("error"); error != body.end() && !error->is_null()) {
        error_ = error_message(body);
        if (error_.empty()) error_ = "an error without a message";
    }
    if (const auto usage = body.find("usage"); usage != body.end() && usage->is_object())
        usage_ = {count_at(*usage, "prompt_tokens"), count_at(*usage, "completion_tokens")};
    const auto choices = body.find("choices");
    if (choices == body.end() || !choices->is_array()) return ended;
    seen_ = true;
    for (const Json& choice : *choices) {
        if (!choice.is_object()) continue;
        const int64_t index = count_at(choice, "index");
        if (index >= kMostAnswers) continue;
        Answer& answer = answers_[static_cast<int>(index)];
        const auto delta = choice.find(choice.contains("delta") ? "delta" : "message");
        if (delta != choice.end() && delta->is_object()) {
            answer.content += content_at(*delta);
            const std::string reasoning = text_at(*delta, "reasoning_content");
            answer.reasoning += reasoning.empty() ? text_at(*delta, "reasoning") : reasoning;
        }
        const std::string finish = text_at(choice, "finish_reason");
        const bool whole = choice.contains("message");
        if ((!finish.empty() || whole) && !this->ended(static_cast<int>(index))) {
            answer.finish = finish;
            ended_.push_back(static_cast<int>(index));
            ended.push_back(static_cast<int>(index));
        }
    }
    return ended;
}

bool AnswerParts::ended(int index) const {
    return std::find(ended_.begin(), ended_.end(), index) != ended_.end();
}

std::string error_message(const Json& body) {
    if (!body.is_object()) return "";
    const Json* place = &body;
    if (const auto error = body.find("error"); error != body.end()) {
        if (error->is_string()) return one_line(error->get<std::string>(), 500);
        if (error->is_object()) place = &*error;
    }
    for (const char* name : {"message", "detail", "msg"}) {
        const auto found = place->find(name);
        if (found == place->end() || found->is_null()) continue;
        return one_line(found->is_string() ? found->get<std::string>() : dump(*found), 500);
    }
    return "";
}

std::string error_code(const Json& body) {
    if (!body.is_object()) return "";
    const auto error = body.find("error");
    if (error == body.end() || !error->is_object()) return "";
    const std::string code = text_at(*error, "code");
    return code.empty() ? text_at(*error, "type") : code;
}

}  // namespace tritonsmith::endpoint
