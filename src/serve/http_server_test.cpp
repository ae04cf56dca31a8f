// Clients that do what well-behaved ones do not, byte by byte.
#include "serve/http_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <thread>

#include "base/process/files.h"

namespace tritonsmith::serve {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Running {
  public:
    explicit Running(HttpServer::Options options = {})
        : server(options), listener_(listen_on("127.0.0.1", 0)) {
        server.set_payload_max_length(options.limits.request_bytes - 4096);
        server.Post("/echo", [](const httplib::Request& request, httplib::Response& response) {
            response.set_content(request.body, "text/plain");
        });
        server.Get("/wait", [this](const httplib::Request&, httplib::Response& response) {
            ++waiting;
            while (!HttpServer::current()->gone() && !let_go)
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            if (HttpServer::current()->gone()) ++left;
            response.set_content("waited", "text/plain");
        });
        server.Get("/stream", [this](const httplib::Request&, httplib::Response& response) {
            response.set_chunked_content_provider(
                "text/event-stream",
                [this](size_t, httplib::DataSink& sink) {
                    if (HttpServer::current()->gone()) return false;
                    std::this_thread::sleep_for(std::chrono::milliseconds(5));
                    if (let_go) sink.done();
                    return let_go || sink.write("tick\n", 5);
                },
                [this](bool success) { left += !success; });
        });
        thread_ = std::thread([this] { server.serve(listener_); });
    }
    ~Running() {
        let_go = true;
        server.drain();
        thread_.join();
    }
    Fd connect() const {
        Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<uint16_t>(listener_.port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
        return fd;
    }

    HttpServer server;
    std::atomic<int> waiting = 0, left = 0;
    std::atomic<bool> let_go = false;

  private:
    Listener listener_;
    std::thread thread_;
};

void send(const Fd& fd, const std::string& text) {
    ::send(fd.get(), text.data(), text.size(), MSG_NOSIGNAL);
}

/// What comes until the server closes, or `enough` is in it.
std::string receive(const Fd& fd, const std::string& enough = "\x01") {
    std::string out;
    char buffer[4096];
    for (ssize_t n; (n = ::recv(fd.get(), buffer, sizeof(buffer), 0)) > 0;) {
        out.append(buffer, static_cast<size_t>(n));
        if (out.find(enough) != std::string::npos) break;
    }
    return out;
}

void eventually(const std::function<bool()>& condition) {
    for (int i = 0; i < 400 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(condition());
}

TEST(HttpServer, KeepsConnectionsAndTakesPipelinedRequests) {
    const Running running;
    const Fd fd = running.connect();
    send(fd,
         "POST /echo HTTP/1.1\r\nContent-Length: 3\r\n\r\nonePOST /echo HTTP/1.1\r\nTransfer-Encoding: "
         "chunked\r\n\r\n3\r\ntwo\r\n0\r\n\r\n");
    EXPECT_THAT(receive(fd, "two"), testing::AllOf(HasSubstr("\r\n\r\none"), HasSubstr("\r\n\r\ntwo")));
    send(fd, "GET /nowhere HTTP/1.1\r\nConnection: close\r\n\r\n");
    EXPECT_THAT(receive(fd), StartsWith("HTTP/1.1 404"));
}

TEST(HttpServer, GivesAnswersWholeWhateverIsAsked) {
    const Running running;
    const Fd fd = running.connect();
    send(fd,
         "POST /echo HTTP/1.1\r\nContent-Length: 6\r\nRange: bytes=1-2\r\nAccept-Encoding: gzip, "
         "br\r\nConnection: close\r\n\r\nabcdef");
    EXPECT_THAT(receive(fd), testing::AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("\r\n\r\nabcdef"),
                                            Not(HasSubstr("gzip"))));
}

TEST(HttpServer, BoundsBodiesHoweverTheyAreSent) {
    HttpServer::Options options;
    options.limits.request_bytes = 20000;
    const Running running(options);
    Fd fd = running.connect();
    send(fd, "POST /echo HTTP/1.1\r\nContent-Length: 100000000\r\n\r\n");
    EXPECT_THAT(receive(fd, "\r\n\r\n"), StartsWith("HTTP/1.1 413"));
    fd = running.connect();
    send(fd, "POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < 100; ++i) send(fd, "3e8\r\n" + std::string(1000, 'x') + "\r\n");
    EXPECT_THAT(receive(fd), Not(StartsWith("HTTP/1.1 200")));
    fd = running.connect();  // a header that never ends
    for (int i = 0; i < 100; ++i)
        send(fd, i == 0 ? "GET /wait HTTP/1.1\r\n" : fmt::format("X-{}: {}\r\n", i, std::string(1000, 'x')));
    EXPECT_THAT(receive(fd), Not(StartsWith("HTTP/1.1 200")));
    EXPECT_EQ(running.waiting, 0);
    eventually([&] { return running.server.connections() == 0; });
}

TEST(HttpServer, RequestsHaveADeadline) {
    HttpServer::Options options;
    options.limits.request_seconds = 0.3;
    options.keep_alive_seconds = 0.3;
    const Running running(options);
    const Fd silent = running.connect(), slow = running.connect();
    const Clock::time_point begin = Clock::now();
    std::thread drip([&] {
        for (char c : std::string("GET /wait HTTP/1.1\r\nX: 1\r\nX: 2\r\n\r\n")) {
            send(slow, std::string(1, c));
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    });
    EXPECT_EQ(receive(silent), "");
    receive(slow);
    EXPECT_LT(Clock::now() - begin, std::chrono::milliseconds(1500));
    drip.join();
    EXPECT_EQ(running.waiting, 0);
}

TEST(HttpServer, SeesThatAClientLeft) {
    Running running;
    for (const char* path : {"/wait", "/stream"}) {
        Fd fd = running.connect();
        send(fd, fmt::format("GET {} HTTP/1.1\r\n\r\n", path));
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        fd.reset();
    }
    eventually([&] { return running.left == 2; });
    eventually([&] { return running.server.connections() == 0; });
}

TEST(HttpServer, RefusesTooManyConnections) {
    HttpServer::Options options;
    options.connections = 2;
    Running running(options);
    const Fd one = running.connect(), two = running.connect();
    send(one, "GET /wait HTTP/1.1\r\n\r\n");
    send(two, "GET /wait HTTP/1.1\r\n\r\n");
    eventually([&] { return running.waiting == 2; });
    const std::string answer = receive(running.connect());
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 503"));
    EXPECT_NO_THROW(EXPECT_TRUE(Json::parse(answer.substr(answer.find("\r\n\r\n") + 4)).contains("error")));
}

TEST(HttpServer, LetsAnswersInProgressEnd) {
    Running running;
    const Fd waits = running.connect(), streams = running.connect(), idle = running.connect();
    send(waits, "GET /wait HTTP/1.1\r\n\r\n");
    send(streams, "GET /stream HTTP/1.1\r\n\r\n");
    eventually([&] { return running.waiting == 1; });
    EXPECT_THAT(receive(streams, "tick"), HasSubstr("tick"));
    running.server.drain();
    EXPECT_EQ(receive(idle), "") << "an idle connection ends at once";
    running.let_go = true;
    EXPECT_THAT(receive(waits), HasSubstr("waited"));
    EXPECT_THAT(receive(streams), testing::EndsWith("0\r\n\r\n"));
}

TEST(Listener, SaysWhyItCannot) {
    const Listener first = listen_on("127.0.0.1", 0);
    EXPECT_THROW(listen_on("127.0.0.1", first.port), MachineError);
    EXPECT_THROW(listen_on("no such host", 1), InputError);
    const TemporaryFolder folder;
    const std::string path = folder.path() / "s";
    {
        const Listener socket = listen_on_socket(path);
        EXPECT_THROW(listen_on_socket(path), MachineError) << "another server is there";
    }
    EXPECT_NO_THROW(listen_on_socket(path)) << "the one there is dead";
    write_file(folder.path() / "file", "x");
    EXPECT_THROW(listen_on_socket(folder.path() / "file"), InputError);
    EXPECT_THROW(listen_on_socket(std::string(200, 'x')), InputError);
}

}  // namespace
}  // namespace tritonsmith::serve
