#include <algorithm>

#include "base/json.h"
#include "base/process/files.h"
#include "text/tokenizer/byte_alphabet.h"
#include "text/tokenizer/tokenizer_state.h"

namespace tritonsmith::text {
namespace {

/// The greatest vocabularies take about 35 MB with merges as pairs, and a million and a half values.
constexpr JsonLimits limits{int64_t{128} << 20, 64, int64_t{8} << 20};

Json read_json(const std::filesystem::path& path) {
    std::optional<Json> json =
        parse_untrusted_json(read_file(path, path.filename().string(), limits.bytes), limits);
    if (!json || !json->is_object())
        throw InputError(path.string() +
                         " is not one JSON object (or has a key twice, or is nested deeper than 64): "
                         "download the file again");
    return std::move(*json);
}

/// A special token in tokenizer_config.json: its content, or {"content": ...}.
std::optional<std::string> content(const Field& json, const char* key) {
    if (!json.has(key)) return std::nullopt;
    const Field value = json.at(key);
    return value.json().is_object() ? value.at("content").string() : value.string();
}

const Json& member(const Json& object, const char* key) {
    static const Json null;
    const auto found = object.find(key);
    return found == object.end() ? null : *found;
}

Field optional_field(const Field& json, const char* key) {
    return {member(json.object().json(), key), json.name() + key};
}

}  // namespace

Tokenizer::State::State(const Field& json)
    : normalizer(optional_field(json, "normalizer")),
      pretokenizer(optional_field(json, "pre_tokenizer")),
      bpe(json.at("model")),
      post_processor(read_post_processor(optional_field(json, "post_processor"))) {
    read_decoder(optional_field(json, "decoder"));
    read_tokens(json.has("added_tokens") ? read_added_tokens(json.at("added_tokens"))
                                         : std::vector<AddedToken>{});
    for (const auto* tokens : {&post_processor.before, &post_processor.after})
        for (const Token token : *tokens)
            if (!holds(token))
                json.at("post_processor")
                    .fail("token " + std::to_string(token) + " is not in the vocabulary");
}

void Tokenizer::State::read_decoder(const Field& json) const {
    bool byte_level = json.json().is_object() && json.type() == "ByteLevel";
    if (json.json().is_object() && json.type() == "Sequence") {
        const Field list = json.at("decoders").array();
        for (size_t i = 0; i < list.size(); ++i) {
            const std::string& type = list.element(i).type();
            if (i == 0 ? type != "ByteLevel" : type != "Fuse")
                list.element(i).fail("the decoder \"" + type +
                                     "\" is not supported: ByteLevel must be first, followed by Fuse");
        }
        byte_level = list.size() > 0;
    }
    if (!byte_level) json.fail("only byte-level vocabularies are supported: the decoder must be ByteLevel");
}

void Tokenizer::State::read_tokens(const std::vector<AddedToken>& tokens) {
    Token most = 0;
    for (const auto& [entry, token] : bpe.entries()) most = std::max(most, token);
    for (const AddedToken& token : tokens) most = std::max(most, token.token);
    bytes.resize(static_cast<size_t>(most) + 1);
    special.resize(bytes.size());
    for (const auto& [entry, token] : bpe.entries()) {
        bytes[token].clear();
        append_entry_bytes(entry, bytes[token]);
    }
    RegexScratch regex;
    std::string buffer;
    const auto add = [&](const AddedToken& token) {
        if (token.normalized) {
            normalized_tokens.add(normalizer.apply(token.content, buffer, regex), token);
        } else {
            raw_tokens.add(token.content, token);
        }
    };
    // Of two with the same text the first one is found, and tokenizers puts special ones first.
    for (const AddedToken& token : tokens)
        if (token.special) add(token);
    for (const AddedToken& token : tokens) {
        if (!token.special) add(token);
        bytes[token.token].clear();
        append_entry_bytes(token.content, bytes[token.token]);
        special[token.token] = token.special;
        added[token.content] = token.token;
    }
}

void Tokenizer::State::add_end(Token token) {
    if (std::find(ends.begin(), ends.end(), token) == ends.end()) ends.push_back(token);
}

void Tokenizer::State::read_configuration(const Field& json) {
    const auto token = [&](const char* key) -> std::optional<Token> {
        const std::optional<std::string> text = content(json, key);
        if (!text) return std::nullopt;
        if (const auto found = added.find(*text); found != added.end()) return found->second;
        if (const Token found = bpe.find_written(*text); found >= 0) return found;
        json.at(key).fail("\"" + text->substr(0, 100) + "\" is not in the vocabulary of tokenizer.json");
    };
    bos = token("bos_token");
    if (const auto end = token("eos_token")) add_end(*end);
}

void Tokenizer::State::read_generation(const Field& json) {
    if (!json.has("eos_token_id")) return;
    const Field ids = json.at("eos_token_id");
    // A model's output may be wider than its vocabulary: end tokens beyond it never occur and are ignored.
    const auto add = [&](const Field& id) {
        if (const auto token = static_cast<Token>(id.integer(-1, INT32_MAX)); holds(token)) add_end(token);
    };
    if (!ids.json().is_array()) return add(ids);
    if (ids.size() > 1000) ids.fail("more than 1000 tokens");
    for (size_t i = 0; i < ids.size(); ++i) add(ids.element(i));
}

Tokenizer Tokenizer::load(const std::filesystem::path& folder) {
    if (!std::filesystem::is_directory(folder))
        throw InputError(folder.string() +
                         " is not a folder: name the folder with the model's tokenizer.json");
    const auto name = [&](const char* file) { return (folder / file).string() + ": "; };
    std::unique_ptr<State> state;
    {
        const Json json = read_json(folder / "tokenizer.json");
        state = std::make_unique<State>(Field(json, name("tokenizer.json")));
    }
    for (const auto& [file, read] : {std::pair{"tokenizer_config.json", &State::read_configuration},
                                     std::pair{"generation_config.json", &State::read_generation}}) {
        if (!std::filesystem::exists(folder / file)) continue;
        const Json json = read_json(folder / file);
        ((*state).*read)(Field(json, name(file)));
    }
    return Tokenizer(std::move(state));
}

}  // namespace tritonsmith::text
