#include "endpoint/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "endpoint/scripted_server_testing.h"

namespace tritonsmith::endpoint {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Server = ScriptedServer;

constexpr const char* kWhole =
    R"({"choices":[{"index":0,"message":{"content":"hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}})";

std::string chunk(int index, const std::string& text, const char* finish = nullptr) {
    Json choice = {{"index", index}, {"delta", {{"content", text}}}, {"finish_reason", nullptr}};
    if (finish) choice["finish_reason"] = finish;
    return "data: " + Json{{"choices", {choice}}}.dump() + "\n\n";
}

ClientOptions options_for(const Server& server) {
    ClientOptions options;
    options.address = parse_address(server.url());
    options.retry = {4, 0.01, 0.05};
    return options;
}

struct Outcome {
    std::vector<std::string> answers;
    Usage usage;
    std::string error;
    std::vector<std::string> notes;
};

Outcome ask(const Server& server, int n = 1, std::function<void(ClientOptions&)> change = {}) {
    Outcome out;
    ClientOptions options = options_for(server);
    options.on_note = [&](const std::string& note) { out.notes.push_back(note); };
    if (change) change(options);
    Client client(options);
    ChatRequest request;
    request.model = "m";
    request.messages = {{"user", "hi"}};
    request.n = n;
    request.seed = 5;
    try {
        out.usage =
            client.chat(request, {[&](int, Answer answer) { out.answers.push_back(answer.content); }, {}});
    } catch (const InputError& error) {
        out.error = std::string("input: ") + error.what();
    } catch (const MachineError& error) {
        out.error = std::string("machine: ") + error.what();
    } catch (const Cancelled&) {
        out.error = "cancelled";
    }
    return out;
}

TEST(Client, TakesWholeAndStreamedAnswers) {
    Server whole({Server::reply(200, kWhole)});
    Outcome out = ask(whole);
    EXPECT_THAT(out.answers, ElementsAre("hello"));
    EXPECT_EQ(out.usage.prompt_tokens, 3);
    EXPECT_THAT(whole.seen()[0].head, HasSubstr("POST /v1/chat/completions HTTP/1.1"));

    Server streamed({Server::stream(
        chunk(0, "he") + chunk(1, "wo") + chunk(1, "rld", "stop") + chunk(0, "llo", "length") +
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":4}}\n\ndata: "
        "[DONE]\n\n")});
    out = ask(streamed, 2);
    EXPECT_THAT(out.answers, ElementsAre("world", "hello"));
    EXPECT_EQ(out.usage.completion_tokens, 4);
}

TEST(Client, SendsTheKeyAndNeverShowsIt) {
    Server server({Server::reply(401, R"({"error":{"message":"Incorrect API key provided: sk-secret."}})")});
    const Outcome out = ask(server, 1, [](ClientOptions& o) { o.key = {"sk-secret", "$OPENAI_API_KEY"}; });
    EXPECT_THAT(server.seen()[0].head, HasSubstr("Authorization: Bearer sk-secret"));
    EXPECT_THAT(out.error, HasSubstr("input: "));
    EXPECT_THAT(out.error, HasSubstr("$OPENAI_API_KEY"));
    EXPECT_THAT(out.error, Not(HasSubstr("sk-secret")));
    EXPECT_EQ(server.seen().size(), 1U);
}

TEST(Client, RetriesTransientFailures) {
    Server server({Server::reply(429, R"({"error":{"message":"slow down"}})", "Retry-After: 1\r\n"),
                   Server::reply(503, "<html>busy</html>", "", "text/html"), Server::drop(),
                   Server::stream(chunk(0, "hel") + "data: {\"cho"),
                   Server::stream(chunk(0, "hello", "stop"))});
    const Clock::time_point begin = Clock::now();
    const Outcome out = ask(server, 1, [](ClientOptions& o) { o.retry.attempts = 6; });
    EXPECT_THAT(out.answers, ElementsAre("hello")) << out.error;
    EXPECT_GE(Clock::now() - begin, std::chrono::seconds(1));
    EXPECT_EQ(server.seen().size(), 5U);
    EXPECT_THAT(out.notes[0], HasSubstr("slow down"));
}

TEST(Client, GivesUpAfterItsAttempts) {
    Server server({Server::reply(500, R"({"error":{"message":"broken"}})")});
    const Outcome out = ask(server);
    EXPECT_THAT(out.error, HasSubstr("machine: "));
    EXPECT_THAT(out.error, HasSubstr("status 500 Said: broken (4 attempts)"));
    EXPECT_EQ(server.seen().size(), 4U);
}

TEST(Client, KeepsAnswersThatCameBeforeAStreamBroke) {
    Server server({Server::stream(chunk(0, "one", "stop") + chunk(1, "tw")),
                   Server::stream(chunk(0, "two", "stop") + "data: [DONE]\n\n")});
    const Outcome out = ask(server, 2);
    EXPECT_THAT(out.answers, ElementsAre("one", "two")) << out.error;
    EXPECT_EQ(server.seen()[0].body["n"], 2);
    EXPECT_FALSE(server.seen()[1].body.contains("n"));
    EXPECT_EQ(server.seen()[1].body["seed"], 6) << "the second answer has a seed of its own";
}

TEST(Client, AsksAgainIfNIsIgnored) {
    Server server({Server::reply(200, kWhole)});
    const Outcome out = ask(server, 3);
    EXPECT_EQ(out.answers.size(), 3U);
    EXPECT_EQ(server.seen().size(), 3U);
    EXPECT_EQ(out.usage.prompt_tokens, 9);
    EXPECT_FALSE(server.seen()[2].body.contains("n"));
}

