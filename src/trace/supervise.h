#pragma once

#include <atomic>
#include <string>

#include "trace/private_folder.h"
#include "trace/service.h"

namespace tritonsmith::trace {

/// What a traced child may take before it is ended.
struct Allowance {
    Clock::time_point deadline;
    double cpu_seconds = 1e9;              ///< the limit that the child's sandbox sets
    int64_t memory = int64_t{4} << 30;     ///< bytes beyond what its parent holds
    int64_t output = int64_t{1} << 20;     ///< bytes on stdout and stderr
    int64_t result = int64_t{256} << 20;   ///< bytes of its one frame
    int64_t files = int64_t{256} << 20;    ///< bytes in its folder
    int64_t entries = 4096;                ///< files and folders in its folder
    int64_t written = int64_t{512} << 20;  ///< bytes given to write calls, files that are gone included
    int threads = 256;
    const std::atomic<bool>* cancelled = nullptr;  ///< true: nobody wants the result any more
};

/// How a child ended.
struct Ending {
    enum class Stop { itself, deadline, memory, output, files, threads, oversized, lingered, cancelled };
    Stop stop = Stop::itself;  ///< who ended it: itself, or we and why
    int status = 0, signal = 0;
    double cpu_seconds = 0;
    std::string result;  ///< all bytes that came through the result pipe, prefix included
    std::string output;  ///< the beginning of what it printed
    int64_t peak = 0;    ///< largest memory seen, bytes beyond its parent's
};

/// Follows one child of `call`'s server to its end: drains both pipes, watches deadline, memory, threads and
/// folder, and kills. The child does not exist any more when this returns. @throws HelperEnded
Ending supervise(Call& call, int result, int output, const PrivateFolder& folder, const Allowance& allowance);

}  // namespace tritonsmith::trace
