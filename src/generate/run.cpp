#include "generate/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <thread>

#include "base/hash.h"
#include "text/prompt/prompt.h"

namespace tritonsmith::generate {
namespace {

/// Samples that a machine's processors share: one that is accepted is there sooner where few are under way.
constexpr int kAtATimeForTheFirst = 2;

bool better(const Attempt& a, const Attempt& b) {
    if (a.speedup() != b.speedup()) return a.speedup() > b.speedup();
    return std::pair(a.round, a.sample) < std::pair(b.round, b.sample);
}

class Run {
  public:
    Run(const RunOptions& options, endpoint::Client& client, judge::Judge& judge, const task::Task& task,
        Record& record)
        : options_(options),
          client_(client),
          record_(record),
          judge_(judge),
          task_(task),
          pool_(judge, task, options.judging, [this](Attempt attempt) { take_verdict(std::move(attempt)); }) {
    }

    Outcome run() {
        for (const auto& [place, attempt] : record_.kept()) pool_.add_known(attempt);
        for (int round = 1; round <= options_.rounds && !over(); ++round) {
            out_.rounds = round;
            recall(round);
            sample(round);
            if (cancelled() || enough_) pool_.stop();
            watch_and_wait();
        }
        choose();
        std::lock_guard lock(mutex_);
        out_.cancelled = cancelled();
        std::set<std::string> programs;
        for (const auto& [place, attempt] : attempts_) {
            if (enough_ && !attempt.judged()) continue;  // not needed any more
            ++out_.answers;
            if (!attempt.code.empty()) programs.insert(sha256(attempt.code));
            out_.judged += attempt.judged();
            ++out_.reasons[attempt.reason()];
        }
        out_.programs = static_cast<int>(programs.size());
        return std::move(out_);
    }

  private:
    bool cancelled() const { return options_.cancel && options_.cancel->load(); }

    bool over() {
        std::lock_guard lock(mutex_);
        if (cancelled() || out_.unjudgeable || !out_.failure.empty()) return true;
        return std::any_of(attempts_.begin(), attempts_.end(),
                           [](const auto& a) { return a.second.accepted(); });
    }

    void choose() {
        std::vector<Attempt*> accepted;
        for (auto& [place, attempt] : attempts_)
            if (attempt.accepted()) accepted.push_back(&attempt);
        std::sort(accepted.begin(), accepted.end(),
                  [](const Attempt* a, const Attempt* b) { return better(*a, *b); });
        for (Attempt* attempt : accepted) {
            if (options_.confirm && !cancelled()) {
                const std::string name = fmt::format("sample {}", attempt->sample);
                attempt->verdict =
                    judge::to_json(judge_.judge(task_, attempt->code, name, *options_.confirm));
                if (options_.on_verdict) options_.on_verdict(*attempt);
            }
            if (!attempt->accepted()) continue;
            out_.best = *attempt;
            return;
        }
    }

    /// Recorded attempts of this round.
    void recall(int round) {
        for (const auto& [place, attempt] : record_.kept())
            if (place.first == round && place.second < options_.samples && !attempt.answer.content.empty())
                take_answer(attempt, true);
    }

    void sample(int round) {
        std::vector<int> missing;
        {
            std::lock_guard lock(mutex_);
            for (int i = 0; i < options_.samples; ++i)
                if (!attempts_.contains({round, i})) missing.push_back(i);
        }
        const int count = static_cast<int>(missing.size());
        // In the first round all send the same messages; later each continues its own conversation.
        int requests = round == 1 ? std::min(options_.requests, count) : count;
        if (options_.first) requests = std::min(kAtATimeForTheFirst, count);
        std::vector<std::thread> threads;
        for (int r = 0; r < requests; ++r) {
            std::vector<int> share;
            for (size_t i = static_cast<size_t>(r); i < missing.size(); i += static_cast<size_t>(requests))
                share.push_back(missing[i]);
            threads.emplace_back([this, round, share] {
                if (!options_.first) return ask(round, share);
                for (size_t i = 0; i < share.size() && !over(); ++i) ask(round, {share[i]});
            });
        }
        for (std::thread& thread : threads) thread.join();
    }

