#pragma once

#include <atomic>

namespace tritonsmith {

/// During this object's lifetime the first SIGINT or SIGTERM sets the flag, so that the work ends in good
/// order. One that comes a second later or more ends the program; before that it is the same wish: timeout(1)
/// sends each signal twice, to its child and to the child's process group. That holds behind the object's
/// lifetime too, where a signal came in it. One object at a time.
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
