#pragma once

#include <condition_variable>
#include <mutex>

namespace tritonsmith::judge {

/// How many candidates are at work on this machine's processors at a time. Those that wait for a device hold
/// no place, so that more candidates can be judged at a time than there are processors. Thread-safe.
class ProcessorPlaces {
  public:
    /// @param places 0: as many as ask
    void limit(int places) {
        std::lock_guard lock(mutex_);
        limit_ = places;
        freed_.notify_all();
    }

    class Place {
      public:
        /// Waits for one.
        explicit Place(ProcessorPlaces& places) : places_(places) {
            std::unique_lock lock(places_.mutex_);
            places_.freed_.wait(lock, [&] { return places_.limit_ <= 0 || places_.taken_ < places_.limit_; });
            ++places_.taken_;
        }
        ~Place() {
            std::lock_guard lock(places_.mutex_);
            --places_.taken_;
            places_.freed_.notify_one();
        }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;

      private:
        ProcessorPlaces& places_;
    };

  private:
    std::mutex mutex_;
    std::condition_variable freed_;
    int limit_ = 0, taken_ = 0;
};

}  // namespace tritonsmith::judge
