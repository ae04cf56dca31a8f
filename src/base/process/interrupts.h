#pragma once

#include <atomic>

namespace tritonsmith {

/// During this object's lifetime the first SIGINT or SIGTERM sets the flag, so that the work ends in good
/// order; a second one ends the program. One object at a time.
class Interrupts {
  public:
    Interrupts();
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

    const std::atomic<bool>& flag() const;
    /// The signal's number; 0 before it.
    const std::atomic<int>& signal() const;
};

}  // namespace tritonsmith
