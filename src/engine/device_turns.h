#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cuda/device_lock.h"
#include "engine/executor/executor.h"

namespace tritonsmith::engine {

/// An executor that shares its GPU with timings. A step waits while another process holds the device's lock
/// exclusively (the judge, for the seconds that a candidate is timed), and holds it shared while it runs.
/// Costs about 10 us for each step.
class DeviceTurns : public Executor {
  public:
    /// @param uuid of the GPU (cuda::DeviceInfo). @throws InputError, MachineError as cuda::DeviceLock
    DeviceTurns(std::unique_ptr<Executor> executor, const std::string& uuid)
        : executor_(std::move(executor)), lock_(uuid) {}

    int blocks() const override { return executor_->blocks(); }
    int block_size() const override { return executor_->block_size(); }
    std::vector<std::vector<Draw>> run(const std::vector<Segment>& segments) override {
        const cuda::DeviceLock::Shared turn(lock_);
        return executor_->run(segments);  // results are on the host: the step is complete
    }
    void copy_block(int from, int to) override {
        const cuda::DeviceLock::Shared turn(lock_);
        executor_->copy_block(from, to);
    }

  private:
    const std::unique_ptr<Executor> executor_;
    const cuda::DeviceLock lock_;
};

}  // namespace tritonsmith::engine
