#pragma once

#include "judge/services/device_services.h"

namespace tritonsmith::judge {

/// A candidate's session in a worker of the device, closed with it.
struct DeviceCandidate {
    DeviceCandidate(DeviceServices& services, bool alone, const void* task) : worker(services, alone, task) {}
    ~DeviceCandidate() {
        if (session_ != 0 && worker->generation() == generation_) worker->close(session_);
    }
    DeviceCandidate(const DeviceCandidate&) = delete;
    DeviceCandidate& operator=(const DeviceCandidate&) = delete;

    void opened(int session) {
        session_ = session;
        generation_ = worker->generation();
    }
    int session() const { return session_; }

    DeviceServices::CandidateLease worker;

  private:
    int session_ = 0, generation_ = 0;
};

}  // namespace tritonsmith::judge
