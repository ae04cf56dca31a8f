#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "generate/attempt.h"

namespace tritonsmith::generate {

/// What a run asks for: a record of another run cannot be continued.
struct RecordHead {
    std::string task, task_sha256;
    std::string prompt_sha256;  ///< of the messages
    std::string model;
    Json sampling;  ///< temperature, top_p, max_tokens, seed ...
    Json judging;   ///< what verdicts depend on: device, target, policy ...
};

/// A run's answers and verdicts as JSON lines: the head, then {"answer": ...} and {"verdict": ...} as they
/// arrive. The next run continues a killed run's record. Thread-safe.
class Record {
  public:
    /// @param file empty: nothing is written. @throws InputError if it holds another run's samples,
    /// MachineError
    Record(const std::filesystem::path& file, const RecordHead& head);
    ~Record();
    Record(const Record&) = delete;
    Record& operator=(const Record&) = delete;

    /// Attempts of an earlier run by (round, sample), judged or not.
    const std::map<std::pair<int, int>, Attempt>& kept() const { return kept_; }
    void add_answer(const Attempt& attempt);
    void add_verdict(const Attempt& attempt);

  private:
    void read(const std::string& text, const Json& head);
    void write(const Json& line);

    std::string name_;
    int fd_ = -1;
    size_t whole_ = 0;  ///< bytes of the complete lines that the file held
    std::mutex mutex_;
    std::map<std::pair<int, int>, Attempt> kept_;
};

}  // namespace tritonsmith::generate
