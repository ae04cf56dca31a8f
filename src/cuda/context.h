#pragma once

#include "cuda/driver.h"

namespace tritonsmith::cuda {

/// Holds a device's primary context, the one that torch uses too, and makes it this thread's current one.
/// The last holder in the process destroys it with everything in it.
class PrimaryContext {
  public:
    /// @throws MachineError without a driver, Error
    explicit PrimaryContext(int ordinal);
    ~PrimaryContext();
    PrimaryContext(const PrimaryContext&) = delete;
    PrimaryContext& operator=(const PrimaryContext&) = delete;
    CUdevice device() const { return device_; }
    /// For threads other than the one that made it. @throws Error
    void make_current() const;

  private:
    CUdevice device_ = 0;
    CUcontext context_ = nullptr;
};

}  // namespace tritonsmith::cuda
