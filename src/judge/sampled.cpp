#include "judge/sampled.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <span>
#include <thread>

#include "judge/completion.h"
#include "judge/element_oracle.h"
#include "judge/full_memory.h"
#include "judge/sample_choice.h"
#include "judge/sampled_comparison.h"
#include "judge/sampled_kernels.h"
#include "judge/unwritten.h"
#include "judge/written_elements.h"
#include "plan/flow.h"
#include "plan/options.h"
#include "run/launch_arguments.h"
#include "run/step_error.h"
#include "ttir/interp/interpreter.h"

namespace tritonsmith::judge {

namespace {

using Clock = std::chrono::steady_clock;

/// Of this thread, which runs programs as its helpers do: what else the machine does, does not count.
double processor_seconds() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

class Sampler {
  public:
    Sampler(const plan::Plan& reference, const plan::Plan& candidate, const plan::Links& links,
            const std::vector<std::shared_ptr<const ttir::Module>>& modules, const SampledOptions& options,
            PageCache& pages)
        : reference_(reference),
          candidate_(candidate),
          links_(links),
          options_(options),
          pages_(pages),
          kernels_(modules),
          steps_(plan::executed_steps(candidate, options.choice)),
          memory_(reference, candidate, links, options.seed, pages, written_by_launches(steps_, kernels_)),
          random_(options.seed) {}

    SampledReport run() {
        for (const plan::Executed& e : steps_)
            report_.launches += std::holds_alternative<plan::LaunchStep>(e.step->what);
        if (!memory_.usable() || report_.launches == 0) return report_;
        const auto start = Clock::now();
        int done = 0;
        for (const plan::Executed& e : steps_) {
            if (auto* aten = std::get_if<plan::AtenStep>(&e.step->what)) memory_.apply(*aten, e.step->phase);
            auto* launch = std::get_if<plan::LaunchStep>(&e.step->what);
            if (!launch) continue;
            // What earlier launches left of the budget is shared by those to come.
            const double left =
                options_.seconds - std::chrono::duration<double>(Clock::now() - start).count();
            const double share = std::max(left, 0.02) / (report_.launches - done++);
            const double enough = options_.enough_seconds / report_.launches;
            if (!sample(*launch, *e.step, share, enough)) return report_;
        }
        compare_outputs();
        return report_;
    }

