#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "judge/judge.h"
#include "judge/verdict_cache.h"

namespace tritonsmith::judge {

/// One line of a batch: {"task": "FILE.py" or "FILE.jsonl#ID", "candidate": "FILE.py"}, or "code" with the
/// candidate's text in place of "candidate". Paths are relative to the working directory, as on the command
/// line.
struct BatchRow {
    int line = 0;                            ///< in the batch file, from 1
    std::shared_ptr<const task::Task> task;  ///< one for all rows that name it
    std::string candidate, code;
};

/// @throws InputError naming file and line for what is not such a row, and for tasks and candidates that
/// cannot be read: a batch fails before it starts.
std::vector<BatchRow> read_batch(const std::filesystem::path& file);

/// The verdicts of a batch in the order of its rows, one JSON object a line. What a killed run wrote stays:
/// the next one goes on behind its last whole line.
class BatchOutput {
  public:
    /// @param file "-": stdout, nothing is kept. @throws InputError if the file holds other verdicts than
    /// those of these rows; MachineError if it cannot be written.
    BatchOutput(const std::string& file, const std::vector<BatchRow>& rows);
    ~BatchOutput();
    BatchOutput(const BatchOutput&) = delete;
    BatchOutput& operator=(const BatchOutput&) = delete;

    size_t kept() const { return statuses_.size(); }  ///< rows that need no judging any more
    const std::vector<std::string>& kept_statuses() const { return statuses_; }
    /// @throws MachineError (disk full)
    void write(const Json& verdict);

  private:
    int fd_ = -1;
    std::vector<std::string> statuses_;
};

struct BatchOptions {
    Options judge;
    int jobs = 1;                   ///< threads that judge
    VerdictCache* cache = nullptr;  ///< verdicts that it has are taken from there, marked "cached"
    std::string identity;           ///< of the judge, for the cache
};

/// Judges rows[first..]. `done` is called with each verdict in the order of the rows, from one thread at a
/// time.
/// @throws MachineError: rows whose verdicts came before were given to `done`.
void run_batch(Judge& judge, const std::vector<BatchRow>& rows, size_t first, const BatchOptions& options,
               const std::function<void(const Json&)>& done);

}  // namespace tritonsmith::judge
