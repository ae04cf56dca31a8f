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

/// Judges attempts in threads as they arrive, equal programs once.
class JudgePool {
  public:
    struct Options {
        judge::Options judge;
        int jobs = 1;
    };
    /// @param done gets each attempt with its verdict, from one thread at a time. All outlive the pool.
    JudgePool(judge::Judge& judge, const task::Task& task, const Options& options,
              std::function<void(Attempt)> done);
    /// Waits for attempts that are being judged; queued ones are dropped.
    ~JudgePool();
    JudgePool(const JudgePool&) = delete;
    JudgePool& operator=(const JudgePool&) = delete;

    void submit(Attempt attempt);
    /// Adds a program's verdict from an earlier run.
    void add_known(const Attempt& attempt);
    /// Waits until all submitted attempts are judged, or stop(). @throws what a judge threw
    void wait();
    /// Judges nothing more and drops pending verdicts. Thread-safe.
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
    std::deque<std::string> queue_;                        ///< programs to be judged, by hash
    std::map<std::string, std::vector<Attempt>> waiting_;  ///< attempts by the hash of their program
    std::map<std::string, Json> known_;
    int busy_ = 0;
    bool stop_ = false;
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;
};

}  // namespace tritonsmith::generate
