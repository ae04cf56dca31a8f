#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "grpo/judging/sample_key.h"
#include "judge/verdict/verdict.h"
#include "reward/facts.h"
#include "task/task.h"

namespace tritonsmith::grpo {

/// What is known of a program.
struct Judgement {
    judge::Verdict verdict;                    ///< machine_error: none was reached
    std::optional<reward::CheckResult> check;  ///< of the check that rewards go by, where it is not the judge

    Judgement(judge::Verdict of_the_judge, std::optional<reward::CheckResult> other = std::nullopt)
        : verdict(std::move(of_the_judge)), check(other) {}
};

/// Judges a program for a task. Called by several threads at a time. What it throws counts as a failure of
/// this machine.
using JudgeProgram = std::function<Judgement(const task::Task&, const std::string& program)>;

struct JudgedSample {
    SampleKey key;
    Judgement judgement;
};

/// Judges programs in threads as they come, equal ones of a task once. A failure of this machine is asked
/// again; a judgement past its deadline is given up, and delays nothing but itself.
class Judging {
  public:
    struct Options {
        int jobs = 1;
        int retries = 0;
        double deadline = 600;  ///< seconds of one judgement, retries included
        size_t known = 20'000;  ///< verdicts that are kept for programs that come again
    };
    /// @param judged gets every submitted sample once, from any thread
    Judging(JudgeProgram judge, const Options& options, std::function<void(JudgedSample)> judged);
    /// Waits for judgements in progress, which have deadlines of the judge's own.
    ~Judging();
    Judging(const Judging&) = delete;
    Judging& operator=(const Judging&) = delete;

    void submit(SampleKey key, std::shared_ptr<const task::Task> task, const std::string& program);
    /// Gives up what is past its deadline. Call it now and then.
    void check_deadlines();
    /// Drops what waits; what is in progress is not reported.
    void cancel();

  private:
    using Clock = std::chrono::steady_clock;
    /// A program that is judged or waits for it.
    struct Work {
        std::shared_ptr<const task::Task> task;
        std::string program;
        std::vector<SampleKey> keys;
        bool begun = false;
        Clock::time_point since;  ///< it began
    };
    void run();
    std::string next_hash();
    Judgement judged_with_retries(const Work& work) const;
    void keep(const std::string& hash, const Judgement& judgement);

    const JudgeProgram judge_;
    const Options options_;
    const std::function<void(JudgedSample)> judged_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::string> queue_;         ///< hashes of what waits
    std::deque<const task::Task*> recent_;  ///< tasks that were judged last, which the judge has prepared
    std::map<std::string, std::shared_ptr<Work>> work_;
    std::map<std::string, Judgement> known_;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace tritonsmith::grpo
