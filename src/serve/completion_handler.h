#pragma once

#include <httplib.h>

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

#include "serve/answers.h"
#include "serve/metrics.h"

namespace tritonsmith::serve {

/// Answers requests for completions, whole or as a stream, on the thread of the client's connection.
class CompletionHandler {
  public:
    CompletionHandler(RequestContext context, engine::Generator& generator, Metrics& metrics, int most)
        : context_(std::move(context)), generator_(generator), metrics_(metrics), most_(most) {}

    /// @throws ApiError; 429 at the limit of requests in progress
    void handle(const httplib::Request& http, httplib::Response& response, bool chat);
    int in_progress() const { return in_progress_; }
    /// Cancels all samples, also those of later requests. @return whether there were any
    bool cancel_all();

  private:
    class Running;
    void answer_whole(const std::shared_ptr<Running>& running, httplib::Response& response);
    void answer_stream(std::shared_ptr<Running> running, httplib::Response& response);

    const RequestContext context_;
    engine::Generator& generator_;
    Metrics& metrics_;
    const int most_;
    std::atomic<int> in_progress_ = 0;
    std::mutex mutex_;
    std::multimap<const Running*, uint64_t> submitted_;  ///< requests of the generator
    bool cancelled_ = false;
};

}  // namespace tritonsmith::serve
