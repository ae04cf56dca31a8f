#include "judge/sampled.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <set>
#include <thread>

#include "judge/element_oracle.h"
#include "judge/full_memory.h"
#include "judge/sample_choice.h"
#include "judge/written_elements.h"
#include "plan/flow.h"
#include "plan/json.h"
#include "plan/options.h"
#include "run/launch_arguments.h"
#include "run/step_error.h"
#include "ttir/effects.h"
#include "ttir/interpreter.h"

namespace tritonsmith::judge {

namespace {

using Clock = std::chrono::steady_clock;

class Sampler {
  public:
    Sampler(const plan::Plan& reference, const plan::Plan& candidate, const plan::Links& links,
            const std::vector<std::shared_ptr<const ttir::Module>>& modules, const SampledOptions& options,
            PageCache& pages)
        : reference_(reference),
          candidate_(candidate),
          modules_(modules),
          options_(options),
          memory_(reference, candidate, links, options.seed, pages),
          random_(options.seed),
          programs_(modules.size()) {}

    SampledReport run() {
        std::vector<plan::Executed> steps = plan::executed_steps(candidate_, options_.choice);
        for (const plan::Executed& e : steps)
            report_.launches += std::holds_alternative<plan::LaunchStep>(e.step->what);
        if (!memory_.usable() || report_.launches == 0) return report_;
        const auto start = Clock::now();
        int done = 0;
        for (const plan::Executed& e : steps) {
            if (auto* aten = std::get_if<plan::AtenStep>(&e.step->what)) memory_.apply(*aten, e.step->phase);
            auto* launch = std::get_if<plan::LaunchStep>(&e.step->what);
            if (!launch) continue;
            // What earlier launches left of the budget is shared by those to come.
            const double left =
                options_.seconds - std::chrono::duration<double>(Clock::now() - start).count();
            const double share = std::max(left, 0.02) / (report_.launches - done++);
            const double enough = options_.enough_seconds / report_.launches;
            if (!sample(*launch, e.step->line, share, enough)) return report_;
        }
        compare_outputs();
        return report_;
    }

  private:
    const ttir::Program& program(int kernel) {
        auto& slot = programs_[static_cast<size_t>(kernel)];
        if (!slot) slot = std::make_unique<ttir::Program>(modules_[static_cast<size_t>(kernel)]);
        return *slot;
    }

    /// The buffer that an argument points into; -1: it is a number.
    static int buffer_of(const plan::Value& value) {
        if (auto* tensor = std::get_if<plan::Tensor>(&value.v)) return tensor->buffer;
        if (auto* pointer = std::get_if<plan::Pointer>(&value.v)) return pointer->buffer;
        if (auto* descriptor = std::get_if<plan::Descriptor>(&value.v)) return descriptor->base.buffer;
        return -1;
    }

