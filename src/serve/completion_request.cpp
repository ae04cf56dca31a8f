#include "serve/completion_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "serve/fields.h"

namespace tritonsmith::serve {
namespace {

using text::Token;

constexpr size_t kMaxValues = size_t{1} << 22;  // JSON values of a body: prompts may be arrays of tokens

uint64_t random_seed() {
    std::random_device device;
    return (static_cast<uint64_t>(device()) << 32) | device();
}

void check_model(Fields& fields, const RequestContext& context) {
    const std::string model = fields.text("model", context.model_name);
    if (model != context.model_name)
        throw ApiError(404,
                       fmt::format("there is no model '{}': this server has '{}'", model, context.model_name),
                       "model", "model_not_found");
}

std::vector<std::string> read_stop(Fields& fields, const RequestLimits& limits) {
    const Json& value = fields.any("stop");
    std::vector<std::string> out;
    if (value.is_null()) return out;
    const Json list = value.is_string() ? Json::array({value}) : value;
    const std::string wanted =
        fmt::format("'stop' must be a string or at most {} strings, each of 1 to {} bytes",
                    limits.stop_strings, limits.stop_bytes);
    if (!list.is_array() || list.size() > static_cast<size_t>(limits.stop_strings))
        throw ApiError(400, wanted, "stop");
    for (const Json& one : list) {
        if (!one.is_string() || one.get_ref<const std::string&>().empty() ||
            one.get_ref<const std::string&>().size() > static_cast<size_t>(limits.stop_bytes))
            throw ApiError(400, wanted, "stop");
        out.push_back(one);
    }
    return out;
}

std::vector<Token> read_tokens(const Json& list, const std::string& field, int vocabulary) {
    std::vector<Token> out;
    out.reserve(list.size());
    for (const Json& one : list) {
        if (!one.is_number_integer() || one < 0 || one >= vocabulary)
            throw ApiError(400,
                           fmt::format("'{}' must hold tokens: numbers from 0 to {}", field, vocabulary - 1),
                           field);
        out.push_back(one.get<Token>());
    }
    return out;
}

/// The fields of both routes, after the prompts.
void read_common(Fields& fields, const RequestContext& context, std::vector<std::vector<Token>> prompts,
                 int64_t max_tokens, CompletionRequest& out) {
    const RequestLimits& limits = context.limits;
    out.n = static_cast<int>(fields.integer("n", 1, 1, limits.samples));
    if (static_cast<int64_t>(prompts.size()) * out.n > limits.all_samples)
        throw ApiError(400,
                       fmt::format("{} prompts of {} samples each are more than {}", prompts.size(), out.n,
                                   limits.all_samples),
                       "n");
    out.stop = read_stop(fields, limits);
    out.stream = fields.boolean("stream", false);
    if (const Json& options = fields.any("stream_options"); !options.is_null()) {
        if (!out.stream) throw ApiError(400, "'stream_options' needs 'stream': true", "stream_options");
        if (!options.is_object()) throw ApiError(400, "'stream_options' must be an object", "stream_options");
        for (const auto& [name, value] : options.items()) {
            if (name == "include_usage" && value.is_boolean())
                out.include_usage = value;
            else if (name != "include_obfuscation")
                throw ApiError(400, "'stream_options' may hold 'include_usage': true or false",
                               "stream_options." + name);
        }
    }
    out.skip_special = fields.boolean("skip_special_tokens", true);

    engine::SamplingParameters sampling;
    sampling.temperature = fields.number("temperature", 1, 0, 2);
    sampling.top_p = fields.number("top_p", 1, 0, 1);
    if (sampling.top_p == 0) throw ApiError(400, "'top_p' must be greater than 0", "top_p");
    sampling.top_k = static_cast<int>(std::max<int64_t>(0, fields.integer("top_k", 0, -1, 1 << 20)));
    sampling.min_p = fields.number("min_p", 0, 0, 1);
    sampling.top_logprobs = out.top_logprobs;
    sampling.seed = fields.has("seed")
                        ? static_cast<uint64_t>(fields.integer("seed", 0, INT64_MIN, INT64_MAX))
                        : random_seed();
    fields.ignore("seed");
    if (!fields.boolean("ignore_eos", false)) sampling.stop_tokens = context.tokenizer.ends();
    if (const Json& more = fields.any("stop_token_ids"); !more.is_null()) {
        if (!more.is_array() || more.size() > 64)
            throw ApiError(400, "'stop_token_ids' must be an array of at most 64 tokens", "stop_token_ids");
        for (Token token : read_tokens(more, "stop_token_ids", context.tokenizer.size()))
            sampling.stop_tokens.push_back(token);
    }

    const int most = limits.prompt_tokens > 0 ? std::min(limits.prompt_tokens, context.context_length - 1)
                                              : context.context_length - 1;
    const std::string field = out.chat ? "messages" : "prompt";
    for (size_t i = 0; i < prompts.size(); ++i) {
        const int64_t length = static_cast<int64_t>(prompts[i].size());
        if (length == 0) throw ApiError(400, fmt::format("'{}' is empty", field), field);
        if (length > most)
            throw ApiError(400,
                           fmt::format("the prompt has {} tokens; at most {} are allowed (the context is {})",
                                       length, most, context.context_length),
                           field, "context_length_exceeded");
        engine::Request request{std::move(prompts[i]), out.n, sampling};
        request.sampling.seed += i;  // so that equal prompts of one request get different samples
        request.sampling.max_tokens =
            static_cast<int>(std::min<int64_t>(max_tokens, context.context_length - length));
        out.prompts.push_back(std::move(request));
    }

    // Accepted without effect.
    for (const char* name : {"user", "store", "metadata", "service_tier", "safety_identifier",
                             "prompt_cache_key", "parallel_tool_calls", "prompt_cache_retention"})
        fields.ignore(name);
    fields.unsupported("frequency_penalty", Json::array({0, 0.0}));
    fields.unsupported("presence_penalty", Json::array({0, 0.0}));
    fields.unsupported("logit_bias");
    fields.refuse_others();
}

std::vector<std::vector<Token>> read_prompts(Fields& fields, const RequestContext& context) {
    const Json& value = fields.any("prompt");
    std::vector<std::vector<Token>> out;
    const auto whole_number = [](const Json& one) { return one.is_number_integer(); };
    const bool tokens =
        value.is_array() && !value.empty() && std::all_of(value.begin(), value.end(), whole_number);
    if (!value.is_string() && (!value.is_array() || value.empty()))
        throw ApiError(
            400,
            "'prompt' must be a string, an array of strings, an array of tokens, or an array of such arrays",
            "prompt");
    const Json list = value.is_string() || tokens ? Json::array({value}) : value;
    if (list.size() > static_cast<size_t>(context.limits.prompts))
        throw ApiError(400,
                       fmt::format("'prompt' has {} prompts; at most {} are allowed", list.size(),
                                   context.limits.prompts),
                       "prompt");
    for (size_t i = 0; i < list.size(); ++i) {
        const std::string field = list.size() == 1 ? "prompt" : fmt::format("prompt[{}]", i);
        if (list[i].is_string())
            out.push_back(context.tokenizer.encode(list[i].get_ref<const std::string&>(), true));
        else if (list[i].is_array())
            out.push_back(read_tokens(list[i], field, context.tokenizer.size()));
        else
            throw ApiError(400, fmt::format("'{}' must be a string or an array of tokens", field), field);
    }
    return out;
}

/// Messages for the template: text parts are joined to one string.
Json read_messages(Fields& fields) {
    const Json& value = fields.any("messages");
    if (!value.is_array() || value.empty())
        throw ApiError(400, "'messages' must be an array of {\"role\", \"content\"}", "messages");
    Json out = value;
    for (size_t i = 0; i < out.size(); ++i) {
        Json& message = out[i];
        const std::string field = fmt::format("messages[{}]", i);
        if (!message.is_object() || !message.contains("role") || !message["role"].is_string())
            throw ApiError(400, fmt::format("'{}' must be an object with a 'role'", field), field + ".role");
        Json& content = message["content"];
        if (content.is_null()) content = "";
        if (content.is_array()) {
            std::string text;
            for (const Json& part : content) {
                if (!part.is_object() || part.value("type", Json()) != "text" || !part.contains("text") ||
                    !part["text"].is_string())
                    throw ApiError(400, fmt::format("'{}.content' has a part that is not text", field),
                                   field + ".content");
                text += part["text"].get_ref<const std::string&>();
            }
            content = text;
        }
        if (!content.is_string())
            throw ApiError(400, fmt::format("'{}.content' must be a string or an array of text parts", field),
                           field + ".content");
    }
    return out;
}

}  // namespace

int64_t CompletionRequest::prompt_tokens() const {
    int64_t sum = 0;
    for (const engine::Request& prompt : prompts) sum += static_cast<int64_t>(prompt.prompt.size());
    return sum;
}

CompletionRequest parse_completion(const std::string& body, const RequestContext& context) {
    Fields fields(body, kMaxValues);
    CompletionRequest out;
    check_model(fields, context);
    if (fields.has("logprobs")) {
        out.logprobs = true;
        out.top_logprobs = static_cast<int>(fields.integer("logprobs", 0, 0, 20));
    }
    fields.ignore("logprobs");
    fields.unsupported("echo", Json::array({false}));
    fields.unsupported("suffix");
    fields.unsupported("best_of", Json::array({fields.any("n").is_null() ? Json(1) : fields.any("n")}));
    const int64_t max_tokens = fields.integer("max_tokens", 16, 1, INT32_MAX);
    read_common(fields, context, read_prompts(fields, context), max_tokens, out);
    return out;
}

CompletionRequest parse_chat(const std::string& body, const RequestContext& context) {
    Fields fields(body, kMaxValues);
    CompletionRequest out;
    out.chat = true;
    check_model(fields, context);
    if (!context.chat_template)
        throw ApiError(400, "the model has no chat template: use /v1/completions", "messages");
    out.logprobs = fields.boolean("logprobs", false);
    if (fields.has("top_logprobs") && !out.logprobs)
        throw ApiError(400, "'top_logprobs' needs 'logprobs': true", "top_logprobs");
    out.top_logprobs = static_cast<int>(fields.integer("top_logprobs", 0, 0, 20));
    fields.unsupported("tools");
    fields.unsupported("functions");
    fields.unsupported("tool_choice", Json::array({"none", "auto"}));
    fields.unsupported("function_call", Json::array({"none", "auto"}));
    fields.unsupported("response_format", Json::array({Json::object({{"type", "text"}})}));
    fields.unsupported("modalities", Json::array({Json::array({"text"})}));
    fields.unsupported("audio");
    fields.unsupported("prediction");
    fields.unsupported("reasoning_effort");
    fields.unsupported("verbosity");
    fields.unsupported("web_search_options");
    const int64_t all = fields.integer("max_tokens", INT32_MAX, 1, INT32_MAX);
    const int64_t max_tokens =
        std::min(all, fields.integer("max_completion_tokens", INT32_MAX, 1, INT32_MAX));
    const Json messages = read_messages(fields);
    const Json more = fields.any("chat_template_kwargs");
    if (!more.is_null() && !more.is_object())
        throw ApiError(400, "'chat_template_kwargs' must be an object", "chat_template_kwargs");
    std::string prompt;
    try {
        // Tools are printed with their members in the given order, which Json does not keep.
        const auto given = more.is_null() ? nlohmann::ordered_json::object()
                                          : nlohmann::ordered_json::parse(body).at("chat_template_kwargs");
        prompt = context.chat_template->render(nlohmann::ordered_json(messages), true, given);
    } catch (const InputError& error) {
        throw ApiError(400, error.what(), "messages");
    }
    // The template writes its special tokens itself.
    read_common(fields, context, {context.tokenizer.encode(prompt, false)}, max_tokens, out);
    return out;
}

}  // namespace tritonsmith::serve
