#include "serve/metrics.h"

#include <fmt/format.h>

#include <algorithm>

namespace tritonsmith::serve {
namespace {

std::string simple(const std::string& name, const char* type, const std::string& help, int64_t value) {
    return fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", name, help, type, value);
}

}  // namespace

void Histogram::observe(double value) {
    ++counts_[static_cast<size_t>(std::lower_bound(bounds_.begin(), bounds_.end(), value) - bounds_.begin())];
    sum_ += value;
}

std::string Histogram::text(const std::string& name, const std::string& help) const {
    std::string out = fmt::format("# HELP {0} {1}\n# TYPE {0} histogram\n", name, help);
    uint64_t below = 0;
    for (size_t i = 0; i < bounds_.size(); ++i) {
        below += counts_[i];
        out += fmt::format("{}_bucket{{le=\"{}\"}} {}\n", name, bounds_[i], below);
    }
    below += counts_.back();
    return out +
           fmt::format("{0}_bucket{{le=\"+Inf\"}} {1}\n{0}_sum {2}\n{0}_count {1}\n", name, below, sum_);
}

Metrics::Metrics()
    : request_seconds_({0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600}),
      first_token_seconds_({0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60}),
      per_token_seconds_({0.001, 0.0025, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1}) {}

void Metrics::count_request(const std::string& route, int status, double seconds) {
    static const char* const routes[] = {"/v1/chat/completions", "/v1/completions", "/v1/models", "/health",
                                         "/metrics"};
    const bool ours = std::find(std::begin(routes), std::end(routes), route) != std::end(routes);
    std::lock_guard lock(mutex_);
    ++requests_[{ours ? route : "other", status}];
    if (ours && route.ends_with("completions")) request_seconds_.observe(seconds);
}

void Metrics::count_disconnect() {
    std::lock_guard lock(mutex_);
    ++disconnects_;
}

void Metrics::count_choices(const std::vector<ChoiceTimes>& times) {
    std::lock_guard lock(mutex_);
    for (const ChoiceTimes& one : times) {
        if (one.tokens > 0) first_token_seconds_.observe(one.first_token);
        if (one.tokens > 1) per_token_seconds_.observe(one.per_token);
    }
}

std::string Metrics::text(const engine::GeneratorStatistics& generator, int requests_in_progress) const {
    const std::string p = "tritonsmith_";
    std::string out =
        simple(p + "requests_in_progress", "gauge", "Completions in progress.", requests_in_progress) +
        simple(p + "samples_running", "gauge", "Samples in the batch.", generator.running_samples) +
        simple(p + "samples_waiting", "gauge", "Samples that wait for blocks of the cache.",
               generator.waiting_samples) +
        simple(p + "cache_blocks", "gauge", "Blocks of the KV cache.", generator.cache_blocks) +
        simple(p + "cache_blocks_used", "gauge", "Blocks of the KV cache in use.",
               generator.cache_blocks_used) +
        simple(p + "prompt_tokens_total", "counter", "Prompt tokens.", generator.prompt_tokens) +
        simple(p + "sampled_tokens_total", "counter", "Sampled tokens.", generator.sampled_tokens) +
        simple(p + "steps_total", "counter", "Forward passes.", generator.steps) +
        simple(p + "cancelled_samples_total", "counter", "Samples that were cancelled.",
               generator.cancelled_samples) +
        simple(p + "failed_samples_total", "counter", "Samples that failed because of the machine.",
               generator.failed_samples);
    std::lock_guard lock(mutex_);
    out += simple(p + "disconnects_total", "counter",
                  "Clients that disconnected before their answer was complete.",
                  static_cast<int64_t>(disconnects_));
    out += fmt::format("# HELP {0} Answered requests.\n# TYPE {0} counter\n", p + "requests_total");
    for (const auto& [key, count] : requests_)
        out += fmt::format("{}requests_total{{route=\"{}\",status=\"{}\"}} {}\n", p, key.first, key.second,
                           count);
    return out +
           request_seconds_.text(p + "request_seconds",
                                 "From a completion request to the end of its answer.") +
           first_token_seconds_.text(p + "first_token_seconds",
                                     "From a request to each sample's first token.") +
           per_token_seconds_.text(p + "token_seconds", "Mean time between the tokens of each sample.");
}

}  // namespace tritonsmith::serve
