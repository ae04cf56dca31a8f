#pragma once

#include <memory>
#include <mutex>
#include <vector>

namespace tritonsmith::text {

/// Objects that are used by one thread at a time and reused. At most `kept` idle ones are kept; they live as
/// long as the pool.
template <class T>
class Pool {
  public:
    explicit Pool(size_t kept) : kept_(kept) {}

    class Lease {
      public:
        explicit Lease(Pool& pool) : pool_(pool), object_(pool.acquire()) {}
        ~Lease() { pool_.release(std::move(object_)); }
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        T& operator*() const { return *object_; }
        T* operator->() const { return object_.get(); }

      private:
        Pool& pool_;
        std::unique_ptr<T> object_;
    };

  private:
    std::unique_ptr<T> acquire() {
        {
            const std::lock_guard lock(mutex_);
            if (!idle_.empty()) {
                std::unique_ptr<T> object = std::move(idle_.back());
                idle_.pop_back();
                return object;
            }
        }
        return std::make_unique<T>();
    }
    void release(std::unique_ptr<T> object) {
        const std::lock_guard lock(mutex_);
        if (idle_.size() < kept_) idle_.push_back(std::move(object));
    }

    const size_t kept_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace tritonsmith::text
