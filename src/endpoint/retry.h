#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <random>
#include <string>

namespace tritonsmith::endpoint {

/// How often, and after what pause, a request is sent again.
struct RetryPolicy {
    int attempts = 6;            ///< in all
    double first_seconds = 0.5;  ///< pause before the second attempt; doubles with each
    double most_seconds = 30;
};

/// The pause before attempt `attempt` + 1: exponential with "full jitter" (half of it here, so that a pause
/// is never nothing), or what the server asked for where that is longer. @param attempt from 1
double pause_seconds(const RetryPolicy& policy, int attempt, std::optional<double> asked,
                     std::mt19937_64& random);

/// What a server asks for: "retry-after-ms" where it is there, else "Retry-After" in seconds or as an HTTP
/// date (RFC 9110, 10.2.3). Nothing where it is neither.
std::optional<double> parse_retry_after(const std::string& retry_after, const std::string& retry_after_ms,
                                        std::time_t now);

/// Statuses that may be another on the next attempt: 408, 409, 425, 429 and 5xx (but 501 and 505).
bool may_be_retried(int status);

}  // namespace tritonsmith::endpoint
