#pragma once

#include <c10/core/impl/VirtualGuardImpl.h>

#include <functional>
#include <memory>

namespace tritonsmith::grpo {

/// Waits until nobody times on the device. Nobody does while the result lives.
using TakeTurn = std::function<std::shared_ptr<void>()>;

inline void wait_for(at::Device device) {
    if (!device.is_cpu()) c10::impl::VirtualGuardImpl(device.type()).synchronizeDevice(device.index());
}

/// Work of the trainer on a device that others may time on: it has the device's turn until all that was begun
/// is complete.
class DeviceWork {
  public:
    /// @param turn none: nobody times on the device
    DeviceWork(const TakeTurn& turn, at::Device device) : turn_(turn ? turn() : nullptr), device_(device) {}
    ~DeviceWork() {
        if (turn_) wait_for(device_);
    }
    DeviceWork(const DeviceWork&) = delete;
    DeviceWork& operator=(const DeviceWork&) = delete;

  private:
    const std::shared_ptr<void> turn_;
    const at::Device device_;
};

}  // namespace tritonsmith::grpo
