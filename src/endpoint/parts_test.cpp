#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "base/process/files.h"
#include "endpoint/address.h"
#include "endpoint/chat.h"
#include "endpoint/event_stream.h"
#include "endpoint/key.h"
#include "endpoint/retry.h"

namespace tritonsmith::endpoint {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Address, TakesBaseUrlsAsOpenAisClientDoes) {
    const Address openai = parse_address("https://api.example.com/v1/");
    EXPECT_EQ(openai.kind, Address::Kind::https);
    EXPECT_EQ(openai.host, "api.example.com");
    EXPECT_EQ(openai.port, 443);
    EXPECT_EQ(openai.prefix, "/v1");
    EXPECT_EQ(openai.text(), "https://api.example.com/v1");
    EXPECT_FALSE(openai.local());
    EXPECT_EQ(parse_address("http://localhost:8000").text(), "http://localhost:8000/v1");
    EXPECT_TRUE(parse_address("http://localhost:8000").local());
    EXPECT_EQ(parse_address("http://[::1]:99/api/v3/chat/completions").text(), "http://[::1]:99/api/v3");
    EXPECT_EQ(parse_address("unix:/run/m.sock").host, "/run/m.sock");
}

TEST(Address, RefusesWhatIsNotAnAddress) {
    for (const char* url :
         {"", "api.example.com/v1", "ftp://x/v1", "http://", "http://a b/", "http://x:0/", "http://x:99999/",
          "http://x:8o/", "http://x/v1?key=1", "unix:relative", "http://[::1", "https://x/\n"})
        EXPECT_THROW(parse_address(url), InputError) << url;
    try {
        parse_address("https://user:secret@x/v1");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), Not(HasSubstr("secret")));
    }
}

TEST(EventStream, JoinsPiecesAndLines) {
    const std::string text =
        "\xEF\xBB\xBF: comment\ndata: one\r\n\r\ndata:two\ndata: lines\n\nevent: x\nid: 3\ndata: "
        "{\"a\":1}\r\rdata: lost";
    for (size_t step = 1; step < text.size(); ++step) {
        std::vector<std::string> seen;
        EventStream stream([&](const std::string& data) { seen.push_back(data); });
        for (size_t at = 0; at < text.size(); at += step) EXPECT_TRUE(stream.feed(text.substr(at, step)));
        EXPECT_THAT(seen, ElementsAre("one", "two\nlines", "{\"a\":1}")) << step;
        EXPECT_TRUE(stream.unfinished());
    }
}

TEST(EventStream, BoundsAnEvent) {
    EventStream stream([](const std::string&) {}, 100);
    EXPECT_TRUE(stream.feed("data: " + std::string(90, 'x')));
    EXPECT_FALSE(stream.feed(std::string(90, 'x')));
}

TEST(Retry, PausesGrowAndHonourTheServer) {
    std::mt19937_64 random(1);
    const RetryPolicy policy{6, 1, 10};
    for (int attempt = 1; attempt < 100; ++attempt) {
        const double whole = std::min(std::pow(2.0, attempt - 1), 10.0);
        const double pause = pause_seconds(policy, attempt, std::nullopt, random);
        EXPECT_GE(pause, whole / 2);
        EXPECT_LE(pause, whole);
    }
    EXPECT_EQ(pause_seconds(policy, 1, 42.0, random), 42.0);
}

TEST(Retry, ReadsRetryAfter) {
    EXPECT_EQ(parse_retry_after("7", "", 0), 7.0);
    EXPECT_EQ(parse_retry_after("7", "1500", 0), 1.5);
    EXPECT_EQ(parse_retry_after("Thu, 01 Jan 1970 00:01:00 GMT", "", 20), 40.0);
    EXPECT_EQ(parse_retry_after("Thu, 01 Jan 1970 00:00:10 GMT", "", 20), 0.0);
    EXPECT_EQ(parse_retry_after("soon", "", 0), std::nullopt);
    EXPECT_EQ(parse_retry_after("", "", 0), std::nullopt);
    EXPECT_EQ(parse_retry_after("-5", "", 0), std::nullopt);
    EXPECT_LE(*parse_retry_after("99999999999999999999", "", 0), 24 * 3600.0);
}

TEST(Retry, KnowsTransientStatuses) {
    for (int status : {408, 409, 429, 500, 502, 503, 529}) EXPECT_TRUE(may_be_retried(status)) << status;
    for (int status : {301, 400, 401, 403, 404, 413, 422, 501})
        EXPECT_FALSE(may_be_retried(status)) << status;
}

TEST(Key, IsNotSentInTheOpenUnlessNamed) {
    ::setenv("OPENAI_API_KEY", "sk-default", 1);
    ::setenv("OTHER_KEY", " sk-other\n", 1);
    EXPECT_EQ(find_key("", "", parse_address("https://x/v1")).value, "sk-default");
    EXPECT_EQ(find_key("", "", parse_address("http://127.0.0.1/v1")).value, "sk-default");
    EXPECT_EQ(find_key("", "", parse_address("http://example.com/v1")).value, "");
    EXPECT_EQ(find_key("OTHER_KEY", "", parse_address("http://example.com/v1")).value, "sk-other");
    EXPECT_THROW(find_key("NO_SUCH_KEY", "", parse_address("https://x/v1")), InputError);
    ::setenv("OTHER_KEY", "sk\r\nHost: evil", 1);
    EXPECT_THROW(find_key("OTHER_KEY", "", parse_address("https://x/v1")), InputError);
    TemporaryFolder folder;
    write_file(folder.path() / "key", "sk-file\nnot this\n");
    EXPECT_EQ(find_key("", folder.path() / "key", parse_address("https://x/v1")).value, "sk-file");
    EXPECT_EQ(without_key("bad key sk-file, sk-file!", {"sk-file", ""}), "bad key [key], [key]!");
    ::unsetenv("OPENAI_API_KEY");
    ::unsetenv("OTHER_KEY");
}