    endpoint::ChatRequest question(int round, int sample) {
        endpoint::ChatRequest request = options_.request;
        if (request.seed)
            *request.seed += static_cast<uint64_t>(round) * 1000003 + static_cast<uint64_t>(sample);
        std::lock_guard lock(mutex_);
        for (int before = 1; before < round; ++before) {
            const auto found = attempts_.find({before, sample});
            if (found == attempts_.end()) continue;
            request.messages.push_back({"assistant", found->second.answer.content});
            request.messages.push_back(text::correction_prompt(feedback_for_model(found->second)));
        }
        return request;
    }

    void ask(int round, const std::vector<int>& samples) {
        endpoint::ChatRequest request = question(round, samples.front());
        request.n = static_cast<int>(samples.size());
        const endpoint::ChatEvents events{[&](int index, endpoint::Answer answer) {
                                              Attempt attempt;
                                              attempt.round = round;
                                              attempt.sample = samples.at(static_cast<size_t>(index));
                                              attempt.answer = std::move(answer);
                                              read_answer(attempt);
                                              take_answer(attempt, false);
                                          },
                                          [this](size_t bytes) {
                                              bytes_ += bytes;
                                              report_progress();
                                          }};
        try {
            const endpoint::Usage usage = client_.chat(request, events);
            std::lock_guard lock(mutex_);
            out_.usage.add(usage);
        } catch (const endpoint::Cancelled&) {
        } catch (const InputError& error) {
            fail(error.what(), true);
        } catch (const std::exception& error) {
            fail(error.what(), false);
        }
    }

    void fail(const std::string& what, bool input) {
        std::lock_guard lock(mutex_);
        if (!out_.failure.empty()) return;
        out_.failure = what;
        out_.failure_is_input = input;
    }

    void take_answer(const Attempt& attempt, bool recalled) {
        if (!recalled) record_.add_answer(attempt);
        {
            std::lock_guard lock(mutex_);
            attempts_[{attempt.round, attempt.sample}] = attempt;
        }
        ++answers_;
        report_progress();
        if (!attempt.judged())
            pool_.submit(attempt);
        else if (options_.on_verdict) {
            std::lock_guard lock(verdict_mutex_);
            options_.on_verdict(attempt);
        }
    }

    void take_verdict(Attempt attempt) {
        record_.add_verdict(attempt);
        {
            std::lock_guard lock(mutex_);
            attempts_[{attempt.round, attempt.sample}] = attempt;
            // Of the task, not of this program.
            if (attempt.verdict.value("status", "") == "unjudgeable" && attempt.reason().starts_with("task_"))
                out_.unjudgeable = true;
            if (options_.first && attempt.accepted()) enough_ = true;
        }
        if (enough_) client_.stop();
        std::lock_guard lock(verdict_mutex_);
        if (options_.on_verdict) options_.on_verdict(attempt);
    }

    void report_progress() {
        if (options_.on_news) options_.on_news(answers_, bytes_);
    }

    /// The pool's wait, which a signal ends.
    void watch_and_wait() {
        std::atomic<bool> done = false;
        std::thread watch([&] {
            while (!done) {
                if (cancelled() || enough_) pool_.stop();
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
            }
        });
        try {
            pool_.wait();
        } catch (...) {
            done = true;
            watch.join();
            throw;
        }
        done = true;
        watch.join();
    }

    const RunOptions& options_;
    endpoint::Client& client_;
    Record& record_;
    judge::Judge& judge_;
    const task::Task& task_;
    std::mutex mutex_;  ///< of attempts_ and out_
    std::mutex verdict_mutex_;
    std::map<std::pair<int, int>, Attempt> attempts_;
    Outcome out_;
    std::atomic<bool> enough_ = false;
    std::atomic<int> answers_ = 0;
    std::atomic<size_t> bytes_ = 0;
    JudgePool pool_;  // last: its threads use the others
};

}  // namespace

Outcome run(const RunOptions& options, endpoint::Client& client, judge::Judge& judge, const task::Task& task,
            Record& record) {
    return Run(options, client, judge, task, record).run();
}

}  // namespace tritonsmith::generate
