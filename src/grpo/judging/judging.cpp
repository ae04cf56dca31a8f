#include "grpo/judging/judging.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/reasons.h"

namespace tritonsmith::grpo {
namespace {

judge::Verdict machine_failure(const task::Task& task, const std::string& program,
                               const std::string& message) {
    judge::Verdict verdict;
    verdict.task = task.id;
    judge::conclude(verdict, "lint", {"machine_error", message, 0, Json::object()}, program);
    return verdict;
}

/// Whether it may be this machine's doing: a worker that somebody killed dies like one that the candidate
/// killed, and another judgement tells them apart.
bool may_be_the_machine(const judge::Verdict& verdict) {
    return verdict.status == judge::Status::machine_error || verdict.reason == "worker_died" ||
           verdict.reason == "trace_crash";
}

bool is_lasting(const judge::Verdict& verdict) {
    const Reason* reason = find_reason(verdict.reason);
    return verdict.status != judge::Status::machine_error && (reason == nullptr || !reason->transient);
}

}  // namespace

Judging::Judging(JudgeProgram judge, const Options& options, std::function<void(JudgedSample)> judged)
    : judge_(std::move(judge)), options_(options), judged_(std::move(judged)) {
    for (int i = 0; i < options.jobs; ++i) threads_.emplace_back([this] { run(); });
}

Judging::~Judging() {
    cancel();
    {
        std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void Judging::submit(SampleKey key, std::shared_ptr<const task::Task> task, const std::string& program) {
    const std::string hash = sha256(task->entry + '\n' + sha256(task->source) + sha256(program));
    std::unique_lock lock(mutex_);
    if (const auto known = known_.find(hash); known != known_.end()) {
        const Judgement judgement = known->second;
        lock.unlock();
        return judged_({key, judgement});
    }
    std::shared_ptr<Work>& work = work_[hash];
    if (!work) {
        work = std::make_shared<Work>();
        work->task = std::move(task);
        work->program = program;
        queue_.push_back(hash);
    }
    work->keys.push_back(key);
    lock.unlock();
    changed_.notify_one();
}

/// The oldest one of a task that the judge has prepared, else the oldest one: to prepare a task costs more
/// than to judge one of its programs, and answers to many tasks end in turns.
std::string Judging::next_hash() {
    constexpr size_t prepared = 4;  // fewer than the judge keeps
    const auto task_of = [this](const std::string& hash) { return work_.at(hash)->task.get(); };
    auto chosen = std::find_if(queue_.begin(), queue_.end(), [&](const std::string& hash) {
        return std::find(recent_.begin(), recent_.end(), task_of(hash)) != recent_.end();
    });
    if (chosen == queue_.end()) chosen = queue_.begin();
    std::string hash = std::move(*chosen);
    queue_.erase(chosen);
    const task::Task* task = task_of(hash);
    std::erase(recent_, task);
    recent_.push_front(task);
    if (recent_.size() > prepared) recent_.pop_back();
    return hash;
}

Judgement Judging::judged_with_retries(const Work& work) const {
    const auto judged = [&]() -> Judgement {
        try {
            return judge_(*work.task, work.program);
        } catch (const std::exception& error) {
            return machine_failure(*work.task, work.program, error.what());
        }
    };
    for (int attempt = 0;; ++attempt) {
        Judgement judgement = judged();
        if (attempt >= options_.retries || !may_be_the_machine(judgement.verdict)) return judgement;
    }
}

void Judging::keep(const std::string& hash, const Judgement& judgement) {
    if (!is_lasting(judgement.verdict)) return;
    if (known_.size() >= options_.known) known_.clear();
    known_.insert_or_assign(hash, judgement);
}

void Judging::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
        if (stopping_) return;
        const std::string hash = next_hash();
        const std::shared_ptr<Work> work = work_.at(hash);
        work->begun = true;
        work->since = Clock::now();
        lock.unlock();
        const Judgement judgement = judged_with_retries(*work);
        lock.lock();
        // One that was given up may have been asked for again.
        if (const auto found = work_.find(hash); found != work_.end() && found->second == work)
            work_.erase(found);
        keep(hash, judgement);
        const std::vector<SampleKey> keys = std::move(work->keys);
        work->keys.clear();
        lock.unlock();
        for (const SampleKey& key : keys) judged_({key, judgement});
        lock.lock();
    }
}

void Judging::check_deadlines() {
    std::vector<std::pair<std::shared_ptr<Work>, std::vector<SampleKey>>> late;
    {
        std::lock_guard lock(mutex_);
        const auto now = Clock::now();
        for (auto it = work_.begin(); it != work_.end();) {
            Work& work = *it->second;
            const bool over =
                work.begun && std::chrono::duration<double>(now - work.since).count() > options_.deadline;
            if (over) late.emplace_back(it->second, std::exchange(work.keys, {}));
            it = over ? work_.erase(it) : std::next(it);
        }
    }
    for (const auto& [work, keys] : late)
        for (const SampleKey& key : keys)
            judged_({key, machine_failure(
                              *work->task, work->program,
                              fmt::format("no verdict within judge.deadline, {:g} s", options_.deadline))});
}

void Judging::cancel() {
    std::lock_guard lock(mutex_);
    for (const std::string& hash : queue_) work_.erase(hash);
    queue_.clear();
    for (auto& [hash, work] : work_) work->keys.clear();
    work_.clear();
}

}  // namespace tritonsmith::grpo
