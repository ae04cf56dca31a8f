#include "train/data/batch_queue.h"

namespace tritonsmith::train {

BatchQueue::BatchQueue(BatchStream stream, size_t ahead)
    : stream_(std::move(stream)), ahead_(ahead), thread_([this] { read(); }) {}

BatchQueue::~BatchQueue() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void BatchQueue::read() {
    try {
        for (;;) {
            Batch batch = stream_.next();
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return stopping_ || ready_.size() < ahead_; });
            if (stopping_) return;
            ready_.push_back(std::move(batch));
            changed_.notify_all();
        }
    } catch (...) {
        const std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
        changed_.notify_all();
    }
}

Batch BatchQueue::next(std::chrono::seconds deadline) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, deadline, [&] { return !ready_.empty() || failure_; }))
        throw MachineError("no batch of the data was ready within " + std::to_string(deadline.count()) +
                           " s: is the disk, or the network that its files are on, stuck?");
    if (ready_.empty()) std::rethrow_exception(failure_);
    Batch batch = std::move(ready_.front());
    ready_.pop_front();
    changed_.notify_all();
    return batch;
}

}  // namespace tritonsmith::train
