#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "task/task.h"

namespace tritonsmith::judge {

/// One line of a batch: {"task": "FILE.py" or "FILE.jsonl#ID", "candidate": "FILE.py"}, or "code" with the
/// candidate's text in place of "candidate". Paths are relative to the working directory, as on the command
/// line.
struct BatchRow {
    int line = 0;                            ///< in the batch file, from 1
    std::string task_spec;                   ///< as the row has it
    std::shared_ptr<const task::Task> task;  ///< one for all rows that name it; null where `wrong`
    std::string candidate;                   ///< the file, or empty
    std::string code;                        ///< the text, where no file is named; it may be anything
    std::optional<Finding> wrong;            ///< why the row cannot be judged, whatever the candidate

    std::string name() const;  ///< of the candidate, for messages
    /// @throws InputError where the file cannot be read any more
    std::string text() const;
    /// Hash of the candidate's text; empty where `wrong`. @throws InputError
    std::string sha() const;
};

/// What is wrong with a candidate's text is no concern of the reader: that is its verdict.
/// @param keep_going rows without a task, or without a candidate that can be read, become rows that say so.
/// @throws InputError naming file and line for the first of them where it is false: a batch fails before it
/// starts.
std::vector<BatchRow> read_batch(const std::filesystem::path& file, bool keep_going = false);

}  // namespace tritonsmith::judge
