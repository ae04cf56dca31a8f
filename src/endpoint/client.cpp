#include "endpoint/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/json.h"
#include "endpoint/event_stream.h"

namespace tritonsmith::endpoint {
namespace {

constexpr JsonLimits kLimits{int64_t{64} << 20, 64, int64_t{1} << 20};

Json parsed(const std::string& text) {
    return parse_untrusted_json(text, kLimits).value_or(Json());
}

}  // namespace

Client::Client(ClientOptions options)
    : options_(std::move(options)), watchdog_(options_.cancel), random_(std::random_device{}()) {
    dialect_.stream = options_.stream;
}

Dialect Client::dialect() const {
    std::lock_guard lock(mutex_);
    return dialect_;
}

void Client::note(const std::string& text) const {
    if (options_.on_note) options_.on_note(text);
}

HttpAnswer Client::call(HttpRequest request) {
    {
        std::unique_lock lock(mutex_);
        while (busy_ >= options_.concurrency) {
            slot_free_.wait_for(lock, std::chrono::milliseconds(50));
            if (watchdog_.cancelled()) throw Cancelled();
        }
        ++busy_;
    }
    request.address = &options_.address;
    request.key = &options_.key;
    request.path = options_.address.prefix + request.path;
    request.connect_seconds = options_.connect_seconds;
    request.silent_seconds = options_.silent_seconds;
    request.deadline =
        Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(options_.request_seconds * 1e3));
    if (options_.deadline) request.deadline = std::min(*request.deadline, *options_.deadline);
    const std::unique_ptr<Client, void (*)(Client*)> slot(this, [](Client* client) {
        {
            std::lock_guard lock(client->mutex_);
            --client->busy_;
        }
        client->slot_free_.notify_one();
    });
    HttpAnswer answer = http_call(request, watchdog_);
    if (answer.cancelled) throw Cancelled();
    return answer;
}

Client::Attempt Client::ask(const ChatRequest& request, int n, int first, const Dialect& dialect, Json& sent,
                            const ChatEvents& events) {
    Attempt attempt;
    sent = to_json(request, n, first, dialect);
    bool done = false, failed = false;
    auto deliver = [&](const std::vector<int>& ended) {
        for (int index : ended) {
            if (attempt.delivered >= n) return;  // more than requested
            if (events.on_answer)
                events.on_answer(first + attempt.delivered, attempt.parts.answers().at(index));
            ++attempt.delivered;
        }
    };
    EventStream stream([&](const std::string& data) {
        if (data == "[DONE]") {
            done = true;
            return;
        }
        if (done || failed) return;
        deliver(attempt.parts.take(parsed(data)));
        failed = !attempt.parts.error().empty();
    });
    std::string whole;
    HttpRequest http;
    http.path = "/chat/completions";
    http.body = dump(sent);
    http.on_bytes = [&](std::string_view bytes, const std::string& type) {
        if (events.on_text) events.on_text(bytes.size());
        if (type.starts_with("text/event-stream")) return stream.feed(bytes) && !done && !failed;
        whole.append(bytes);
        return whole.size() <= static_cast<size_t>(kLimits.bytes);
    };
    attempt.http = call(std::move(http));
    if (!whole.empty() && attempt.http.failure.empty()) {
        deliver(attempt.parts.take(parsed(whole)));
        done = attempt.parts.any();
    }
    // Some servers end a stream without finish_reason: its end is the end of its answers.
    if (done && attempt.parts.error().empty())
        for (const auto& [index, answer] : attempt.parts.answers())
            if (!attempt.parts.ended(index)) deliver({index});
    return attempt;
}

