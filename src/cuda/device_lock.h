#pragma once

#include <string>

#include "base/process/process.h"

namespace tritonsmith::cuda {

/// One GPU between all processes and threads of this user: many work on it together, or one times on it
/// alone. Whoever waits to be alone keeps newcomers out, so that it waits for those at work and for nobody
/// else. The kernel lets go of a dead process's locks. Other users' programs are not kept away.
class DeviceLock {
  public:
    /// @param uuid of DeviceInfo. @throws InputError (no uuid), MachineError (folder() is not ours alone)
    explicit DeviceLock(const std::string& uuid);

    /// Where the lock's files lie: $XDG_RUNTIME_DIR/tritonsmith, else /tmp/tritonsmith-UID. A sandboxed
    /// process that locks must be allowed to write there.
    static std::string folder();

    class Shared {
      public:
        /// Waits until nobody is alone, or wants to be. @throws MachineError
        explicit Shared(const DeviceLock& lock);

      private:
        Fd work_;
    };
    class Exclusive {
      public:
        /// Waits until nobody else is at work. A thread that holds the lock already waits for ever.
        /// @throws MachineError
        explicit Exclusive(const DeviceLock& lock);

      private:
        Fd gate_, work_;  // the work is let go of first
    };

  private:
    // Everyone passes the gate, one at a time. Who wants to be alone stays in it until done.
    std::string gate_, work_;
};

}  // namespace tritonsmith::cuda
