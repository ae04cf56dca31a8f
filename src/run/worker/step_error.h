#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tritonsmith::run {

/// A plan cannot be executed: reason of docs/protocols.md (Worker, errors). The executor adds the step.
class StepError : public std::runtime_error {
  public:
    StepError(std::string reason, const std::string& message)
        : runtime_error(message), reason(std::move(reason)) {}
    std::string reason;
    int step = -1, line = 0;
};

/// What people read of an exception's text.
inline std::string first_line(const std::string& message) {
    return message.substr(0, std::min(message.find('\n'), size_t{300}));
}

}  // namespace tritonsmith::run
