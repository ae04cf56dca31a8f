#include "cli/bench/bench_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "base/process/interrupts.h"
#include "base/process/progress.h"
#include "cli/describe.h"
#include "cli/sampling/model_source.h"
#include "cli/sampling/task_request.h"
#include "generate/attempt.h"

namespace tritonsmith::cli {
namespace {

/// Samples of one problem that one request asks for.
struct Part {
    const bench::Problem* problem;
    std::vector<int> samples;
};

/// What is missing. Samples of one request share the prompt; of a few problems there are several requests, so
/// that all of them are at work.
std::vector<Part> missing_parts(const bench::RunFolder& run, const std::vector<bench::Problem>& problems,
                                int samples, int requests) {
    std::vector<Part> whole;
    size_t missing = 0;
    for (const bench::Problem& one : problems) {
        if (!one.task && one.instruction.empty()) continue;  // nothing to ask by
        Part part{&one, {}};
        for (int i = 0; i < samples; ++i)
            if (!run.answers().contains({one.id, i})) part.samples.push_back(i);
        missing += part.samples.size();
        if (!part.samples.empty()) whole.push_back(std::move(part));
    }
    const size_t most = std::max<size_t>(1, missing / static_cast<size_t>(requests));
    std::vector<Part> out;
    for (const Part& part : whole)
        for (size_t i = 0; i < part.samples.size(); i += most) {
            const auto begin = part.samples.begin() + static_cast<std::ptrdiff_t>(i);
            out.push_back(
                {part.problem,
                 {begin, begin + static_cast<std::ptrdiff_t>(std::min(most, part.samples.size() - i))}});
        }
    return out;
}

bench::Answer answer_of(const Part& part, int index, endpoint::Answer given, const std::string& model) {
    generate::Attempt attempt;
    attempt.answer = std::move(given);
    generate::read_answer(attempt);
    bench::Answer out{
        part.problem->id,      part.samples.at(static_cast<size_t>(index)), attempt.code, model, "", "",
        attempt.answer.content};
    if (attempt.judged()) {
        out.reason = attempt.reason();
        out.message = attempt.verdict.value("message", "");
    }
    return out;
}

/// Asks for all parts in threads, until one fails for good.
class Asking {
  public:
    Asking(bench::RunFolder& run, const std::vector<Part>& parts, ModelSource& source,
           std::function<endpoint::ChatRequest(const bench::Problem&)> request)
        : run_(run),
          parts_(parts),
          source_(source),
          request_(std::move(request)),
          progress_("answers", count(parts)) {}

    Asked ask(int threads) {
        std::vector<std::thread> all;
        for (int i = 0; i < std::min(threads, static_cast<int>(parts_.size())); ++i)
            all.emplace_back([this] { work(); });
        for (std::thread& thread : all) thread.join();
        if (failure_) std::rethrow_exception(failure_);
        return out_;
    }

  private:
    static int64_t count(const std::vector<Part>& parts) {
        int64_t all = 0;
        for (const Part& one : parts) all += static_cast<int64_t>(one.samples.size());
        return all;
    }

    void work() {
        for (size_t i; !over_ && (i = next_++) < parts_.size();) {
            try {
                ask_for(parts_[i]);
            } catch (const endpoint::Cancelled&) {
                end([this] { out_.interrupted = true; });
            } catch (const MachineError& error) {
                const std::string what = error.what();
                end([&] { out_.failure = what; });
            } catch (...) {
                end([this] { failure_ = std::current_exception(); });
            }
        }
    }

    void ask_for(const Part& part) {
        endpoint::ChatRequest request = request_(*part.problem);
        request.model = source_.name();
        request.n = static_cast<int>(part.samples.size());
        if (request.seed) *request.seed += static_cast<uint64_t>(part.samples.front());
        const endpoint::ChatEvents events{
            [&](int index, endpoint::Answer answer) {
                run_.add(answer_of(part, index, std::move(answer), source_.name()));
                progress_.advance();
            },
            nullptr};
        source_.client().chat(request, events);
    }

    /// The first end counts.
    void end(const std::function<void()>& note) {
        std::lock_guard lock(mutex_);
        if (!over_.exchange(true)) note();
    }

    bench::RunFolder& run_;
    const std::vector<Part>& parts_;
    ModelSource& source_;
    const std::function<endpoint::ChatRequest(const bench::Problem&)> request_;
    Progress progress_;
    std::atomic<size_t> next_ = 0;
    std::atomic<bool> over_ = false;
    std::mutex mutex_;
    Asked out_;
    std::exception_ptr failure_;
};

}  // namespace

Asked write_by_model(bench::RunFolder& run, const std::vector<bench::Problem>& problems,
                     const SamplingFlags& flags, int samples, const RowsJudging& how, bool relaxed) try {
    const int requests = flags.local() ? 64 : flags.concurrency;  // an engine makes its own batches of them
    const std::vector<Part> parts = missing_parts(run, problems, samples, requests);
    if (parts.empty()) return {};
    const Interrupts interrupts;
    ModelSource source(flags, {samples, how.device, false, &interrupts.flag(),
                               [](const std::string& text) { fmt::print(stderr, "{}\n", text); }});
    std::optional<trace::Tracer> tracer;
    if (flags.prompt != "code") tracer.emplace(describing_tracer(how.sandbox));
    const std::string& target = how.options.target;
    Asking asking(run, parts, source, [&](const bench::Problem& one) {
        if (!one.task) return instruction_request(flags, one.instruction);
        return task_request(flags, *one.task, {target, relaxed},
                            tracer ? card_text(*one.task, target, *tracer, flags.prompt == "card") : "");
    });
    return asking.ask(requests);
} catch (const endpoint::Cancelled&) {  // before there was anything to keep
    return {"", true};
}

}  // namespace tritonsmith::cli
