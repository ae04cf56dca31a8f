#pragma once

#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>

#include "base/process/process.h"

namespace tritonsmith {

/// Progress of a long job on stderr: on a terminal one line that is rewritten a few times a second, elsewhere
/// a line every ten seconds. The last line is always written. Thread-safe.
class Progress {
  public:
    /// @param what is counted, in the plural: "candidates". @param total 0: not known.
    Progress(std::string what, int64_t total, std::FILE* out = stderr);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void advance(int64_t by = 1);
    /// Shown at the end of the line: "3 accepted".
    void note(std::string text);

    /// "12/100 candidates, 3.1/s, 28 s left, 3 accepted"
    static std::string line(const std::string& what, int64_t done, int64_t total, double seconds,
                            const std::string& note);

  private:
    void show(bool last);

    const std::string what_;
    const int64_t total_;
    std::FILE* const out_;
    const bool terminal_;
    const Clock::time_point start_ = Clock::now();
    std::mutex mutex_;
    int64_t done_ = 0;
    std::string note_;
    Clock::time_point shown_ = start_;
};

}  // namespace tritonsmith
