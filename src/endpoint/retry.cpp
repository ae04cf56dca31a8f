#include "endpoint/retry.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tritonsmith::endpoint {
namespace {

constexpr double kLongest = 24 * 3600.0;

std::optional<double> parse_number(const std::string& text) {
    if (text.empty() || text.find_first_not_of("0123456789.") != std::string::npos) return std::nullopt;
    return std::min(std::strtod(text.c_str(), nullptr), kLongest);
}

}  // namespace

double pause_seconds(const RetryPolicy& policy, int attempt, std::optional<double> asked,
                     std::mt19937_64& random) {
    const double whole =
        std::min(policy.first_seconds * std::pow(2.0, std::min(attempt - 1, 30)), policy.most_seconds);
    const double pause = std::uniform_real_distribution<double>(whole / 2, whole)(random);
    return asked ? std::max(*asked, pause) : pause;
}

std::optional<double> parse_retry_after(const std::string& retry_after, const std::string& retry_after_ms,
                                        std::time_t now) {
    if (std::optional<double> ms = parse_number(retry_after_ms)) return *ms / 1000;
    if (std::optional<double> seconds = parse_number(retry_after)) return seconds;
    struct tm when = {};
    const char* end = ::strptime(retry_after.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &when);
    if (!end || *end) return std::nullopt;
    return std::clamp(std::difftime(::timegm(&when), now), 0.0, kLongest);
}

bool may_be_retried(int status) {
    if (status == 408 || status == 409 || status == 425 || status == 429) return true;
    return status >= 500 && status != 501 && status != 505;
}

}  // namespace tritonsmith::endpoint
