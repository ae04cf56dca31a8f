#include "judge/batch/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "base/process/deaths.h"

namespace tritonsmith::judge {
namespace {

constexpr size_t kTasksAtATime = 3;  ///< the judge keeps one more

class Batch {
  public:
    Batch(Judge& judge, const std::vector<BatchRow>& rows, size_t first, const std::map<size_t, Json>& known,
          const BatchOptions& options, const std::function<void(const Json&)>& done)
        : judge_(judge),
          rows_(rows),
          known_(known),
          options_(options),
          done_(done),
          next_(first),
          to_give_(first) {}

    void run() {
        std::vector<std::thread> threads;
        for (int i = 0; i < options_.jobs; ++i) threads.emplace_back([this] { work(); });
        std::thread ahead([this] { look_ahead(); });
        for (std::thread& thread : threads) thread.join();
        {
            std::lock_guard lock(mutex_);
            finished_ = true;
        }
        taken_.notify_all();
        ahead.join();
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    void work() {
        try {
            for (size_t i; !stop_ && (i = next_++) < rows_.size();) {
                taken_.notify_one();
                const auto known = known_.find(i);
                give(i, known != known_.end() ? known->second : judge_row(rows_[i]));
            }
        } catch (...) {
            stop_ = true;
            std::lock_guard lock(mutex_);
            if (!failure_) failure_ = std::current_exception();
        }
    }

    /// Where rows of one task lie behind each other, the next task is prepared while the last candidates of
    /// the one before are judged: else all threads would wait for it together.
    void look_ahead() {
        const task::Task* last = nullptr;
        std::unique_lock lock(mutex_);
        while (!finished_ && !stop_) {
            const BatchRow* row = soon();
            if (!row || row->task.get() == last) {
                taken_.wait_for(lock, std::chrono::milliseconds(100));
                continue;
            }
            last = row->task.get();
            lock.unlock();
            try {
                if (!options_.cache || !cached(*row)) judge_.prepare_ahead(*row->task, options_.judge);
            } catch (const std::exception&) {  // left to the row that meets it
            }
            lock.lock();
        }
    }

    /// The first row of another task, if its turn comes soon. Where rows of many tasks are judged at a time,
    /// what is prepared now would be forgotten before it is needed.
    const BatchRow* soon() const {
        const size_t now = next_, jobs = static_cast<size_t>(options_.jobs);
        const size_t end = std::min(rows_.size(), now + 2 * jobs);
        std::set<const task::Task*> tasks;
        const BatchRow* found = nullptr;
        for (size_t i = now - std::min(now, jobs); i < end; ++i) {
            if (!rows_[i].task) continue;
            tasks.insert(rows_[i].task.get());
            if (!found && i > now && rows_[i].task != rows_[now].task) found = &rows_[i];
        }
        return tasks.size() <= kTasksAtATime ? found : nullptr;
    }

    bool cached(const BatchRow& row) {
        return options_.cache->find(verdict_key(*row.task, row.text(), options_.judge, options_.identity))
            .has_value();
    }

    Json judge_row(const BatchRow& row) {
        Json verdict;
        try {
            verdict = row.wrong ? without_judge(row, *row.wrong) : verdict_of(row);
        } catch (const InputError& error) {  // the candidate's file was there when the batch began
            verdict = without_judge(row, {"bad_row", error.what(), 0, Json::object()});
        } catch (const std::exception& error) {
            verdict = without_judge(row, {"machine_error", error.what(), 0, Json::object()});
        }
        verdict["row"] = row.line;
        if (!row.candidate.empty()) verdict["candidate"] = row.candidate;
        return verdict;
    }

    static Json without_judge(const BatchRow& row, const Finding& finding) {
        Verdict verdict;
        verdict.task = row.task ? row.task->id : row.task_spec;
        if (finding.reason == "machine_error") verdict.candidate_sha256 = row.sha();
        conclude(verdict, "lint", finding, "");
        return to_json(verdict);
    }

    Json verdict_of(const BatchRow& row) {
        const std::string candidate = row.text();
        if (!options_.cache) return to_json(judge_.judge(*row.task, candidate, row.name(), options_.judge));
        const std::string key = verdict_key(*row.task, candidate, options_.judge, options_.identity);
        if (std::optional<Json> known = options_.cache->find(key)) {
            (*known)["task"] = row.task->id;
            (*known)["cached"] = true;
            return *known;
        }
        Json verdict = to_json(judge_.judge(*row.task, candidate, row.name(), options_.judge));
        options_.cache->keep(key, verdict);
        return verdict;
    }

    /// Passes on what is finished. Once that has failed, nothing more.
    void give(size_t index, Json verdict) {
        std::lock_guard lock(mutex_);
        if (stop_) return;
        try {
            if (!options_.in_order) {
                done_(verdict);
                check_machine(verdict);
                return;
            }
            waiting_.emplace(index, std::move(verdict));
            for (auto it = waiting_.find(to_give_); it != waiting_.end(); it = waiting_.find(to_give_)) {
                done_(it->second);
                check_machine(it->second);
                waiting_.erase(it);
                ++to_give_;
            }
        } catch (...) {
            stop_ = true;  // before another thread gets the lock
            throw;
        }
    }

    /// @throws MachineError
    void check_machine(const Json& verdict) {
        failures_ = verdict.at("status") == name(Status::machine_error) ? failures_ + 1 : 0;
        if (failures_ == kMostMachineFailures)
            throw MachineError(fmt::format("the machine fails on {} rows in a row: {}", failures_,
                                           verdict.value("message", "")));
    }

    Judge& judge_;
    const std::vector<BatchRow>& rows_;
    const std::map<size_t, Json>& known_;
    const BatchOptions& options_;
    const std::function<void(const Json&)>& done_;
    std::atomic<size_t> next_;
    std::atomic<bool> stop_ = false;
    std::condition_variable taken_;  ///< a row was
    bool finished_ = false;          ///< under mutex_
    std::mutex mutex_;
    size_t to_give_;
    int failures_ = 0;  ///< of the machine, in the last rows
    std::map<size_t, Json> waiting_;
    std::exception_ptr failure_;
};

}  // namespace

void run_batch(Judge& judge, const std::vector<BatchRow>& rows, size_t first,
               const std::map<size_t, Json>& known, const BatchOptions& options,
               const std::function<void(const Json&)>& done) {
    Batch(judge, rows, first, known, options, done).run();
}

}  // namespace tritonsmith::judge
