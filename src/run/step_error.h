#pragma once

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

}  // namespace tritonsmith::run
