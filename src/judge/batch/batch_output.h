#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "judge/batch/batch_rows.h"

namespace tritonsmith::judge {

/// The verdicts of a batch in the order of its rows, one JSON object a line. What a killed run wrote stays:
/// the next one goes on behind its last whole line. Rows on which the machine failed are judged again: the
/// file is cut before the first of them, and what is known of later rows is taken over when their turn comes.
class BatchOutput {
  public:
    /// @param file "-": stdout, nothing is kept. @throws InputError if the file holds other verdicts than
    /// those of these rows; MachineError if it cannot be written.
    BatchOutput(const std::string& file, const std::vector<BatchRow>& rows);
    ~BatchOutput();
    BatchOutput(const BatchOutput&) = delete;
    BatchOutput& operator=(const BatchOutput&) = delete;

    size_t kept() const { return statuses_.size(); }  ///< rows whose verdicts stay in the file
    const std::vector<std::string>& kept_statuses() const { return statuses_; }
    /// Verdicts of later rows, by index.
    const std::map<size_t, Json>& known() const { return known_; }
    /// @throws MachineError (disk full)
    void write(const Json& verdict);

  private:
    int fd_ = -1;
    std::vector<std::string> statuses_;
    std::map<size_t, Json> known_;
};

}  // namespace tritonsmith::judge
