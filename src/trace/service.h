#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/process/deaths.h"
#include "base/process/process.h"

namespace tritonsmith::trace {

/// Answers to one request, in the order in which they come.
class Call {
  public:
    virtual ~Call() = default;
    /// Waits for the next answer; nothing if the deadline passes first. @throws HelperEnded
    virtual std::optional<Json> next(Deadline deadline) = 0;
    /// Readable (poll) while an answer, or the end of the process, waits to be taken.
    virtual int event() const = 0;
    /// The process that serves this call.
    virtual pid_t server() const = 0;
};

/// A warm Python process of ours that answers frames by "id" (docs/protocols.md). It is trusted; what its
/// children send is not. Thread-safe. Starts at once, is waited for when first asked, and is started again
/// after it died.
class Service {
  public:
    /// @param program given the folder for its temporary files. Descriptor 3 is its end of the socket.
    /// @param name for messages: "tracer".
    Service(std::string name, std::function<Spawn(const std::string& folder)> program);
    ~Service();

    /// Sends a request (its "id" is put in). @throws MachineError if the process cannot be started;
    /// HelperEnded.
    std::unique_ptr<Call> send(Json request, const std::vector<int>& descriptors = {});
    /// The greeting that it sent when it was ready. @throws MachineError, HelperEnded as `send` does.
    Json ready();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tritonsmith::trace