    /// False where a finding ends the run. @param enough seconds after which few programs must do
    bool sample(const plan::LaunchStep& launch, int line, double seconds, double enough) {
        const auto kernel = static_cast<size_t>(launch.kernel);
        if (kernel < options_.skip_kernels.size() && options_.skip_kernels[kernel]) return true;
        const std::vector<ttir::Argument> arguments =
            run::launch_arguments(launch, [this](int id) { return memory_.buffer(id); });
        std::vector<int> buffers;
        std::vector<int64_t> extents;
        for (const plan::Value& value : launch.args) {
            buffers.push_back(buffer_of(value));
            for (const plan::Tensor& tensor : plan::tensors_in(value))
                extents.insert(extents.end(), tensor.shape.begin(), tensor.shape.end());
            if (auto* number = std::get_if<int64_t>(&value.v); number && *number > 1)
                extents.push_back(*number);
        }
        const int64_t total = launch.grid[0] * launch.grid[1] * launch.grid[2];
        ttir::LaunchOptions launch_options;
        launch_options.seed = random_();
        launch_options.threads = options_.threads > 0
                                     ? options_.threads
                                     : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        std::vector<int64_t> chosen =
            choose_programs(launch.grid, extents, options_.programs_per_launch, random_);
        launch_options.unknown_memory = true;
        launch_options.num_warps = plan::num_warps(candidate_.kernels[kernel]);
        launch_options.deadline =
            Clock::now() + std::chrono::microseconds(static_cast<int64_t>(seconds * 1e6));
        const auto run = [&](size_t first, size_t last) {
            launch_options.sample.emplace(chosen.begin() + static_cast<std::ptrdiff_t>(first),
                                          chosen.begin() + static_cast<std::ptrdiff_t>(last));
            return program(launch.kernel).launch(launch.grid, arguments, launch_options);
        };
        const auto start = Clock::now();
        size_t begun = chosen.size() < static_cast<size_t>(total)
                           ? std::min(static_cast<size_t>(options_.least_programs), chosen.size())
                           : chosen.size();
        ttir::LaunchReport ran = run(0, begun);
        // The first few tell how many more there is time for.
        const double took = std::chrono::duration<double>(Clock::now() - start).count();
        const auto more = static_cast<size_t>(
            std::max(0.0, (enough - took) / std::max(took, 1e-6) * static_cast<double>(begun)));
        if (begun < chosen.size() && more > 0 && ran.findings.empty() && ran.unsupported.empty() &&
            !ran.timed_out) {
            const int64_t before = ran.programs;
            ran = run(begun, std::min(chosen.size(), begun + more));
            ran.programs += before;
        }
        report_.programs += ran.programs;
        if (!ran.findings.empty()) {
            report_.findings.push_back(ran.findings.front());
            report_.findings.back().message += fmt::format(" (full size, kernel {}, launched at line {})",
                                                           candidate_.kernels[kernel].name, line);
            return false;
        }
        if (!ran.unsupported.empty()) return true;
        if (ran.programs > 0) report_.launches_sampled++;
        note_effects(launch, buffers, ran.programs == total && !ran.timed_out, ran.timed_out);
        return true;
    }

    void note_effects(const plan::LaunchStep& launch, const std::vector<int>& buffers, bool complete,
                      bool cut) {
        const std::vector<ttir::Effect> effects =
            ttir::parameter_effects(*modules_[static_cast<size_t>(launch.kernel)]);
        bool reads_known = true;
        for (size_t i = 0; i < std::min(effects.size(), buffers.size()); i++)
            if (buffers[i] >= 0 && (effects[i].reads || effects[i].escapes))
                reads_known &= memory_.known(buffers[i]);
        for (size_t i = 0; i < std::min(effects.size(), buffers.size()); i++) {
            const ttir::Effect& e = effects[i];
            if (buffers[i] < 0 || !(e.writes || e.escapes)) continue;
            if (memory_.leaf(buffers[i])) leaves_intact_ = false;
            const bool first = writers_[buffers[i]]++ == 0;
            if (complete && reads_known) continue;  // exactly what a real run leaves
            // Partly written: right where it is written, if no program adds to what others left.
            const bool partial_right = reads_known && !cut && first && !e.reads && !e.escapes;
            if (!partial_right) wrong_.insert(buffers[i]);
            memory_.forget(buffers[i]);
        }
    }

    void compare_outputs() {
        if (!leaves_intact_) return;
        const std::vector<plan::Tensor> want = plan::tensors_in(reference_.output),
                                        got = plan::tensors_in(candidate_.output);
        ElementOracle oracle(
            reference_,
            [this](const plan::Tensor& t, int64_t at) { return memory_.reference_element(t, at); },
            [this](const plan::Tensor& t, int64_t at, int64_t stride, std::span<double> out) {
                return memory_.reference_line(t, at, stride, out);
            });
        for (size_t i = 0; i < std::min(want.size(), got.size()); i++) {
            if (!writers_.contains(got[i].buffer) || wrong_.contains(got[i].buffer)) continue;
            if (!comparable(got[i].dtype)) continue;
            compare_output(static_cast<int>(i), want[i], got[i], oracle);
            if (!report_.findings.empty()) return;
        }
    }

