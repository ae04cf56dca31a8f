#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <random>
#include <string>

namespace tritonsmith::endpoint {

/// How often, and after which pauses, a request is retried.
struct RetryPolicy {
    int attempts = 6;            ///< in all
    double first_seconds = 0.5;  ///< pause before the second attempt; doubles with each further one
    double most_seconds = 30;
};

/// The pause before attempt `attempt` + 1: exponential with jitter over half of it, or what the server
/// requested if that is longer. @param attempt from 1
double pause_seconds(const RetryPolicy& policy, int attempt, std::optional<double> asked,
                     std::mt19937_64& random);

/// The pause that a server requests: "retry-after-ms" if given, else "Retry-After" in seconds or as an HTTP
/// date (RFC 9110, 10.2.3).
std::optional<double> parse_retry_after(const std::string& retry_after, const std::string& retry_after_ms,
                                        std::time_t now);

/// Whether a status is transient: 408, 409, 425, 429 and 5xx (except 501 and 505).
bool may_be_retried(int status);

}  // namespace tritonsmith::endpoint
