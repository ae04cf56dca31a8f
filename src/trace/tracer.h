#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "plan/ir/plan.h"

namespace tritonsmith::trace {

struct TracerOptions {
    std::string python;        ///< interpreter that has torch and triton
    std::string package_dir;   ///< folder that holds the tritonsmith Python package and its native libraries
    bool sandbox = true;       ///< false: candidates run unconfined (--unsafe-no-sandbox)
    int compile_seconds = 60;  ///< deadline of one compile (Compiler only)
};

struct Request {
    std::string kind = "candidate";  ///< "reference", "candidate", "script"
    std::string device = "cuda";     ///< "cuda": the device that computes nothing; "cpu": real eager CPU
    std::string target = "sm_90";
    std::string source, filename, entry;
    std::map<std::string, int64_t> constants;  ///< overrides of the reference's integers (Plan::constants)
    plan::List inputs, init_inputs;            ///< candidate only
    /// Integer inputs that the reference reads on the host: candidates may read their values as well. Buffers
    /// are numbered as in `inputs`.
    std::vector<plan::ReadStep> readable;
    /// What an earlier trace of the same program has lowered to TTIR, and need not be lowered again: as that
    /// trace gave it. It is as little to be trusted as the plan that comes of it.
    std::shared_ptr<const Json> lowered;
    /// Which configuration autotuned kernels take where host code asks which one was chosen.
    int configuration = 0;
    /// Candidate only: which call of the module the plan is of; those before it, on zeros, are steps of the
    /// construction.
    int call = 1;
    /// Reference only: "floats" or "whole": Python numbers of these kinds among the inputs are others than
    /// the task's own.
    std::string moved;
    /// Reference only: what small inputs are drawn from that its host code reads. The same for all traces of
    /// a task, and not known to any candidate.
    uint64_t draw_seed = 0;
    /// Processor time; three times as much may pass on the clock, for the machine may be busy.
    std::chrono::milliseconds deadline{20000};
    int64_t memory_bytes = int64_t{4} << 30;
};

/// A validated plan, or why there is none: trace_error, trace_timeout, trace_memory, trace_crash,
/// trace_forbidden, trace_output, trace_protocol, host_read, entry_missing, not_ttir, compile_error,
/// plan_invalid ...
using Outcome = std::variant<plan::Plan, Finding>;

/// Owns the warm zygote process (started in the constructor, ready when first needed, restarted when it
/// dies). Thread-safe: requests from several threads run in children of the one zygote at the same time.
class Tracer {
  public:
    explicit Tracer(TracerOptions options);
    virtual ~Tracer();
    /// @param lowered set to what may serve another trace of the program (Request::lowered), where there is a
    /// plan. @throws MachineError if the zygote cannot be started.
    virtual Outcome trace(const Request& request, std::shared_ptr<const Json>* lowered = nullptr);

  protected:
    Tracer();  ///< for tests: without a process

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tritonsmith::trace
