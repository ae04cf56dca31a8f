#pragma once

#include <vector>

#include "bench/run/protocol.h"
#include "bench/run/run_folder.h"
#include "judge/batch/batch_rows.h"

namespace tritonsmith::bench {

/// What is left to judge of a run, as rows of a batch (judge/batch/batch.h). Row i is that of keys[i], and
/// its verdict's "row" is i + 1.
struct Pending {
    std::vector<judge::BatchRow> rows;
    std::vector<VerdictKey> keys;
};

/// Answers of `problems` without a verdict under `protocol`, a problem's behind each other. Problems that lie
/// near each other in the suite come far from each other, and long programs not last: suites begin with
/// single operators on large tensors, which keep a device busy, and end with networks, which keep the
/// processors busy. Answers without a program, and those to problems without a task (or tests, where the
/// protocol runs them), are rows whose verdict says so.
Pending pending_of(const RunFolder& run, const std::vector<Problem>& problems, const Protocol& protocol);

}  // namespace tritonsmith::bench
