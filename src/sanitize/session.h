#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sanitize/findings_log.h"
#include "ttir/interp/interpreter.h"

namespace tritonsmith::sanitize {

/// A kernel of the script, ready to run many times.
struct Kernel {
    std::string name, file;  ///< file and line of its definition
    int line = 0;
    std::unique_ptr<const ttir::Program> program;
};

/// A launch in Python's JSON:
/// {"kernel": n, "grid": [x,y,z], "args": [VALUE…], "buffers": [HANDLE…], "reachable": [HANDLE…], "launch":
/// n,
///  "checks": true, "num_warps": 4, "config": "…", "tuning": false, "host_file": "…", "host_line": n}
/// HANDLEs are addresses of ttir::Buffers; VALUEs (docs/plan.md) name buffers by their place in "buffers".
struct Request {
    const Kernel* kernel = nullptr;
    std::array<int64_t, 3> grid{1, 1, 1};
    std::vector<ttir::Buffer*> buffers;
    std::vector<ttir::Argument> arguments;
    ttir::LaunchOptions options;
    int64_t launch = 0;
    std::string config;   ///< of an autotuned kernel
    bool tuning = false;  ///< one configuration among others: the shadows are still needed
    std::string host_file;
    int host_line = 0;
};

/// A launch on its own thread, so that the caller can enforce a time limit.
class RunningLaunch {
  public:
    explicit RunningLaunch(Request request);
    ~RunningLaunch();
    RunningLaunch(const RunningLaunch&) = delete;
    RunningLaunch& operator=(const RunningLaunch&) = delete;

    /// @return whether it has ended.
    bool wait(std::chrono::milliseconds most);
    int64_t finished() const { return finished_.load(std::memory_order_relaxed); }  ///< programs so far
    void cancel() { cancelled_.store(true); }
    bool cancelled() const { return cancelled_.load(); }
    /// Waits for the end. @throws InputError, MachineError as Program::launch does.
    const ttir::LaunchReport& report();
    const Request& request() const { return request_; }

  private:
    Request request_;
    std::atomic<bool> cancelled_{false};
    std::atomic<int64_t> finished_{0};
    ttir::LaunchReport report_;
    std::exception_ptr failed_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool done_ = false;
    std::thread thread_;
};

/// The launches of one Python process: its kernels, and what was found. The log is thread-safe, the rest is
/// called under Python's lock.
class Session {
  public:
    explicit Session(bool colour) : log_(colour) {}

    /// @return number of the kernel. @throws ttir::ParseError
    int add_kernel(std::string name, std::string file, int line, const std::string& ttir);
    /// @throws InputError, Json exceptions
    std::unique_ptr<RunningLaunch> start(const Json& request) const;
    /// Logs the launch's findings. @param cancelled why it was cancelled; empty: it was not
    /// @return {"prints": […], "programs": n}, and "failed": what kept it from running
    Json end(RunningLaunch& launch, const std::string& cancelled);

    FindingsLog& log() { return log_; }

  private:
    void note(const RunningLaunch& launch, Kind kind, const Finding& finding);

    std::vector<std::unique_ptr<Kernel>> kernels_;
    FindingsLog log_;
};

}  // namespace tritonsmith::sanitize
