#include "endpoint/http_call.h"

#include <fmt/format.h>
#include <httplib.h>

namespace tritonsmith::endpoint {
namespace {

constexpr size_t kMostBytes = size_t{64} << 20;

std::unique_ptr<httplib::Client> connect(const Address& address) {
    std::unique_ptr<httplib::Client> client;
    switch (address.kind) {
        case Address::Kind::unix_socket:
            client = std::make_unique<httplib::Client>(address.host);
            client->set_address_family(AF_UNIX);
            break;
        default: {
            const std::string host =
                address.host.find(':') == std::string::npos ? address.host : "[" + address.host + "]";
            client = std::make_unique<httplib::Client>(fmt::format(
                "{}://{}:{}", address.kind == Address::Kind::https ? "https" : "http", host, address.port));
        }
    }
    return client;
}

std::chrono::microseconds microseconds(double seconds) {
    return std::chrono::microseconds(static_cast<int64_t>(seconds * 1e6));
}

void explain(HttpAnswer& answer, httplib::Error error, const HttpRequest& request, bool connected) {
    const std::string where = request.address->text();
    switch (error) {
        case httplib::Error::Connection:
        case httplib::Error::BindIPAddress:
        case httplib::Error::ConnectionTimeout:
            answer.failure = "cannot connect to " + where;
            break;
        case httplib::Error::SSLServerVerification:
            answer.failure =
                "the certificate of " + where +
                " is not trusted by this machine (SSL_CERT_FILE sets another file of authorities)";
            answer.hopeless = true;
            break;
        case httplib::Error::SSLLoadingCerts:
            answer.failure =
                "the certificate authorities of this machine cannot be read (SSL_CERT_FILE, SSL_CERT_DIR)";
            answer.hopeless = true;
            break;
        case httplib::Error::SSLConnection:
            answer.failure = "no TLS connection with " + where;
            break;
        default:
            answer.failure =
                connected ? "the connection broke in the middle of the answer" : "the connection broke";
    }
}

}  // namespace

HttpAnswer http_call(const HttpRequest& request, Watchdog& watchdog) {
    HttpAnswer answer;
    const std::unique_ptr<httplib::Client> client = connect(*request.address);
    client->set_connection_timeout(microseconds(request.connect_seconds));
    client->set_read_timeout(microseconds(request.silent_seconds));
    client->set_write_timeout(microseconds(request.silent_seconds));
    client->set_tcp_nodelay(true);

    httplib::Request http;
    http.method = request.method;
    http.path = request.path;
    http.body = request.body;
    http.headers = {{"Accept", "application/json, text/event-stream"},
                    {"Accept-Encoding", "identity"},
                    {"Connection", "close"},
                    {"User-Agent", "tritonsmith"}};
    if (request.address->kind == Address::Kind::unix_socket) http.headers.emplace("Host", "localhost");
    if (!request.body.empty()) http.headers.emplace("Content-Type", "application/json");
    if (!request.key->value.empty()) http.headers.emplace("Authorization", "Bearer " + request.key->value);

    std::string type;
    bool too_long = false;
    http.response_handler = [&](const httplib::Response& head) {
        answer.status = head.status;
        answer.reason = head.reason;
        answer.retry_after = head.get_header_value("Retry-After");
        answer.retry_after_ms = head.get_header_value("retry-after-ms");
        answer.location = head.get_header_value("Location");
        type = head.get_header_value("Content-Type");
        return true;
    };
    http.content_receiver = [&](const char* data, size_t size, uint64_t, uint64_t) {
        if (answer.status == 200 && request.on_bytes) {
            answer.ended_by_receiver = !request.on_bytes({data, size}, type);
            return !answer.ended_by_receiver;
        }
        too_long = answer.body.size() + size > kMostBytes;
        if (!too_long) answer.body.append(data, size);
        return !too_long;
    };

    httplib::Response ignored;
    httplib::Error error = httplib::Error::Success;
    const Clock::time_point begin = Clock::now();
    bool whole = false, ended = false;
    {
        Watchdog::Call call(watchdog, request.deadline, [&client] { client->stop(); });
        whole = client->send(http, ignored, error);
        ended = call.ended();
    }
    // A connection that the watchdog closed looks like one that the server closed.
    if ((whole && !ended) || answer.ended_by_receiver) return answer;
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    answer.cancelled = watchdog.cancelled();
    answer.timed_out = ended && !answer.cancelled;
    if (answer.cancelled)
        answer.failure = "cancelled";
    else if (answer.timed_out)
        answer.failure = fmt::format("no complete answer within {:.0f} s", seconds);
    else if (too_long)
        answer.failure = "the answer is longer than 64 MiB", answer.hopeless = true;
    else if (error == httplib::Error::Read && seconds >= request.silent_seconds)
        answer.failure = fmt::format("no data for {:.0f} s", request.silent_seconds);
    else
        explain(answer, error, request, answer.status != 0);
    return answer;
}

}  // namespace tritonsmith::endpoint