TEST(Client, LeavesOutWhatIsRefused) {
    Server server(
        {Server::reply(400, R"({"error":{"message":"Unrecognized request argument supplied: seed"}})"),
         Server::reply(
             422, R"({"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]})"),
         Server::reply(200, kWhole)});
    const Outcome out = ask(server);
    EXPECT_THAT(out.answers, ElementsAre("hello")) << out.error;
    const std::vector<Server::Seen> seen = server.seen();
    EXPECT_TRUE(seen[0].body.contains("seed"));
    EXPECT_FALSE(seen[1].body.contains("seed"));
    EXPECT_FALSE(seen[2].body.contains("stream_options"));
}

TEST(Client, ReportsWhatIsWrongWithTheRequest) {
    Server bad({Server::reply(400, R"({"error":{"message":"max_tokens is too large: 99999"}})")});
    EXPECT_THAT(ask(bad).error, HasSubstr("input: endpoint " + bad.url() +
                                          "/v1: status 400 Said: max_tokens is too large: 99999"));
    Server missing({Server::reply(404, R"({"error":{"message":"The model `m` does not exist"}})")});
    EXPECT_THAT(ask(missing).error, HasSubstr("check the model's name"));
    Server moved({Server::reply(301, "", "Location: https://elsewhere/v1\r\n")});
    EXPECT_THAT(ask(moved).error, HasSubstr("https://elsewhere/v1"));
    Server poor({Server::reply(
        429, R"({"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}})")});
    EXPECT_THAT(ask(poor).error, HasSubstr("machine: "));
    EXPECT_EQ(poor.seen().size(), 1U);
    Server html({Server::reply(200, "<html>hello</html>", "", "text/html")});
    EXPECT_THAT(ask(html).error, HasSubstr("not a completion"));
    Server sse_error({Server::stream("data: {\"error\":{\"message\":\"overloaded\"}}\n\n")});
    EXPECT_THAT(ask(sse_error).error, HasSubstr("overloaded (4 attempts)"));
}

TEST(Client, EndsWhatIsTooSlow) {
    Server dripping({[](int fd, const Server::Seen&) {
        Server::send(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
        for (int i = 0; i < 30; ++i) {  // never silent, and never done
            Server::send(fd, ": wait\n\n");
            ::usleep(50000);
        }
    }});
    Clock::time_point begin = Clock::now();
    Outcome out = ask(dripping, 1, [](ClientOptions& o) { o.request_seconds = 0.5, o.retry.attempts = 1; });
    EXPECT_THAT(out.error, HasSubstr("no complete answer within"));
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(3));

    Server silent({[](int, const Server::Seen&) { ::usleep(1500000); }});
    out = ask(silent, 1, [](ClientOptions& o) { o.silent_seconds = 0.3, o.retry.attempts = 1; });
    EXPECT_THAT(out.error, HasSubstr("no data for"));

    Server busy({Server::reply(503, "", "Retry-After: 60\r\n")});
    begin = Clock::now();
    out = ask(busy, 1, [](ClientOptions& o) { o.deadline = Clock::now() + std::chrono::seconds(5); });
    EXPECT_THAT(out.error, HasSubstr("deadline"));
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(3)) << "no use in waiting";
}

TEST(Client, IsCancelledAtOnce) {
    Server silent({[](int, const Server::Seen&) { ::usleep(3000000); }});
    std::atomic<bool> cancel = false;
    auto out = std::async(std::launch::async,
                          [&] { return ask(silent, 1, [&](ClientOptions& o) { o.cancel = &cancel; }); });
    ::usleep(200000);
    cancel = true;
    const Clock::time_point begin = Clock::now();
    EXPECT_EQ(out.get().error, "cancelled");
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(1));
}

TEST(Client, ReportsThatNobodyListens) {
    std::string url;
    {
        Server gone({Server::drop()});
        url = gone.url();
    }
    ClientOptions options;
    options.address = parse_address(url);
    options.retry = {2, 0.01, 0.01};
    Client client(options);
    EXPECT_THROW(
        {
            try {
                client.models();
            } catch (const MachineError& error) {
                EXPECT_THAT(error.what(), HasSubstr("cannot connect to " + url));
                throw;
            }
        },
        MachineError);
}

TEST(Client, KeepsToItsConcurrency) {
    std::atomic<int> now = 0, most = 0;
    Server server({[&](int fd, const Server::Seen& seen) {
        most = std::max(most.load(), ++now);
        ::usleep(100000);
        --now;
        Server::reply(200, kWhole)(fd, seen);
    }});
    ClientOptions options = options_for(server);
    options.concurrency = 2;
    Client client(options);
    std::vector<std::future<void>> calls;
    for (int i = 0; i < 6; ++i)
        calls.push_back(std::async(std::launch::async, [&] {
            client.chat({"m", {{"user", "x"}}, 1, {}, {}, {}, {}, {}, Json::object()}, {});
        }));
    for (auto& call : calls) call.get();
    EXPECT_EQ(most.load(), 2);
}

TEST(Client, ListsModels) {
    Server server({Server::reply(200, R"({"object":"list","data":[{"id":"a"},{"id":"b"},{"no":1}]})")});
    Client client(options_for(server));
    EXPECT_THAT(client.models(), ElementsAre("a", "b"));
    EXPECT_THAT(server.seen()[0].head, HasSubstr("GET /v1/models"));
}

}  // namespace
}  // namespace tritonsmith::endpoint