ChatRequest full_request() {
    ChatRequest request{"m", {{"user", "hi"}}, 4, 0.5, 0.9, 100, 7, {"END"}, {{"top_k", 20}}};
    return request;
}

TEST(ChatJson, SendsWhatIsSet) {
    const Json all = to_json(full_request(), 3, 2, Dialect());
    EXPECT_EQ(all["n"], 3);
    EXPECT_EQ(all["seed"], 9);
    EXPECT_EQ(all["top_k"], 20);
    EXPECT_EQ(all["stream_options"]["include_usage"], true);
    EXPECT_EQ(all["messages"][0]["content"], "hi");
    const Json least = to_json({"m", {{"user", "hi"}}, 1, {}, {}, {}, {}, {}, Json::object()}, 1, 0,
                               Dialect{false, true, "max_tokens", {}});
    EXPECT_EQ(least.size(), 2U) << least;
}

TEST(ChatJson, LearnsFromRefusals) {
    const Json sent = to_json(full_request(), 3, 0, Dialect());
    auto learn = [&](const char* body) {
        Dialect dialect;
        learn_from_refusal(dialect, sent, Json::parse(body));
        return dialect;
    };
    // OpenAI, of a reasoning model.
    Dialect d = learn(
        R"({"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":"max_tokens","code":"unsupported_parameter"}})");
    EXPECT_EQ(d.max_tokens, "max_completion_tokens");
    EXPECT_TRUE(d.without.empty());
    d = learn(
        R"({"error":{"message":"Unsupported value: 'temperature' does not support 0.5 with this model.","param":"temperature","code":"unsupported_value"}})");
    EXPECT_THAT(d.without, ElementsAre("temperature"));
    // FastAPI and pydantic.
    d = learn(
        R"({"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted"}]})");
    EXPECT_THAT(d.without, ElementsAre("seed"));
    d = learn(R"({"error":{"message":"property 'stream_options' is unsupported"}})");
    EXPECT_THAT(d.without, ElementsAre("stream_options"));
    d = learn(R"({"error":"only n=1 is supported: 'n' unsupported"})");
    EXPECT_FALSE(d.many);
    Dialect same;
    EXPECT_EQ(
        learn_from_refusal(same, sent,
                           Json::parse(R"({"error":{"message":"temperature must be between 0 and 0.2"}})")),
        "");
    EXPECT_EQ(
        learn_from_refusal(same, sent, Json::parse(R"({"error":{"message":"unknown role: messages[0]"}})")),
        "");
}

TEST(AnswerParts, TakesChunksAndWholes) {
    AnswerParts parts;
    parts.take(
        Json::parse(R"({"choices":[{"index":1,"delta":{"role":"assistant","reasoning_content":"hm"}}]})"));
    parts.take(Json::parse(
        R"({"choices":[{"index":1,"delta":{"content":"a"}},{"index":0,"delta":{"content":"b"},"finish_reason":null}]})"));
    EXPECT_THAT(parts.take(Json::parse(R"({"choices":[{"index":1,"delta":{},"finish_reason":"stop"}]})")),
                ElementsAre(1));
    parts.take(Json::parse(R"({"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":5}})"));
    EXPECT_EQ(parts.answers().at(1).content, "a");
    EXPECT_EQ(parts.answers().at(1).reasoning, "hm");
    EXPECT_FALSE(parts.ended(0));
    EXPECT_EQ(parts.usage().completion_tokens, 5);

    AnswerParts whole;
    EXPECT_THAT(
        whole.take(Json::parse(
            R"({"choices":[{"message":{"content":[{"type":"text","text":"x"},{"type":"thinking"}]}}]})")),
        ElementsAre(0));
    EXPECT_EQ(whole.answers().at(0).content, "x");
}

TEST(AnswerParts, SurvivesWrongShapes) {
    AnswerParts parts;
    for (const char* text :
         {"null", "[]", "{}", R"({"choices":5})", R"({"choices":[5]})",
          R"({"choices":[{"index":-1,"delta":5}]})", R"({"choices":[{"index":99999999999,"delta":{}}]})",
          R"({"usage":[]})", R"({"choices":[{"index":"0","message":null}]})",
          R"({"usage":{"prompt_tokens":"many"}})", R"({"choices":[{"delta":{"content":[1,{"type":2}]}}]})"})
        parts.take(Json::parse(text));
    parts.take(Json::parse(R"({"error":{"message":"over\nloaded"}})"));
    EXPECT_EQ(parts.error(), "over loaded");
}

}  // namespace
}  // namespace tritonsmith::endpoint
