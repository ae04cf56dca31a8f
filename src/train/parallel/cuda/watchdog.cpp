#include "train/parallel/cuda/watchdog.h"

#include <cstdio>
#include <cstdlib>

namespace tritonsmith::train {

Watchdog::Watchdog(std::string who, std::chrono::seconds deadline)
    : who_(std::move(who)), deadline_(deadline), thread_([this] { run(); }) {}

Watchdog::~Watchdog() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Watchdog::watch(const char* what, const c10::Stream& stream) {
    c10::Event done(stream.device_type());
    done.record(stream);
    const std::lock_guard lock(mutex_);
    watched_.push_back({what, std::move(done), std::chrono::steady_clock::now() + deadline_});
}

void Watchdog::run() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        changed_.wait_for(lock, std::chrono::milliseconds(200));
        while (!watched_.empty() && watched_.front().done.query()) watched_.pop_front();
        if (watched_.empty() || std::chrono::steady_clock::now() < watched_.front().deadline) continue;
        std::fprintf(
            stderr,
            "tritonsmith: %s: %s did not complete within %lld s: has another process of the run ended?\n",
            who_.c_str(), watched_.front().what, static_cast<long long>(deadline_.count()));
        std::_Exit(3);  // the machine failed; whoever waits for the operation can be woken in no other way
    }
}

}  // namespace tritonsmith::train
