// A stranger's model folder and answer, by the first byte: 't' tokenizer.json, 'j' a chat template, 'r' an
// answer; any other: bytes that are encoded and decoded. What is refused is refused with an InputError.
#include "base/process/files.h"
#include "fuzz.h"
#include "text/prompt/chat_template.h"
#include "text/prompt/response.h"
#include "text/tokenizer/testing.h"
#include "text/unicode.h"

using namespace tritonsmith;
using namespace tritonsmith::text;

namespace {

const TemporaryFolder& folder() {
    static const TemporaryFolder instance("tritonsmith-fuzz");
    return instance;
}

void check_tokenizer(const Tokenizer& tokenizer, std::string_view text) {
    const std::vector<Token> tokens = tokenizer.encode(text, true);
    StreamingDecoder decoder(tokenizer, false);
    std::string streamed;
    for (const Token token : tokens) {
        fuzz::require(token >= 0 && token < tokenizer.size(), "a token that is not in the vocabulary");
        streamed += decoder.feed(token);
        fuzz::require(unfinished_bytes(streamed) == 0, "a character was split");
    }
    streamed += decoder.finish();
    fuzz::require(streamed == tokenizer.decode(tokens), "streamed text is another");
}

void load(std::string_view json) {
    write_file(folder().path() / "tokenizer.json", json);
    check_tokenizer(Tokenizer::load(folder().path()), "the <begin> x1\xC3\xA9\xFF  \n");
}

void render(std::string_view source) {
    const auto messages =
        Json::parse(R"([{"role": "system", "content": "s"}, {"role": "user", "content": "a\n b"}])");
    const Json more =
        Json::parse(R"({"n": 7, "f": 0.5, "l": [3, 1, 2], "d": {"a": 1, "b": [true, null]}, "s": "Hé llo"})");
    ChatTemplate::parse(source, {{"bos_token", "<s>"}}).render(messages, true, more);
}

void parse(std::string_view text) {
    static const SmallTokenizer small;
    const Response response = parse_response(text);
    const auto size = static_cast<int>(text.size());
    for (const Span span : {response.plan_bytes, response.code_bytes})
        fuzz::require(span.begin >= 0 && span.begin <= span.end && span.end <= size,
                      "a span outside of the text");
    fuzz::require(response.code_bytes.empty() || response.plan_bytes.end <= response.code_bytes.begin,
                  "spans overlap");
    const std::vector<Token> tokens = small.tokenizer.encode(text);
    const Response shown = parse_response(small.tokenizer.decode(tokens, true));
    const ResponseTokens spans = token_spans(shown, small.tokenizer, tokens);
    for (const Span span : {spans.plan, spans.code})
        fuzz::require(span.begin >= 0 && span.end <= static_cast<int>(tokens.size()),
                      "a span outside of the tokens");
    check_tokenizer(small.tokenizer, text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
    try {
        if (data[0] == 't') {
            load(rest);
        } else if (data[0] == 'j') {
            render(rest);
        } else {
            parse(rest);
        }
    } catch (const InputError& error) {
        fuzz::require(*error.what() != 0, "an error without words");
        fuzz::require(std::string_view(error.what()).find('\n') == std::string_view::npos,
                      "an error of several lines");
        std::string buffer;
        fuzz::require(utf8_lossy(error.what(), buffer).data() == error.what(), "an error that is no UTF-8");
    }
    return 0;
}