Usage Client::chat(const ChatRequest& request, const ChatEvents& events) {
    Usage usage;
    int failures = 0;
    for (int delivered = 0; delivered < request.n;) {
        const Dialect dialect = this->dialect();
        const int n = dialect.many ? request.n - delivered : 1;
        Json sent;
        const Attempt attempt = ask(request, n, delivered, dialect, sent, events);
        delivered += attempt.delivered;
        usage.add(attempt.parts.usage());
        const HttpAnswer& http = attempt.http;
        if (http.status == 400 || http.status == 422) {
            std::lock_guard lock(mutex_);
            const std::string change = learn_from_refusal(dialect_, sent, parsed(http.body));
            if (!change.empty()) {
                note(fmt::format("{} refuses a field: {}", options_.address.text(), change));
                continue;
            }
        }
        const bool half = static_cast<int>(attempt.parts.answers().size()) > attempt.delivered;
        if (http.status == 200 && http.failure.empty() && attempt.parts.error().empty() &&
            attempt.delivered > 0 && (!half || attempt.delivered == n)) {
            failures = 0;
            if (attempt.delivered < n) {
                std::lock_guard lock(mutex_);
                dialect_.many = false;
                note("the endpoint ignores n: answers are requested one by one");
            }
            continue;
        }
        std::string what = describe(http);
        if (http.status == 200 && http.failure.empty())
            what = attempt.parts.error().empty() ? (http.ended_by_receiver || attempt.parts.any()
                                                        ? "the stream ended without finish_reason"
                                                        : "the answer is not a completion")
                                                 : without_key(attempt.parts.error(), options_.key);
        if (attempt.delivered > 0) failures = 0;
        wait_or_throw(http, what, ++failures);
    }
    return usage;
}

std::vector<std::string> Client::models() {
    for (int failures = 0;;) {
        HttpRequest http;
        http.method = "GET";
        http.path = "/models";
        const HttpAnswer answer = call(std::move(http));
        const Json body = parsed(answer.body);
        if (answer.status == 200 && body.is_object() && body.contains("data") && body["data"].is_array()) {
            std::vector<std::string> names;
            for (const Json& model : body["data"])
                if (model.is_object() && model.contains("id") && model["id"].is_string())
                    names.push_back(model["id"]);
            return names;
        }
        wait_or_throw(answer,
                      answer.status == 200 && answer.failure.empty() ? "the answer is not a list of models"
                                                                     : describe(answer),
                      ++failures);
    }
}

std::string Client::describe(const HttpAnswer& answer) const {
    if (answer.status == 0 || (answer.status == 200 && !answer.failure.empty())) return answer.failure;
    std::string text = fmt::format("status {}", answer.status);
    if (!answer.reason.empty()) text += " " + answer.reason;
    const std::string message = error_message(parsed(answer.body));
    return without_key(message.empty() ? text : text + ": " + message, options_.key);
}

void Client::wait_or_throw(const HttpAnswer& answer, const std::string& what, int attempt) {
    if (watchdog_.cancelled()) throw Cancelled();
    const std::string where = options_.address.text();
    const bool had_its_say = answer.status != 200 && answer.status != 0;
    if (had_its_say && !may_be_retried(answer.status)) refuse(answer);
    if (answer.hopeless) throw MachineError(what);
    const Json body = parsed(answer.body);
    if (answer.status == 429 && error_code(body) == "insufficient_quota")
        throw MachineError(fmt::format("endpoint {}: {}", where, what));
    if (options_.deadline && Clock::now() >= *options_.deadline)
        throw MachineError(fmt::format("endpoint {}: the deadline has passed ({})", where, what));
    if (attempt >= options_.retry.attempts)
        throw MachineError(fmt::format("endpoint {}: {} ({} attempts)", where, what, attempt));
    double pause = 0;
    {
        std::lock_guard lock(mutex_);
        pause = pause_seconds(
            options_.retry, attempt,
            parse_retry_after(answer.retry_after, answer.retry_after_ms, std::time(nullptr)), random_);
    }
    if (options_.deadline && Clock::now() + std::chrono::duration<double>(pause) >= *options_.deadline)
        throw MachineError(
            fmt::format("endpoint {}: {}; the deadline is before the next attempt", where, what));
    note(fmt::format("{}: retrying in {:.1f} s", what, pause));
    if (!watchdog_.sleep(pause, options_.deadline)) throw Cancelled();
}

void Client::refuse(const HttpAnswer& answer) const {
    const std::string where = options_.address.text(), what = describe(answer);
    std::string fix;
    if (answer.status == 401 || answer.status == 403)
        fix = options_.key.value.empty() ? "; give a key with --api-key-env or --api-key-file"
                                         : "; the key came from " + options_.key.source;
    else if (answer.status == 404)
        fix = "; check the model's name and the base URL (it usually ends in /v1)";
    else if (answer.status >= 300 && answer.status < 400)
        fix = answer.location.empty() ? "" : "; it redirects to " + answer.location + ": use that address";
    throw InputError(fmt::format("endpoint {}: {}{}", where, what, fix));
}

}  // namespace tritonsmith::endpoint