  private:
    /// False where a finding ends the run. @param enough seconds after which few programs must do
    bool sample(const plan::LaunchStep& launch, const plan::Step& step, double seconds, double enough) {
        const auto kernel = static_cast<size_t>(launch.kernel);
        seconds_.push_back(-1);
        if (kernel < options_.skip_kernels.size() && options_.skip_kernels[kernel]) {
            passed_over_ = true;
            return true;
        }
        const std::vector<ttir::Argument> arguments =
            run::launch_arguments(launch, [this](int id) { return memory_.buffer(id); });
        std::vector<int> buffers;
        for (const plan::Value& value : launch.args) buffers.push_back(buffer_of(value));
        const int64_t total = launch.grid[0] * launch.grid[1] * launch.grid[2];
        ttir::LaunchOptions launch_options;
        launch_options.seed = random_();
        launch_options.threads = options_.threads > 0
                                     ? options_.threads
                                     : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        std::vector<int64_t> chosen =
            choose_programs(launch.grid, extents_of(launch), options_.programs_per_launch, random_);
        launch_options.unknown_memory = true;
        launch_options.keep_promises = options_.keep_promises;
        launch_options.aligned_descriptors = plan::tensor_copies(candidate_.target);
        launch_options.num_warps = plan::num_warps(candidate_.kernels[kernel]);
        launch_options.deadline =
            Clock::now() + std::chrono::microseconds(static_cast<int64_t>(seconds * 1e6));
        const auto run = [&](size_t first, size_t last) {
            launch_options.sample.emplace(chosen.begin() + static_cast<std::ptrdiff_t>(first),
                                          chosen.begin() + static_cast<std::ptrdiff_t>(last));
            return kernels_.program(launch.kernel).launch(launch.grid, arguments, launch_options);
        };
        const auto start = Clock::now();
        const double processor = processor_seconds();
        size_t begun = chosen.size() < static_cast<size_t>(total)
                           ? std::min(static_cast<size_t>(options_.least_programs), chosen.size())
                           : chosen.size();
        ttir::LaunchReport ran = run(0, begun);
        // The first few tell how many more there is time for.
        const double took = std::chrono::duration<double>(Clock::now() - start).count();
        seconds_.back() = (processor_seconds() - processor) / static_cast<double>(std::max<size_t>(begun, 1));
        const auto more = static_cast<size_t>(
            std::max(0.0, (enough - took) / std::max(took, 1e-6) * static_cast<double>(begun)));
        if (begun < chosen.size() && more > 0 && ran.findings.empty() && ran.unsupported.empty() &&
            !ran.timed_out) {
            const int64_t before = ran.programs;
            const size_t last = std::min(chosen.size(), begun + more);
            const double again = processor_seconds();
            ran = run(begun, last);
            // The first are slowed down by memory that is made.
            seconds_.back() =
                std::min(seconds_.back(), (processor_seconds() - again) / static_cast<double>(last - begun));
            ran.programs += before;
        }
        report_.programs += ran.programs;
        for (const Finding& warning : ran.warnings)
            if (warning.reason == "broken_promise" && !report_.broken_promise) report_.broken_promise = warning;
        if (!ran.findings.empty()) {
            report_.findings.push_back(ran.findings.front());
            report_.findings.back().message += fmt::format(" (full size, kernel {}, launched at line {})",
                                                           candidate_.kernels[kernel].name, step.line);
            return false;
        }
        passed_over_ |= !ran.unsupported.empty();
        if (!ran.unsupported.empty()) return true;
        if (ran.programs > 0) report_.launches_sampled++;
        note_effects(launch, buffers, ran.programs == total && !ran.timed_out, ran.timed_out);
        if (!ran.timed_out) {
            chosen.resize(static_cast<size_t>(ran.programs));  // they were begun in this order, and all ended
            std::sort(chosen.begin(), chosen.end());
            for (int id : written_by(launch)) ran_.try_emplace(id, &launch, chosen);
        }
        // A weight that is initialised by a kernel is given the reference's values afterwards.
        for (int id : buffers)
            if (step.phase != plan::Phase::forward && writers_.contains(id) && memory_.leaf(id))
                memory_.forget(id);
        return true;
    }

    std::set<int> written_by(const plan::LaunchStep& launch) {
        std::set<int> out;
        const std::vector<ttir::Effect>& effects = kernels_.effects(launch.kernel);
        for (size_t i = 0; i < std::min(effects.size(), launch.args.size()); i++)
            if (effects[i].writes && buffer_of(launch.args[i]) >= 0) out.insert(buffer_of(launch.args[i]));
        return out;
    }

    void note_effects(const plan::LaunchStep& launch, const std::vector<int>& buffers, bool complete,
                      bool cut) {
        const std::vector<ttir::Effect>& effects = kernels_.effects(launch.kernel);
        bool reads_known = true, talks = false;  // its programs may hang on each other
        std::set<int> read, written;
        for (size_t i = 0; i < std::min(effects.size(), buffers.size()); i++) {
            if (buffers[i] < 0) continue;
            if (effects[i].reads || effects[i].escapes) {
                reads_known &= memory_.known(buffers[i]);
                read.insert(buffers[i]);
            }
            if (effects[i].writes || effects[i].escapes) written.insert(buffers[i]);
        }
        for (int id : read) talks |= written.contains(id);
        for (size_t i = 0; i < std::min(effects.size(), buffers.size()); i++) {
            const ttir::Effect& e = effects[i];
            if (buffers[i] < 0 || !(e.writes || e.escapes)) continue;
            const bool first = writers_[buffers[i]]++ == 0;
            if (complete && reads_known) continue;  // exactly what a real run leaves
            // Partly written: right where it is written, if no program asks what others left.
            const bool partial_right = reads_known && !cut && first && !talks;
            if (!partial_right) wrong_.insert(buffers[i]);
            memory_.forget(buffers[i]);
        }
    }

