#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "engine/api/generator.h"
#include "serve/answers.h"

namespace tritonsmith::serve {

/// A Prometheus histogram.
class Histogram {
  public:
    explicit Histogram(std::vector<double> bounds)
        : bounds_(std::move(bounds)), counts_(bounds_.size() + 1, 0) {}
    void observe(double value);
    /// Lines of the exposition format, with HELP and TYPE.
    std::string text(const std::string& name, const std::string& help) const;

  private:
    std::vector<double> bounds_;
    std::vector<uint64_t> counts_;
    double sum_ = 0;
};

/// What the server counts. Thread-safe.
class Metrics {
  public:
    Metrics();
    /// An answered request. @param route such as "/v1/completions"; unknown routes are counted as "other"
    void count_request(const std::string& route, int status, double seconds);
    void count_disconnect();
    void count_choices(const std::vector<ChoiceTimes>& times);
    /// Prometheus' text exposition format 0.0.4.
    std::string text(const engine::GeneratorStatistics& generator, int requests_in_progress) const;

  private:
    mutable std::mutex mutex_;
    std::map<std::pair<std::string, int>, uint64_t> requests_;
    uint64_t disconnects_ = 0;
    Histogram request_seconds_, first_token_seconds_, per_token_seconds_;
};

}  // namespace tritonsmith::serve
