// text_tool [FOLDER]: answers lines of JSON on stdin with lines of JSON on stdout, for comparisons with peers
// in Python.
//
//   {"encode": TEXT | "encode_bytes": BASE64, "special": bool}   {"tokens": [...]}
//   {"decode": [...], "skip_special": bool}                      {"text": TEXT, "streamed": [TEXT...]}
//   {"time": [TEXT...]}        {"seconds": of the processor, "tokens": N}
//   {"render": TEMPLATE or null, "messages": [...], "add_generation_prompt": bool, "more": {...}, "special":
//   {...}}  {"text": TEXT}
//
// A null template is the folder's. A failure is answered by {"error": TEXT}.
#include <cstdio>
#include <ctime>
#include <iostream>

#include "base/base64.h"
#include "base/error.h"
#include "base/json.h"
#include "text/prompt/chat_template.h"
#include "text/tokenizer/tokenizer.h"

using namespace tritonsmith;
using namespace tritonsmith::text;

namespace {

Json decode(const Tokenizer& tokenizer, const Json& request) {
    const auto tokens = request.at("decode").get<std::vector<Token>>();
    const bool skip_special = request.value("skip_special", false);
    StreamingDecoder decoder(tokenizer, skip_special);
    Json streamed = Json::array();
    for (const Token token : tokens) streamed.push_back(decoder.feed(token));
    streamed.push_back(decoder.finish());
    return {{"text", tokenizer.decode(tokens, skip_special)}, {"streamed", streamed}};
}

Json time(const Tokenizer& tokenizer, const Json& request) {
    const auto texts = request.at("time").get<std::vector<std::string>>();
    const std::clock_t start = std::clock();
    size_t tokens = 0;
    for (const std::string& text : texts) tokens += tokenizer.encode(text).size();
    return {{"seconds", static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC}, {"tokens", tokens}};
}

Json render(const std::string& folder, const nlohmann::ordered_json& request) {
    const auto& source = request.at("render");
    const ChatTemplate chat =
        source.is_null()
            ? ChatTemplate::load(folder)
            : ChatTemplate::parse(source.get<std::string>(), request.value("special", Json::object()));
    return {{"text", chat.render(request.at("messages"), request.value("add_generation_prompt", false),
                                 request.value("more", nlohmann::ordered_json::object()))}};
}

Json answer(const Tokenizer& tokenizer, const Json& request) {
    const bool special = request.value("special", false);
    if (request.contains("encode"))
        return {{"tokens", tokenizer.encode(request["encode"].get<std::string>(), special)}};
    if (request.contains("encode_bytes")) {
        const std::vector<uint8_t> bytes = base64_decode(request["encode_bytes"].get<std::string>()).value();
        return {{"tokens",
                 tokenizer.encode({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, special)}};
    }
    if (request.contains("decode")) return decode(tokenizer, request);
    if (request.contains("time")) return time(tokenizer, request);
    throw InputError("text_tool: a request needs encode, encode_bytes, decode or time");
}

}  // namespace

int main(int count, char** arguments) {
    if (count > 2) {
        std::fputs("usage: text_tool [FOLDER]\n", stderr);
        return 2;
    }
    try {
        const std::string folder = count == 2 ? arguments[1] : "";
        std::optional<Tokenizer> tokenizer;
        if (!folder.empty()) tokenizer.emplace(Tokenizer::load(folder));
        for (std::string line; std::getline(std::cin, line);) {
            Json reply;
            try {
                const auto request = nlohmann::ordered_json::parse(line);
                if (request.contains("render")) {
                    reply = render(folder, request);
                } else if (tokenizer) {
                    reply = answer(*tokenizer, Json::parse(line));
                } else {
                    throw InputError("text_tool: FOLDER is missing");
                }
            } catch (const std::exception& error) {
                reply = {{"error", error.what()}};
            }
            std::cout << dump(reply) << std::endl;
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "text_tool: %s\n", error.what());
        return 2;
    }
}
