#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "endpoint/client.h"
#include "generate/attempt.h"
#include "generate/judge_pool.h"
#include "generate/record.h"

namespace tritonsmith::generate {

struct RunOptions {
    endpoint::ChatRequest request;  ///< model, messages and sampling of the first round; n is not read
    int samples = 8;
    int rounds = 1;    ///< further rounds go on with the judge's feedback while nothing is accepted
    int requests = 8;  ///< that the samples of the first round are divided into
    JudgePool::Options judging;
    /// The best is judged again by these before it is given out, as a file that a user will get; the next one
    /// where it fails.
    std::optional<judge::Options> confirm;
    const std::atomic<bool>* cancel = nullptr;
    std::function<void(const Attempt&)> on_verdict;          ///< from one thread at a time
    std::function<void(int answers, size_t bytes)> on_news;  ///< what has come so far; from any thread
};

struct Outcome {
    std::optional<Attempt> best;         ///< accepted: the fastest, or the first where nothing was timed
    std::map<std::string, int> reasons;  ///< how many attempts ended how
    int answers = 0, judged = 0, rounds = 0;
    int programs = 0;  ///< different ones among the answers
    endpoint::Usage usage;
    bool cancelled = false;
    bool unjudgeable = false;  ///< the task is: no program could be accepted
    std::string failure;       ///< why not all answers came; empty: they did
    bool failure_is_input = false;
};

/// Samples, judges each answer as soon as it is whole, and keeps both in the record. Attempts that the record
/// has are not made again.
/// @throws MachineError where the judge fails
Outcome run(const RunOptions& options, endpoint::Client& client, judge::Judge& judge, const task::Task& task,
            Record& record);

}  // namespace tritonsmith::generate
