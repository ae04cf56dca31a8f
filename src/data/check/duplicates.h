#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace tritonsmith::data {

/// How many texts differ from others in names, numbers, remarks and layout only (lint/normal_form.h).
struct Duplicates {
    int64_t rows = 0, solutions = 0;
    /// Rows but one of each kind: of those whose tasks are alike, whose first solutions are, and both.
    int64_t same_tasks = 0, same_solutions = 0, same_rows = 0;
};

/// Reads rows with `code` and `solutions`, as `data synth` writes them (.jsonl, .jsonl.zst).
/// @param stopped is asked between files @throws InputError where a file is no such thing
Duplicates count_duplicates(const std::vector<std::string>& files, int threads,
                            const std::atomic<bool>& stopped);

}  // namespace tritonsmith::data
