#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "cli/sampling/sampling_flags.h"
#include "endpoint/client.h"
#include "generate/engine_process.h"

namespace tritonsmith::cli {

/// The model that is asked for answers: an engine of our own, which runs during this object's lifetime, or an
/// endpoint.
class ModelSource {
  public:
    struct Options {
        int most_samples = 1;  ///< of one request
        std::string device;    ///< the judge's: the engine's where --model-device names none
        bool judging = false;  ///< a judge works there at the same time, and needs memory too
        const std::atomic<bool>* cancel = nullptr;
        std::function<void(const std::string&)> on_note;  ///< endpoint::ClientOptions
    };
    /// @throws InputError, MachineError, endpoint::Cancelled
    ModelSource(const SamplingFlags& flags, const Options& options);

    endpoint::Client& client() { return *client_; }
    const std::string& name() const { return name_; }

  private:
    std::optional<generate::EngineProcess> engine_;
    std::optional<endpoint::Client> client_;
    std::string name_;
};

}  // namespace tritonsmith::cli