    /// Integers only where nothing but floating inputs lie behind them: their sums and products do not wrap
    /// in the oracle.
    bool comparable(plan::DType dtype) const {
        if (plan::is_floating(dtype)) return true;
        if (dtype == plan::DType::c64 || dtype == plan::DType::c128) return false;
        const std::vector<plan::Tensor> inputs = plan::tensors_in(reference_.inputs);
        return std::all_of(inputs.begin(), inputs.end(),
                           [](const plan::Tensor& t) { return plan::is_floating(t.dtype); });
    }

    void compare_output(int output, const plan::Tensor& want, const plan::Tensor& got,
                        ElementOracle& oracle) {
        struct Compared {
            int64_t index;
            double expected, found;
        };
        std::vector<Compared> compared;
        double squares = 0;
        ttir::Buffer& buffer = *memory_.buffer(got.buffer);
        const int64_t size = plan::element_size(got.dtype);
        const auto deadline =
            Clock::now() + std::chrono::microseconds(static_cast<int64_t>(options_.seconds * 1e6));
        for (int64_t index : written_elements(buffer, got, options_.elements, random_)) {
            if (Clock::now() > deadline) break;
            std::optional<OracleElement> expected = oracle.element(want, index);
            if (!expected) break;  // an operator without element form: the same for all
            int64_t rest = index, at = got.offset;
            for (size_t d = got.shape.size(); d-- > 0;) {
                at += rest % got.shape[d] * got.stride[d];
                rest /= got.shape[d];
            }
            compared.push_back({index, expected->value, read_element(buffer.data() + at * size, got.dtype)});
            squares += std::isfinite(expected->value) ? expected->value * expected->value : 0;
        }
        report_.compared += static_cast<int64_t>(compared.size());
        const double rms = compared.empty() ? 0 : std::sqrt(squares / static_cast<double>(compared.size()));
        const double tolerance = size < 4 ? options_.tolerance.low : options_.tolerance.f32;
        // A rounding error turns a few integers into their neighbours, and a few comparisons over.
        const bool integers = !plan::is_floating(got.dtype);
        const double step = integers && got.dtype != plan::DType::b1 ? 1 : 0;
        const auto allowed_for = [&](const Compared& c) {
            return integers ? step : tolerance * std::max(std::abs(c.expected), rms);
        };
        const auto right = [&](const Compared& c) {
            const bool same = std::isnan(c.expected) ? std::isnan(c.found) : c.expected == c.found;
            return same || std::abs(c.found - c.expected) <= allowed_for(c);
        };
        if (integers && std::count_if(compared.begin(), compared.end(), right) * 4 >=
                            static_cast<int64_t>(compared.size()) * 3)
            return;
        for (const Compared& c : compared) {
            const double allowed = allowed_for(c);
            if (right(c)) continue;
            std::vector<int64_t> position(got.shape.size());
            int64_t rest = c.index;
            for (size_t d = position.size(); d-- > 0;) {
                position[d] = rest % got.shape[d];
                rest /= got.shape[d];
            }
            auto number = [](double v) { return std::isfinite(v) ? Json(v) : Json(fmt::format("{}", v)); };
            report_.findings.push_back(
                {"wrong_result",
                 fmt::format("at full size output/{}[{}] is {:.9g}, expected {:.9g} (allowed error {:.3g})",
                             output, fmt::join(position, ", "), c.found, c.expected, allowed),
                 0,
                 {{"output", fmt::format("output/{}", output)},
                  {"index", position},
                  {"expected", number(c.expected)},
                  {"found", number(c.found)},
                  {"allowed", allowed}}});
            return;
        }
    }

    const plan::Plan &reference_, &candidate_;
    const std::vector<std::shared_ptr<const ttir::Module>>& modules_;
    const SampledOptions& options_;
    FullMemory memory_;
    std::mt19937_64 random_;
    std::vector<std::unique_ptr<ttir::Program>> programs_;
    SampledReport report_;
    std::map<int, int> writers_;  ///< launches that wrote a buffer
    std::set<int> wrong_;         ///< buffers whose written elements need not be what a real run leaves
    bool leaves_intact_ = true;
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
