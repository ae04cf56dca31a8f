#pragma once

#include <atomic>

namespace tritonsmith::cli {

/// During this object's lifetime the first SIGINT or SIGTERM sets the flag, so that the work ends in good order; a
/// second one ends the program. One at a time.
class Interrupts {
  public:
    Interrupts();
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

    const std::atomic<bool>& flag() const;
};

}  // namespace tritonsmith::cli
