#include "judge/device_services.h"

#include "judge/worker_pool.h"

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
    auto answer = persistently([&] { return reference->device(); });
    if (auto* error = std::get_if<run::WorkerError>(&answer))
        throw MachineError("no worker can be started for " + device_ + ": " + error->message +
                           " (see tritonsmith doctor)");
    info_ = std::move(std::get<Json>(answer));
    lock_ = std::make_unique<cuda::DeviceLock>(info_.value("uuid", device_));
    return info_;
}

int64_t DeviceServices::memory_bytes() {
    std::lock_guard lock(info_mutex_);
    return info_.at("memory_bytes").get<int64_t>();
}

const cuda::DeviceLock& DeviceServices::lock() {
    info();
    return *lock_;
}

DeviceServices::CandidateLease::CandidateLease(DeviceServices& services, bool alone)
    : services_(services), places_(alone ? kPlaces : 1) {
    std::unique_lock lock(services_.pool_mutex_);
    services_.freed_.wait(lock, [&] { return services_.free_places_ >= places_; });
    services_.free_places_ -= places_;
    worker_ = std::move(services_.idle_.front());
    services_.idle_.pop_front();
    if (services_.idle_.empty()) services_.idle_.push_back(services_.start_worker(services_.sandbox_));
    worker_->revive();
    generation_ = worker_->generation();
}

DeviceServices::CandidateLease::~CandidateLease() {
    std::lock_guard lock(services_.pool_mutex_);
    // One that was just started anew is not ready yet: the others go first.
    if (worker_->generation() == generation_)
        services_.idle_.push_front(std::move(worker_));
    else
        services_.idle_.push_back(std::move(worker_));
    services_.free_places_ += places_;
    services_.freed_.notify_all();
}

}  // namespace tritonsmith::judge
