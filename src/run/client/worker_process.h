#pragma once

#include <sys/types.h>

#include <string>
#include <variant>
#include <vector>

#include "base/process/deaths.h"
#include "base/process/process.h"
#include "run/client/client.h"

namespace tritonsmith::run {

/// Parts of the workers' messages. @throws Json::exception
std::vector<Finding> findings_from(const Json& list);
Json findings_json(const std::vector<Finding>& findings);

/// The other end of a worker: one request at a time, and a new process where the last one died.
class WorkerProcess {
  public:
    /// Starts it, and does not wait. @param arguments behind --fd N
    explicit WorkerProcess(std::string program, std::vector<std::string> arguments = {});
    ~WorkerProcess();
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;

    /// Sends a request and calls `read` on a good answer. A worker that died, broke the protocol, or ran past
    /// `seconds` is started again. @param read (const Json& answer, std::vector<Fd>& files) → Result
    template <class Result, class Read>
    std::variant<Result, WorkerError> ask(const Json& request, const std::vector<int>& descriptors,
                                          double seconds, Read read) {
        Frame frame;
        if (auto error = exchange(request, descriptors, seconds, frame)) return *error;
        try {
            return read(frame.message, frame.descriptors);
        } catch (const Json::exception& wrong) {
            return restart("worker_died", std::string("the worker broke the protocol: ") + wrong.what());
        } catch (const InputError& wrong) {
            return restart("worker_died", std::string("the worker broke the protocol: ") + wrong.what());
        }
    }
    /// Starts it again where it died meanwhile: nobody asked it for anything.
    void revive();
    /// How often it was started: what an earlier process held is gone.
    int generation() const { return generation_; }
    pid_t pid() const { return pid_; }

  private:
    std::optional<WorkerError> exchange(const Json& request, const std::vector<int>& descriptors,
                                        double seconds, Frame& frame);
    void start();
    void stop();
    WorkerError restart(std::string reason, std::string message);

    const std::string program_;
    const std::vector<std::string> arguments_;
    pid_t pid_ = -1;
    Fd socket_;
    int generation_ = 0;
};

}  // namespace tritonsmith::run
