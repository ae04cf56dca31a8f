#include "data/synth/verify.h"

#include <fmt/format.h>

#include <thread>

#include "base/error.h"
#include "base/process/deaths.h"
#include "data/synth/mutate.h"
#include "judge/verdict/feedback.h"

namespace tritonsmith::data {
namespace {

task::Task task_of(const Pair& pair) {
    task::Task out;
    out.id = pair.id;
    out.source = pair.source;
    out.display = pair.id;
    out.entry = pair.entry;
    out.suite = "synth";
    return out;
}

/// What happened to one pair, until all of the shard are done.
struct Outcome {
    std::vector<std::string> causes;  ///< of solutions that went
    bool judged = false, accepted = false;
};

}  // namespace

Verifier::Verifier(VerifyOptions options) : options_(std::move(options)), judge_(options_.paths) {}

void Verifier::verify(std::vector<Pair>& pairs, Tally& tally, const std::function<void()>& judged,
                      const std::atomic<bool>& stopped) {
    std::vector<Outcome> outcomes(pairs.size());
    std::atomic<size_t> next = 0;
    std::string failure;  // of this machine, the first: whoever sets `failed` writes it
    std::atomic<bool> failed = false;
    auto judge = [&](const task::Task& task, const std::string& code) {
        judge::Verdict verdict = judge_.judge(task, code, task.id, options_.judge);
        // By chance, as a process that somebody kills: once more, and then it is the machine.
        for (int attempts = 1; attempts < kAttempts && verdict.status == judge::Status::machine_error;
             ++attempts)
            verdict = judge_.judge(task, code, task.id, options_.judge);
        if (verdict.status == judge::Status::machine_error && !failed.exchange(true))
            failure = fmt::format("{} could not be judged: {}", task.id, verdict.message);
        return verdict;
    };
    auto judge_pair = [&](Pair& pair, Outcome& outcome) {
        const task::Task task = task_of(pair);
        std::vector<Solution> kept;
        for (Solution& solution : pair.solutions) {
            const judge::Verdict verdict = judge(task, solution.code);
            outcome.judged = true;
            if (verdict.accepted()) {
                kept.push_back(std::move(solution));
                continue;
            }
            outcome.causes.push_back(fmt::format("{}: {}", judge::name(verdict.status), verdict.reason));
        }
        pair.solutions = std::move(kept);
        outcome.accepted = outcome.causes.empty();
        if (pair.solutions.empty()) return;
        Random random(options_.seed, pair.structure);
        for (const Mutation& mutation : mutations(pair.solutions[0].code, options_.repairs, random)) {
            const judge::Verdict verdict = judge(task, mutation.code);
            if (verdict.status != judge::Status::rejected)
                continue;  // it is right as it is, or nothing is known
            pair.repairs.push_back({{"mutation", mutation.kind},
                                    {"broken", mutation.code},
                                    {"reason", verdict.reason},
                                    {"stage", verdict.stage},
                                    {"line", verdict.line},
                                    {"feedback", judge::feedback(verdict, mutation.code)},
                                    {"fixed", 0}});
        }
    };
    auto work = [&] {
        for (size_t i = next++; i < pairs.size() && !stopped && !failed; i = next++) {
            judge_pair(pairs[i], outcomes[i]);
            judged();
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < options_.jobs; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    if (failed) throw MachineError(failure);
    std::vector<Pair> kept;
    for (size_t i = 0; i < pairs.size(); ++i) {
        for (const std::string& cause : outcomes[i].causes) ++tally.dropped[cause];
        for (const std::string& family : pairs[i].families) {
            tally.judged[family] += outcomes[i].judged;
            tally.rejected[family] += outcomes[i].judged && !outcomes[i].accepted;
        }
        if (!pairs[i].solutions.empty()) kept.push_back(std::move(pairs[i]));
    }
    pairs = std::move(kept);
}

}  // namespace tritonsmith::data
