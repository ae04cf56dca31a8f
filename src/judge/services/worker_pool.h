#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "judge/services/worker_findings.h"
#include "run/client/client.h"
#include "trace/service.h"

namespace tritonsmith::judge {

/// Workers of one role that several threads share: each is lent to one thread at a time, and as many are
/// started as are lent at once. Thread-safe.
class WorkerPool {
  public:
    /// Starts the first worker, which gets ready meanwhile. @throws MachineError
    explicit WorkerPool(std::string program);

    class Lease {
      public:
        Lease(WorkerPool& pool, std::unique_ptr<run::Worker> worker)
            : pool_(pool), worker_(std::move(worker)) {}
        ~Lease();
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        run::Worker* operator->() { return worker_.get(); }

      private:
        WorkerPool& pool_;
        std::unique_ptr<run::Worker> worker_;
    };
    Lease borrow();

  private:
    const std::string program_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<run::Worker>> idle_;
};

/// Asks again while the worker dies under the request, as often as base/process/deaths.h has it.
template <class Ask>
auto ask_worker(Ask ask) {
    auto outcome = ask();
    for (int attempts = 1;; ++attempts) {
        if (!worker_died(outcome) || !ask_again(attempts, run::blame_of(std::get<run::WorkerError>(outcome))))
            return outcome;
        outcome = ask();
    }
}

}  // namespace tritonsmith::judge
