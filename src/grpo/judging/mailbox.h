#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

namespace tritonsmith::grpo {

/// What threads hand to the one that takes. Thread-safe.
template <class Letter>
class Mailbox {
  public:
    void put(Letter letter) {
        {
            std::lock_guard lock(mutex_);
            letters_.push_back(std::move(letter));
        }
        arrived_.notify_one();
    }
    /// The oldest one; nothing where none comes within `seconds`.
    std::optional<Letter> take(double seconds) {
        std::unique_lock lock(mutex_);
        if (!arrived_.wait_for(lock, std::chrono::duration<double>(seconds),
                               [this] { return !letters_.empty(); }))
            return std::nullopt;
        std::optional<Letter> letter(std::move(letters_.front()));
        letters_.pop_front();
        return letter;
    }

  private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<Letter> letters_;
};

}  // namespace tritonsmith::grpo
