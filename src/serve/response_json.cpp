#include "serve/response_json.h"

#include <cmath>

namespace tritonsmith::serve {
namespace {

/// JSON has no infinity: an impossible token has the log-probability that OpenAI's API reports for it.
double finite(float logprob) {
    return std::isfinite(logprob) ? static_cast<double>(logprob) : -9999.0;
}

}  // namespace

ResponseJson::ResponseJson(const CompletionRequest& request, ResponseHead head,
                           const text::Tokenizer& tokenizer)
    : request_(request),
      head_(std::move(head)),
      tokenizer_(tokenizer),
      begun_(static_cast<size_t>(request.choices()), false) {}

Json ResponseJson::object(const char* chat, const char* plain) const {
    return {{"id", head_.id},
            {"object", request_.chat ? chat : plain},
            {"created", head_.created},
            {"model", head_.model},
            {"choices", Json::array()}};
}

Json ResponseJson::usage(int64_t completion_tokens) const {
    const int64_t prompt_tokens = request_.prompt_tokens();
    return {{"prompt_tokens", prompt_tokens},
            {"completion_tokens", completion_tokens},
            {"total_tokens", prompt_tokens + completion_tokens}};
}

Json ResponseJson::token_entry(const engine::TokenLogprob& token) const {
    const std::string_view bytes = tokenizer_.bytes(token.token);
    Json numbers = Json::array();
    for (unsigned char byte : bytes) numbers.push_back(byte);
    return {{"token", std::string(bytes)}, {"logprob", finite(token.logprob)}, {"bytes", std::move(numbers)}};
}

Json ResponseJson::logprobs(const Piece& piece) const {
    if (!request_.logprobs) return nullptr;
    if (request_.chat) {
        Json content = Json::array();
        for (const PlacedToken& placed : piece.tokens) {
            Json entry = token_entry(placed.token.chosen);
            Json& top = entry["top_logprobs"] = Json::array();
            for (const engine::TokenLogprob& one : placed.token.top) top.push_back(token_entry(one));
            content.push_back(std::move(entry));
        }
        return {{"content", std::move(content)}, {"refusal", nullptr}};
    }
    Json tokens = Json::array(), values = Json::array(), tops = Json::array(), offsets = Json::array();
    for (const PlacedToken& placed : piece.tokens) {
        tokens.push_back(std::string(tokenizer_.bytes(placed.token.chosen.token)));
        values.push_back(finite(placed.token.chosen.logprob));
        offsets.push_back(placed.begin);
        Json top = Json::object();
        for (const engine::TokenLogprob& one : placed.token.top)
            top[std::string(tokenizer_.bytes(one.token))] = finite(one.logprob);
        tops.push_back(request_.top_logprobs > 0 ? std::move(top) : Json());
    }
    return {{"tokens", std::move(tokens)},
            {"token_logprobs", std::move(values)},
            {"top_logprobs", std::move(tops)},
            {"text_offset", std::move(offsets)}};
}

Json ResponseJson::whole(const std::vector<Piece>& pieces, int64_t completion_tokens) const {
    Json out = object("chat.completion", "text_completion");
    for (const Piece& piece : pieces) {
        Json choice = {
            {"index", piece.choice}, {"finish_reason", piece.finish}, {"logprobs", logprobs(piece)}};
        if (request_.chat)
            choice["message"] = {{"role", "assistant"}, {"content", piece.text}, {"refusal", nullptr}};
        else
            choice["text"] = piece.text;
        out["choices"].push_back(std::move(choice));
    }
    out["usage"] = usage(completion_tokens);
    return out;
}

std::vector<Json> ResponseJson::chunks(const Piece& piece) {
    std::vector<Json> out;
    auto add = [&](Json choice) {
        Json chunk = object("chat.completion.chunk", "text_completion");
        if (request_.include_usage) chunk["usage"] = nullptr;
        choice["index"] = piece.choice;
        chunk["choices"].push_back(std::move(choice));
        out.push_back(std::move(chunk));
    };
    const auto index = static_cast<size_t>(piece.choice);
    const Json finish = piece.finish.empty() ? Json() : Json(piece.finish);
    if (!request_.chat) {
        add({{"text", piece.text}, {"finish_reason", finish}, {"logprobs", logprobs(piece)}});
        return out;
    }
    if (!begun_[index]) {
        begun_[index] = true;
        add({{"delta", {{"role", "assistant"}, {"content", ""}}},
             {"finish_reason", nullptr},
             {"logprobs", nullptr}});
    }
    Json delta = Json::object();
    if (!piece.text.empty()) delta["content"] = piece.text;
    const bool empty = piece.tokens.empty();
    add({{"delta", std::move(delta)},
         {"finish_reason", finish},
         {"logprobs", empty ? Json() : logprobs(piece)}});
    return out;
}

Json ResponseJson::usage_chunk(int64_t completion_tokens) const {
    Json out = object("chat.completion.chunk", "text_completion");
    out["usage"] = usage(completion_tokens);
    return out;
}

}  // namespace tritonsmith::serve
