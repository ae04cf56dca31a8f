#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/error.h"
#include "cuda/device_lock.h"
#include "run/client/device_client.h"

namespace tritonsmith::judge {

class DeviceReference;

/// The processes that run plans at full size on one device. References and candidates run in different ones:
/// no process that runs a candidate's kernels maps what is expected of it. Thread-safe. Locks are taken in
/// this order: a candidate's worker, the device's (`lock()`), the reference's worker.
class DeviceServices {
  public:
    static constexpr int kPlaces = 6;  ///< candidates that are run at a time

    /// Starts the workers, which get ready meanwhile. @param program tritonsmith-gpu-worker, or
    /// tritonsmith-worker where the CPU stands in. @param device "cuda:0" or "cpu". @throws MachineError
    DeviceServices(std::string program, std::string device, bool sandbox = true);

    const std::string& device() const { return device_; }
    /// {"name","target","uuid",…} of run::DeviceWorker::device(). Waits for a worker. @throws MachineError
    const Json& info();
    /// Of the device, all in all. @throws MachineError
    int64_t memory_bytes();
    /// Work on the device is done under a Shared of it, timing under an Exclusive.
    const cuda::DeviceLock& lock();

    /// The worker that holds all references, for one thread at a time.
    class ReferenceLease {
      public:
        explicit ReferenceLease(DeviceServices& services)
            : lock_(services.reference_mutex_), worker_(*services.reference_) {}
        run::DeviceWorker* operator->() { return &worker_; }
        run::DeviceWorker& worker() { return worker_; }

      private:
        std::unique_lock<std::mutex> lock_;
        run::DeviceWorker& worker_;
    };

    /// A worker for one candidate.
    class CandidateLease {
      public:
        /// Waits for one: first come those of the task that the last one was for, whose reference lies on the
        /// device, then whoever waits longest. @param alone no other candidate is run meanwhile: this one
        /// needs the memory @param task tells tasks apart
        CandidateLease(DeviceServices& services, bool alone, const void* task);
        ~CandidateLease();
        CandidateLease(const CandidateLease&) = delete;
        CandidateLease& operator=(const CandidateLease&) = delete;
        run::DeviceWorker* operator->() { return worker_.get(); }

      private:
        bool may_go() const;

        DeviceServices& services_;
        const int places_;
        const void* const task_;
        std::unique_ptr<run::DeviceWorker> worker_;
        int generation_ = 0;
    };

    /// The device for one timing alone. Whoever works on it gives way to several timings of this process at
    /// once: the first waits a little for others that will soon be ready, then they follow each other.
    class TimingTurn {
      public:
        static constexpr int kInARow = 4;
        static constexpr std::chrono::milliseconds kGathering{50};

        explicit TimingTurn(DeviceServices& services);
        ~TimingTurn();
        TimingTurn(const TimingTurn&) = delete;
        TimingTurn& operator=(const TimingTurn&) = delete;

      private:
        DeviceServices& services_;
    };

  private:
    friend class DeviceReference;
    std::list<DeviceReference*> open_;  ///< under the reference's lease, the last used last

    std::unique_ptr<run::DeviceWorker> start_worker(bool sandbox) const;

    const std::string program_, device_;
    const bool sandbox_;
    std::mutex info_mutex_, reference_mutex_, pool_mutex_, turn_mutex_;
    std::condition_variable freed_, turn_over_;
    Json info_;
    std::unique_ptr<cuda::DeviceLock> lock_;
    std::unique_ptr<run::DeviceWorker> reference_;
    /// Always one at least, so that another takes over at once where one died and is started again.
    std::deque<std::unique_ptr<run::DeviceWorker>> idle_;
    int free_places_ = kPlaces;
    std::list<const CandidateLease*> waiting_;  ///< in the order in which they came
    const void* last_task_ = nullptr;           ///< of the last candidate that got a place
    std::atomic<int> lent_ = 0;                 ///< workers that candidates have now
    // Under turn_mutex_.
    std::optional<cuda::DeviceLock::Exclusive> alone_;
    bool timing_ = false;
    int waiting_to_time_ = 0, timed_in_a_row_ = 0;
};

}  // namespace tritonsmith::judge