    void compare_outputs() {
        ElementOracle oracle(
            reference_,
            [this](const plan::Tensor& t, int64_t at) { return memory_.reference_element(t, at); },
            [this](const plan::Tensor& t, int64_t at, int64_t stride, std::span<double> out) {
                return memory_.reference_line(t, at, stride, out);
            });
        for (const SampledOutput& output : sampled_outputs(reference_, candidate_)) {
            const int id = output.got.buffer;
            if (!writers_.contains(id)) continue;
            ttir::Buffer& buffer = *memory_.buffer(id);
            SampledComparison comparison;
            const std::vector<int64_t> written =
                written_elements(buffer, output.got, options_.elements, random_);
            if (wrong_.contains(id) || written.empty()) {
                Completion completion(reference_, candidate_, links_, kernels_, steps_, options_, pages_,
                                      seconds_);
                Completion::Result result = completion.compare(output, random_);
                report_.programs += result.programs;
                comparison = std::move(result.comparison);
            } else {
                const auto deadline =
                    Clock::now() + std::chrono::microseconds(static_cast<int64_t>(options_.seconds * 1e6));
                comparison = compare_sampled(output, written, buffer, oracle, options_.tolerance, deadline);
                if (!comparison.finding) comparison.finding = unwritten(output, buffer);
            }
            report_.compared += comparison.compared;
            if (comparison.finding) report_.findings.push_back(*comparison.finding);
            if (!report_.findings.empty()) return;
        }
    }

    /// Of an output that one launch alone may write.
    std::optional<Finding> unwritten(const SampledOutput& output, ttir::Buffer& buffer) {
        const auto found = ran_.find(output.got.buffer);
        if (found == ran_.end() || writers_[output.got.buffer] != 1 || passed_over_) return std::nullopt;
        std::vector<WritingLaunch> writing;
        std::vector<std::unique_ptr<ttir::Footprint>> footprints;
        for (const plan::Executed& e : steps_) {
            const auto* launch = std::get_if<plan::LaunchStep>(&e.step->what);
            if (!launch) continue;
            footprints.push_back(std::make_unique<ttir::Footprint>(
                kernels_.module(launch->kernel), launch->grid,
                run::launch_arguments(*launch, [this](int id) { return memory_.buffer(id); }),
                std::set<const ttir::Buffer*>{&buffer}));
            if (!footprints.back()->followed()) return std::nullopt;
            if (launch == found->second.first)
                writing.push_back({footprints.back().get(), found->second.second});
        }
        return find_unwritten(output, buffer, {}, writing, random_);
    }

    const plan::Plan &reference_, &candidate_;
    const plan::Links& links_;
    const SampledOptions& options_;
    PageCache& pages_;
    Kernels kernels_;
    std::vector<plan::Executed> steps_;
    FullMemory memory_;
    std::mt19937_64 random_;
    SampledReport report_;
    std::vector<double> seconds_;  ///< of a program, on all threads, for each launch; -1: none ran
    bool passed_over_ = false;     ///< some launch did not run at all
    /// By buffer: the launch that writes it, and its programs that have run, in rising order.
    std::map<int, std::pair<const plan::LaunchStep*, std::vector<int64_t>>> ran_;
    std::map<int, int> writers_;  ///< launches that wrote a buffer
    std::set<int> wrong_;         ///< buffers whose written elements need not be what a real run leaves
};

}  // namespace

SampledReport run_sampled(const plan::Plan& reference, const plan::Plan& candidate, const plan::Links& links,
                          const std::vector<std::shared_ptr<const ttir::Module>>& modules,
                          const SampledOptions& options, PageCache& pages) {
    try {
        return Sampler(reference, candidate, links, modules, options, pages).run();
    } catch (const run::StepError& error) {
        SampledReport report;
        report.findings.push_back({error.reason, error.what(), 0, Json::object()});
        return report;
    }
}

}  // namespace tritonsmith::judge
