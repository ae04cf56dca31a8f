#include "judge/services/device_services.h"

#include <algorithm>

#include "judge/services/worker_pool.h"

namespace tritonsmith::judge {

DeviceServices::DeviceServices(std::string program, std::string device, bool sandbox)
    : program_(std::move(program)), device_(std::move(device)), sandbox_(sandbox) {
    // References are the user's own programs, and what they ask of cuDNN needs more than a sandbox lets
    // through.
    reference_ = start_worker(false);
    for (int i = 0; i < 2; ++i) idle_.push_back(start_worker(sandbox_));
}

std::unique_ptr<run::DeviceWorker> DeviceServices::start_worker(bool sandbox) const {
    return std::make_unique<run::DeviceWorker>(program_, device_, sandbox);
}

const Json& DeviceServices::info() {
    std::lock_guard lock(info_mutex_);
    if (!info_.is_null()) return info_;
    ReferenceLease reference(*this);
    auto answer = ask_worker([&] { return reference->device(); });
    if (auto* error = std::get_if<run::WorkerError>(&answer))
        throw MachineError("no worker can be started for " + device_ + ": " + error->message +
                           " (see tritonsmith doctor)");
    info_ = std::move(std::get<Json>(answer));
    lock_ = std::make_unique<cuda::DeviceLock>(info_.value("uuid", device_));
    return info_;
}

int64_t DeviceServices::memory_bytes() {
    return info().at("memory_bytes").get<int64_t>();
}

const cuda::DeviceLock& DeviceServices::lock() {
    info();
    return *lock_;
}

bool DeviceServices::CandidateLease::may_go() const {
    if (services_.free_places_ < places_) return false;
    const auto& waiting = services_.waiting_;
    const auto of_the_last = std::find_if(waiting.begin(), waiting.end(), [&](const CandidateLease* one) {
        return one->task_ == services_.last_task_;
    });
    return this == (of_the_last == waiting.end() ? waiting.front() : *of_the_last);
}

DeviceServices::CandidateLease::CandidateLease(DeviceServices& services, bool alone, const void* task)
    : services_(services), places_(alone ? kPlaces : 1), task_(task) {
    std::unique_lock lock(services_.pool_mutex_);
    services_.waiting_.push_back(this);
    services_.freed_.wait(lock, [&] { return may_go(); });
    services_.waiting_.remove(this);
    services_.last_task_ = task_;
    services_.free_places_ -= places_;
    services_.freed_.notify_all();  // there may be a place for the next one, too
    worker_ = std::move(services_.idle_.front());
    services_.idle_.pop_front();
    if (services_.idle_.empty()) services_.idle_.push_back(services_.start_worker(services_.sandbox_));
    worker_->revive();
    generation_ = worker_->generation();
    ++services_.lent_;
}

DeviceServices::CandidateLease::~CandidateLease() {
    std::lock_guard lock(services_.pool_mutex_);
    // One that was just started again is not ready yet: the others go first.
    if (worker_->generation() == generation_)
        services_.idle_.push_front(std::move(worker_));
    else
        services_.idle_.push_back(std::move(worker_));
    --services_.lent_;
    services_.free_places_ += places_;
    services_.freed_.notify_all();
}

DeviceServices::TimingTurn::TimingTurn(DeviceServices& services) : services_(services) {
    const cuda::DeviceLock& device = services_.lock();
    std::unique_lock lock(services_.turn_mutex_);
    ++services_.waiting_to_time_;
    services_.turn_over_.notify_all();
    services_.turn_over_.wait_for(lock, kGathering, [&] {
        return services_.alone_ || services_.waiting_to_time_ >= std::min<int>(kInARow, services_.lent_);
    });
    services_.turn_over_.wait(lock, [&] { return !services_.timing_; });
    --services_.waiting_to_time_;
    services_.timing_ = true;
    if (services_.alone_) return;
    lock.unlock();  // others gather while this one waits for the device
    try {
        std::optional<cuda::DeviceLock::Exclusive> taken(std::in_place, device);
        lock.lock();
        services_.alone_ = std::move(taken);
    } catch (...) {
        lock.lock();
        services_.timing_ = false;
        services_.turn_over_.notify_all();
        throw;
    }
}

DeviceServices::TimingTurn::~TimingTurn() {
    std::lock_guard lock(services_.turn_mutex_);
    services_.timing_ = false;
    if (services_.waiting_to_time_ == 0 || ++services_.timed_in_a_row_ >= kInARow) {
        services_.alone_.reset();
        services_.timed_in_a_row_ = 0;
    }
    services_.turn_over_.notify_all();
}

}  // namespace tritonsmith::judge
