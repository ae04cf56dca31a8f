#include "judge/batch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include "base/files.h"
#include "base/hash.h"

namespace tritonsmith::judge {
namespace {

constexpr int64_t kMostBatchBytes = int64_t{1} << 30;
constexpr size_t kTasksAtATime = 3;  ///< the judge keeps one more

std::string text_field(const Json& row, const char* name, const std::string& where) {
    const auto found = row.find(name);
    if (found == row.end()) return "";
    if (!found->is_string() || found->get_ref<const std::string&>().empty())
        throw InputError(where + ": \"" + name + "\" must be a string that is not empty");
    return found->get<std::string>();
}

std::string candidate_text(const BatchRow& row) {
    return row.candidate.empty() ? row.code : task::load_candidate(row.candidate);
}

}  // namespace

std::vector<BatchRow> read_batch(const std::filesystem::path& file) {
    std::istringstream lines(read_file(file, "batch", kMostBatchBytes));
    std::vector<BatchRow> rows;
    std::map<std::string, std::shared_ptr<const task::Task>> tasks;
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        const std::string where = fmt::format("{}:{}", file.string(), number);
        const std::optional<Json> json = parse_untrusted_json(line);
        if (!json || !json->is_object())
            throw InputError(where + ": not a JSON object: give {\"task\": ..., \"candidate\": ...}");
        const std::string spec = text_field(*json, "task", where);
        BatchRow row{number, nullptr, text_field(*json, "candidate", where),
                     text_field(*json, "code", where)};
        if (spec.empty()) throw InputError(where + ": \"task\" is missing");
        if (row.candidate.empty() == row.code.empty())
            throw InputError(where + ": give either \"candidate\" (a file) or \"code\" (its text)");
        try {
            std::shared_ptr<const task::Task>& task = tasks[spec];
            if (!task) task = std::make_shared<const task::Task>(task::load(spec));
            row.task = task;
            if (!row.candidate.empty()) task::load_candidate(row.candidate);
        } catch (const InputError& error) {
            throw InputError(where + ": " + error.what());
        }
        rows.push_back(std::move(row));
    }
    if (rows.empty()) throw InputError(file.string() + ": the batch has no rows");
    return rows;
}

// --- output

BatchOutput::BatchOutput(const std::string& file, const std::vector<BatchRow>& rows) {
    if (file == "-") {
        fd_ = ::dup(STDOUT_FILENO);
        return;
    }
    fd_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd_ < 0) throw MachineError("cannot write " + file + ": " + std::strerror(errno));
    const std::string before = read_file(file, "output", kMostBatchBytes);
    size_t end = 0;
    for (size_t next; (next = before.find('\n', end)) != std::string::npos; end = next + 1) {
        const std::string where = fmt::format("{}:{}", file, kept() + 1);
        const std::string mend = "; give another -o, or remove that file";
        const std::optional<Json> verdict = parse_untrusted_json(before.substr(end, next - end));
        if (!verdict || !verdict->is_object() || !verdict->contains("row"))
            throw InputError(where + ": not a verdict of a batch" + mend);
        if (kept() >= rows.size()) throw InputError(where + ": more verdicts than the batch has rows" + mend);
        const BatchRow& row = rows[kept()];
        if (verdict->at("row") != row.line ||
            verdict->value("candidate_sha256", "") != sha256(candidate_text(row)))
            throw InputError(where + ": not the verdict of this batch's row" + mend);
        statuses_.push_back(verdict->value("status", ""));
    }
    // What a kill left of a line is dropped; what no batch wrote is not ours to drop.
    if (end < before.size() && !std::string("{\"").starts_with(before.substr(end, 2)))
        throw InputError(fmt::format("{}:{}: not a verdict of a batch; give another -o, or remove that file",
                                     file, kept() + 1));
    if (::ftruncate(fd_, static_cast<off_t>(end)) != 0 || ::lseek(fd_, 0, SEEK_END) < 0)
        throw MachineError("cannot write " + file + ": " + std::strerror(errno));
}

BatchOutput::~BatchOutput() {
    if (fd_ >= 0) ::close(fd_);
}

void BatchOutput::write(const Json& verdict) {
    const std::string line = verdict.dump() + "\n";
    for (size_t done = 0; done < line.size();) {
        const ssize_t n = ::write(fd_, line.data() + done, line.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EPIPE) return;  // the reader went away
        if (n < 0) throw MachineError(std::string("cannot write verdicts: ") + std::strerror(errno));
        done += static_cast<size_t>(n);
    }
}

// --- judging

namespace {

class Batch {
  public:
    Batch(Judge& judge, const std::vector<BatchRow>& rows, size_t first, const BatchOptions& options,
          const std::function<void(const Json&)>& done)
        : judge_(judge), rows_(rows), options_(options), done_(done), next_(first), to_give_(first) {}

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
                give(i, judge_row(rows_[i]));
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
            tasks.insert(rows_[i].task.get());
            if (!found && i > now && rows_[i].task != rows_[now].task) found = &rows_[i];
        }
        return tasks.size() <= kTasksAtATime ? found : nullptr;
    }

    bool cached(const BatchRow& row) {
        return options_.cache
            ->find(verdict_key(*row.task, candidate_text(row), options_.judge, options_.identity))
            .has_value();
    }

    Json judge_row(const BatchRow& row) {
        const std::string name = row.candidate.empty() ? fmt::format("row {}", row.line) : row.candidate;
        Json verdict = verdict_of(*row.task, candidate_text(row), name);
        verdict["row"] = row.line;
        if (!row.candidate.empty()) verdict["candidate"] = row.candidate;
        return verdict;
    }

    Json verdict_of(const task::Task& task, const std::string& candidate, const std::string& name) {
        if (!options_.cache) return to_json(judge_.judge(task, candidate, name, options_.judge));
        const std::string key = verdict_key(task, candidate, options_.judge, options_.identity);
        if (std::optional<Json> known = options_.cache->find(key)) {
            (*known)["task"] = task.id;
            (*known)["cached"] = true;
            return *known;
        }
        Json verdict = to_json(judge_.judge(task, candidate, name, options_.judge));
        options_.cache->keep(key, verdict);
        return verdict;
    }

    /// Passes on what is finished, in order.
    void give(size_t index, Json verdict) {
        std::lock_guard lock(mutex_);
        waiting_.emplace(index, std::move(verdict));
        for (auto it = waiting_.find(to_give_); it != waiting_.end(); it = waiting_.find(to_give_)) {
            done_(it->second);
            waiting_.erase(it);
            ++to_give_;
        }
    }

    Judge& judge_;
    const std::vector<BatchRow>& rows_;
    const BatchOptions& options_;
    const std::function<void(const Json&)>& done_;
    std::atomic<size_t> next_;
    std::atomic<bool> stop_ = false;
    std::condition_variable taken_;  ///< a row was
    bool finished_ = false;          ///< under mutex_
    std::mutex mutex_;
    size_t to_give_;
    std::map<size_t, Json> waiting_;
    std::exception_ptr failure_;
};

}  // namespace

void run_batch(Judge& judge, const std::vector<BatchRow>& rows, size_t first, const BatchOptions& options,
               const std::function<void(const Json&)>& done) {
    Batch(judge, rows, first, options, done).run();
}

}  // namespace tritonsmith::judge
