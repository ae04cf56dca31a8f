#include "serve/completion_handler.h"

#include <fmt/format.h>

#include <ctime>
#include <random>

#include "base/json.h"
#include "serve/api_error.h"
#include "serve/http_server.h"
#include "serve/response_json.h"

namespace tritonsmith::serve {
namespace {

// Clients and proxies treat a longer silence as a dead server.
constexpr std::chrono::seconds kSilence{10};
constexpr std::chrono::milliseconds kLook{
    100};  // how often a waiting thread checks whether its client is still connected

std::string random_id() {
    std::random_device device;
    return fmt::format("{:08x}{:08x}{:08x}", device(), device(), device());
}

}  // namespace

/// One request in progress. Its destructor cancels what is left of its samples and counts it.
class CompletionHandler::Running {
  public:
    Running(CompletionHandler& handler, CompletionRequest given, Clock::time_point arrived)
        : handler_(handler),
          arrived_(arrived),
          request(std::move(given)),
          answers(std::make_shared<Answers>(request, handler.context_.tokenizer, arrived)),
          json(request,
               {(request.chat ? "chatcmpl-" : "cmpl-") + random_id(), handler.context_.model_name,
                std::time(nullptr)},
               handler.context_.tokenizer) {}

    /// @throws ApiError
    void submit() {
        for (size_t i = 0; i < request.prompts.size(); ++i) {
            std::lock_guard lock(handler_.mutex_);
            if (handler_.cancelled_) throw ApiError(503, "the server is shutting down");
            try {
                engine::Request one = request.prompts[i];
                handler_.submitted_.emplace(
                    this, handler_.generator_.submit(std::move(one), answers->listener(static_cast<int>(i))));
            } catch (const InputError& error) {
                throw ApiError(400, error.what(), request.chat ? "messages" : "prompt");
            }
        }
    }
    void finish(int status) { status_ = status; }
    bool client_gone() const { return HttpServer::current() && HttpServer::current()->gone(); }

    ~Running() {
        std::vector<uint64_t> ids;
        {
            std::lock_guard lock(handler_.mutex_);
            const auto [first, last] = handler_.submitted_.equal_range(this);
            for (auto it = first; it != last; ++it) ids.push_back(it->second);
            handler_.submitted_.erase(first, last);
        }
        if (!answers->over())
            for (uint64_t id : ids) handler_.generator_.cancel(id);
        if (status_ == 0) handler_.metrics_.count_disconnect();
        // Others are counted by the server's logger.
        if (status_ == 200 || status_ == 0)
            handler_.metrics_.count_request(request.chat ? "/v1/chat/completions" : "/v1/completions",
                                            status_ == 0 ? 499 : status_,
                                            std::chrono::duration<double>(Clock::now() - arrived_).count());
        handler_.metrics_.count_choices(answers->times());
        --handler_.in_progress_;
    }

  private:
    CompletionHandler& handler_;
    Clock::time_point arrived_;
    int status_ = 0;  // 0: the client left

  public:
    const CompletionRequest request;
    const std::shared_ptr<Answers> answers;
    ResponseJson json;
};

void CompletionHandler::handle(const httplib::Request& http, httplib::Response& response, bool chat) {
    const Clock::time_point arrived = Clock::now();
    if (++in_progress_ > most_) {
        --in_progress_;
        throw ApiError(429, fmt::format("{} requests are in progress, which is the limit", most_), "",
                       "too_many_requests");
    }
    std::shared_ptr<Running> running;
    try {
        running = std::make_shared<Running>(
            *this, chat ? parse_chat(http.body, context_) : parse_completion(http.body, context_), arrived);
    } catch (...) {
        --in_progress_;
        throw;
    }
    try {
        running->submit();
        if (running->request.stream)
            answer_stream(std::move(running), response);
        else
            answer_whole(running, response);
    } catch (const ApiError& error) {
        if (running) running->finish(error.status);
        throw;
    }
}

void CompletionHandler::answer_whole(const std::shared_ptr<Running>& running, httplib::Response& response) {
    std::vector<Piece> pieces;
    while (!running->answers->over()) {
        if (running->client_gone()) {
            HttpServer::current()->close_after_this();
            response.status = 499;  // the client has left
            return;
        }
        pieces = running->answers->wait(kLook, false);
    }
    if (pieces.empty()) pieces = running->answers->wait(std::chrono::milliseconds(0), false);
    for (const Piece& piece : pieces)
        if (piece.failed)
            throw ApiError(piece.error.find("shutting down") != std::string::npos ? 503 : 500, piece.error);
    response.set_content(dump(running->json.whole(pieces, running->answers->completion_tokens())),
                         "application/json");
    running->finish(200);
}

void CompletionHandler::answer_stream(std::shared_ptr<Running> running, httplib::Response& response) {
    response.set_header("Cache-Control", "no-cache");
    response.set_header("X-Accel-Buffering", "no");
    const auto spoken = std::make_shared<Clock::time_point>(Clock::now());
    response.set_chunked_content_provider("text/event-stream", [running, spoken](size_t,
                                                                                 httplib::DataSink& sink) {
        if (running->client_gone()) return false;
        const bool last = running->answers->over();  // read before wait(), so that no piece is missed
        std::string out;
        bool failed = false;
        for (const Piece& piece : running->answers->wait(last ? std::chrono::milliseconds(0) : kLook, true)) {
            if (piece.failed) {
                out += "data: " + dump(to_json(ApiError(500, piece.error))) + "\n\n";
                failed = true;
                break;
            }
            for (const Json& chunk : running->json.chunks(piece)) out += "data: " + dump(chunk) + "\n\n";
        }
        if (last && !failed && running->request.include_usage)
            out += "data: " + dump(running->json.usage_chunk(running->answers->completion_tokens())) + "\n\n";
        if (last && !failed) out += "data: [DONE]\n\n";
        if (out.empty() && Clock::now() - *spoken > kSilence) out = ": waiting\n\n";
        if (!out.empty()) {
            if (!sink.write(out.data(), out.size())) return false;
            *spoken = Clock::now();
        }
        if (last || failed) {
            running->finish(200);
            sink.done();
        }
        return true;
    });
}

bool CompletionHandler::cancel_all() {
    std::vector<uint64_t> ids;
    {
        std::lock_guard lock(mutex_);
        cancelled_ = true;
        for (const auto& [running, id] : submitted_) ids.push_back(id);
    }
    for (uint64_t id : ids) generator_.cancel(id);
    return !ids.empty();
}

}  // namespace tritonsmith::serve
