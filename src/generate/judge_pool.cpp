#include "generate/judge_pool.h"

#include <fmt/format.h>

#include "base/hash.h"

namespace tritonsmith::generate {

JudgePool::JudgePool(judge::Judge& judge, const task::Task& task, const Options& options,
                     std::function<void(Attempt)> done)
    : judge_(judge), task_(task), options_(options), done_(std::move(done)) {
    for (int i = 0; i < options.jobs; ++i) threads_.emplace_back([this] { work(); });
}

JudgePool::~JudgePool() {
    stop();
    for (std::thread& thread : threads_) thread.join();
}

void JudgePool::stop() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
}

void JudgePool::add_known(const Attempt& attempt) {
    if (attempt.code.empty() || !attempt.judged()) return;
    std::lock_guard lock(mutex_);
    known_[sha256(attempt.code)] = attempt.verdict;
}

void JudgePool::submit(Attempt attempt) {
    const std::string hash = sha256(attempt.code);
    Json verdict;
    {
        std::lock_guard lock(mutex_);
        if (stop_) return;
        if (const auto known = known_.find(hash); known != known_.end()) {
            verdict = known->second;
        } else {
            std::vector<Attempt>& same = waiting_[hash];
            if (same.empty()) queue_.push_back(hash);
            same.push_back(attempt);
        }
    }
    if (!verdict.is_null())
        finish({std::move(attempt)}, verdict);
    else
        changed_.notify_all();
}

void JudgePool::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stop_ || failure_ || (queue_.empty() && busy_ == 0); });
    if (failure_) std::rethrow_exception(failure_);
}

void JudgePool::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return stop_ || failure_ || !queue_.empty(); });
        if (stop_ || failure_) return;
        const std::string hash = queue_.front();
        queue_.pop_front();
        ++busy_;
        const Attempt first = waiting_[hash].front();
        lock.unlock();
        Json verdict;
        std::exception_ptr failure;
        try {
            const std::string name = fmt::format("sample {}", first.sample);
            const judge::Verdict judged = judge_.judge(task_, first.code, name, options_.judge);
            if (judged.status == judge::Status::machine_error) throw MachineError(judged.message);
            verdict = judge::to_json(judged);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        std::vector<Attempt> attempts = std::move(waiting_[hash]);
        waiting_.erase(hash);
        const bool counts =
            !stop_ && !failure;  // an interrupted judge's processes die, which is not a verdict
        if (failure && !failure_ && !stop_) failure_ = failure;
        if (counts) known_[hash] = verdict;
        lock.unlock();
        if (counts) finish(std::move(attempts), verdict);
        lock.lock();
        --busy_;
        changed_.notify_all();
    }
}

void JudgePool::finish(std::vector<Attempt> attempts, const Json& verdict) {
    std::lock_guard lock(done_mutex_);
    for (Attempt& attempt : attempts) {
        attempt.verdict = verdict;
        done_(std::move(attempt));
    }
}

}  // namespace tritonsmith::generate
