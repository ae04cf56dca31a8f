#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/process/files.h"
#include "endpoint/address.h"

namespace tritonsmith::generate {

/// A `tritonsmith-engine` process that serves one model on a Unix socket in a private folder during this
/// object's lifetime.
class EngineProcess {
  public:
    struct Options {
        std::string model;                   ///< folder
        std::vector<std::string> arguments;  ///< further ones, such as {"--device", "cuda:0"}
        double start_seconds = 1800;         ///< for reading the weights
        const std::atomic<bool>* cancel = nullptr;
    };
    /// Waits until the engine is ready. @throws InputError, MachineError with the engine's message if it
    /// exits, endpoint::Cancelled
    explicit EngineProcess(const Options& options);
    /// Stops it: SIGTERM, and SIGKILL after five seconds.
    ~EngineProcess();
    EngineProcess(const EngineProcess&) = delete;
    EngineProcess& operator=(const EngineProcess&) = delete;

    const endpoint::Address& address() const { return address_; }

  private:
    void wait_until_ready(const Options& options);
    std::string last_words() const;

    TemporaryFolder folder_;
    endpoint::Address address_;
    pid_t pid_ = -1;
};

}  // namespace tritonsmith::generate
