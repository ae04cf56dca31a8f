#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/json.h"
#include "base/process/process.h"
#include "bench/answers/answer.h"
#include "bench/problem.h"

namespace tritonsmith::bench {

/// (problem, sample, protocol)
using VerdictKey = std::tuple<std::string, int, std::string>;

/// The files of a run:
///
///     bench.toml       what was asked for; a folder is continued by the same only
///     problems.jsonl   the problems of the whole suite, with their programs
///     answers.jsonl    {"problem", "sample", "code", "origin"}, as they come
///     verdicts.jsonl   {"problem", "sample", "protocol", "verdict"}, as they come
///
/// The last two only grow. Half a line, which a kill may leave, is cut off. Thread-safe.
class RunFolder {
  public:
    /// Makes the folder, or continues it. @param config the text of bench.toml @throws InputError where it
    /// holds another run, or another process works in it, MachineError where it cannot be written
    RunFolder(const std::filesystem::path& folder, const std::string& config,
              const std::vector<Problem>& problems);
    ~RunFolder();
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;

    /// By problem and sample.
    const std::map<std::pair<std::string, int>, Answer>& answers() const { return answers_; }
    /// Keeps a new answer. @throws InputError where the run has another one for this sample
    void add(const Answer& given);
    /// Whether the sample has a verdict that says something: failures of a machine do not.
    bool judged(const VerdictKey& key) const;
    void add(const VerdictKey& key, const Json& verdict);

  private:
    const std::filesystem::path folder_;
    std::mutex mutable mutex_;
    std::map<std::pair<std::string, int>, Answer> answers_;
    std::set<VerdictKey> judged_;
    Fd lock_;
    int answers_fd_ = -1, verdicts_fd_ = -1;
};

}  // namespace tritonsmith::bench
