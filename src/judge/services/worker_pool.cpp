#include "judge/services/worker_pool.h"

namespace tritonsmith::judge {

WorkerPool::WorkerPool(std::string program) : program_(std::move(program)) {
    idle_.push_back(std::make_unique<run::Worker>(program_));
}

WorkerPool::Lease WorkerPool::borrow() {
    std::unique_ptr<run::Worker> worker;
    {
        std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            worker = std::move(idle_.back());
            idle_.pop_back();
        }
    }
    if (!worker) worker = std::make_unique<run::Worker>(program_);
    return {*this, std::move(worker)};
}

WorkerPool::Lease::~Lease() {
    std::lock_guard lock(pool_.mutex_);
    pool_.idle_.push_back(std::move(worker_));
}

}  // namespace tritonsmith::judge
