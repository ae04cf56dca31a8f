#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "generate/attempt.h"
#include "judge/judge.h"

namespace tritonsmith::generate {

/// Judges attempts as they come, equal programs once.
class JudgePool {
  public:
    struct Options {
        judge::Options judge;
        int jobs = 1;
    };
    /// @param done gets each attempt with its verdict, from one thread at a time. All outlive the pool.
    JudgePool(judge::Judge& judge, const task::Task& task, const Options& options,
              std::function<void(Attempt)> done);
    /// Waits for what is being judged; what waits is left.
    ~JudgePool();
    JudgePool(const JudgePool&) = delete;
    JudgePool& operator=(const JudgePool&) = delete;

    void submit(Attempt attempt);
    /// A program's verdict from an earlier run.
    void know(const Attempt& attempt);
    /// Waits until all that was submitted is judged, or stop(). @throws what a judge threw
    void wait();
    /// Nothing more is judged, and verdicts that are still to come are dropped. From any thread.
    void stop();

  private:
    void work();
    void finish(std::vector<Attempt> attempts, const Json& verdict);

    judge::Judge& judge_;
    const task::Task& task_;
    const Options options_;
    const std::function<void(Attempt)> done_;
    std::mutex mutex_, done_mutex_;
    std::condition_variable changed_;
    std::deque<std::string> queue_;                        ///< programs nobody judges yet, by hash
    std::map<std::string, std::vector<Attempt>> waiting_;  ///< attempts by the hash of their program
    std::map<std::string, Json> known_;
    int busy_ = 0;
    bool stop_ = false;
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;
};

}  // namespace tritonsmith::generate
