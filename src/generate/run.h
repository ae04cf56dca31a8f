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
    int rounds = 1;    ///< further rounds continue with the judge's feedback while nothing is accepted
    int requests = 8;  ///< that the samples of the first round are divided into
    JudgePool::Options judging;
    /// Ends with the first accepted attempt: where nothing is timed, it is the best. Few samples are asked
    /// for at a time.
    bool first = false;
    /// The best attempt is judged again with these before it is returned; if it fails, the next best one.
    std::optional<judge::Options> confirm;
    const std::atomic<bool>* cancel = nullptr;
    std::function<void(const Attempt&)> on_verdict;          ///< from one thread at a time
    std::function<void(int answers, size_t bytes)> on_news;  ///< progress so far; from any thread
};

struct Outcome {
    std::optional<Attempt> best;         ///< accepted: the fastest, or the first if nothing was timed
    std::map<std::string, int> reasons;  ///< number of attempts by reason
    int answers = 0, judged = 0, rounds = 0;
    int programs = 0;  ///< different ones among the answers
    endpoint::Usage usage;
    bool cancelled = false;
    bool unjudgeable = false;  ///< the task is: no program could be accepted
    std::string failure;       ///< why answers are missing; empty: none are
    bool failure_is_input = false;
};

/// Samples, judges each answer as soon as it is complete, and records both. Recorded attempts are not
/// repeated.
/// @throws MachineError if the judge fails
Outcome run(const RunOptions& options, endpoint::Client& client, judge::Judge& judge, const task::Task& task,
            Record& record);

}  // namespace tritonsmith::generate
