#include "judge/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <span>
#include <thread>

#include "judge/sample_choice.h"
#include "judge/unwritten.h"
#include "plan/flow.h"
#include "plan/json.h"
#include "plan/ops.h"
#include "plan/options.h"
#include "run/launch_arguments.h"

namespace tritonsmith::judge {

namespace {

using Clock = std::chrono::steady_clock;

/// Some 50 ns each.
constexpr int64_t kMostWork = 400'000;
constexpr size_t kMostPrograms = 4096;
/// Of one launch and output.
constexpr int kMostTargets = 16;

Clock::time_point in_seconds(double seconds) {
    return Clock::now() + std::chrono::microseconds(static_cast<int64_t>(seconds * 1e6));
}

}  // namespace

Completion::Completion(const plan::Plan& reference, const plan::Plan& candidate, const plan::Links& links,
                       Kernels& kernels, const std::vector<plan::Executed>& steps,
                       const SampledOptions& options, PageCache& pages, const std::vector<double>& seconds)
    : candidate_(candidate),
      kernels_(kernels),
      options_(options),
      memory_(reference, candidate, links, options.seed, pages, written_by_launches(steps, kernels)),
      oracle_(
          reference, [this](const plan::Tensor& t, int64_t at) { return memory_.reference_element(t, at); },
          [this](const plan::Tensor& t, int64_t at, int64_t stride, std::span<double> out) {
              return memory_.reference_line(t, at, stride, out);
          }),
      work_(kMostWork) {
    followed_ = memory_.usable();
    if (followed_) prepare(steps, seconds);
}

/// Does what PyTorch does between the launches before any of them runs, where that comes to the same: to
/// buffers that no launch has been given yet. All else is spoilt.
void Completion::prepare(const std::vector<plan::Executed>& steps, const std::vector<double>& seconds) {
    std::set<int> interesting = written_by_launches(steps, kernels_), given;
    std::vector<const plan::LaunchStep*> launches;
    Event start;
    for (int id : memory_.unlinked_parameters()) {
        start.spoilt.push_back(memory_.buffer(id));
        interesting.insert(id);
    }
    for (const plan::Executed& e : steps) {
        Event event;
        if (const auto* aten = std::get_if<plan::AtenStep>(&e.step->what)) {
            const plan::OpClass kind = plan::op_class(aten->op);
            if (kind == plan::OpClass::view || kind == plan::OpClass::allocate) continue;
            std::set<int> results, changed;
            for (const plan::Tensor& tensor : plan::tensors_in(aten->result)) results.insert(tensor.buffer);
            for (const plan::ByteRange& range : plan::flow_of(*aten).writes) changed.insert(range.buffer);
            changed.insert(results.begin(), results.end());
            const bool early =
                std::none_of(changed.begin(), changed.end(), [&](int id) { return given.contains(id); });
            if (early) memory_.apply(*aten, e.step->phase);
            for (int id : changed) {
                const bool known = early && results.contains(id) && memory_.known(id);
                if (known && memory_.leaf(id)) continue;
                (known ? event.made : event.spoilt).push_back(memory_.buffer(id));
                if (!known) interesting.insert(id);
            }
        } else if (const auto* launch = std::get_if<plan::LaunchStep>(&e.step->what)) {
            const auto kernel = static_cast<size_t>(launch->kernel);
            if (kernel < options_.skip_kernels.size() && options_.skip_kernels[kernel]) followed_ = false;
            event.launch = static_cast<int>(launches_.size());
            Launch made;
            made.step = launch;
            made.line = e.step->line;
            made.seconds = launches_.size() < seconds.size() ? seconds[launches_.size()] : -1;
            made.arguments = run::launch_arguments(*launch, [this](int id) { return memory_.buffer(id); });
            const std::vector<ttir::Effect>& effects = kernels_.effects(launch->kernel);
            for (size_t i = 0; i < launch->args.size(); i++) {
                const int id = buffer_of(launch->args[i]);
                if (id < 0) continue;
                given.insert(id);
                if (i >= effects.size() || !effects[i].writes) continue;
                made.writes.insert(memory_.buffer(id));
                // A weight that is initialised by a kernel is given the reference's values afterwards.
                if (e.step->phase != plan::Phase::forward && memory_.leaf(id))
                    event.spoilt.push_back(memory_.buffer(id));
                memory_.forget(id);  // a copy of it is not what a run would copy
            }
            launches_.push_back(std::move(made));
        }
        events_.push_back(std::move(event));
    }
    events_.insert(events_.begin(), std::move(start));
    std::set<const ttir::Buffer*> buffers;
    for (int id : interesting) buffers.insert(memory_.buffer(id));
    for (Launch& launch : launches_) {
        const bool any = std::any_of(launch.step->args.begin(), launch.step->args.end(), [&](const auto& a) {
            return buffer_of(a) >= 0 && interesting.contains(buffer_of(a));
        });
        if (!any) continue;
        launch.footprint = std::make_unique<ttir::Footprint>(kernels_.module(launch.step->kernel),
                                                             launch.step->grid, launch.arguments, buffers);
        followed_ &= launch.footprint->followed();
    }
}

Completion::Result Completion::compare(const SampledOutput& output, std::mt19937_64& random) {
    Result result;
    ttir::Buffer* buffer = memory_.buffer(output.got.buffer);
    if (!followed_ || !buffer) return result;
    const std::optional<Planned> planned = most_programs(output, random);
    bool done = false;
    if (planned) {
        result.comparison.finding = run(*planned, result, random, done);
        if (result.comparison.finding) return result;
    }
    std::vector<int64_t> chosen;
    if (done) chosen = elements_within(planned->known, output.got, options_.elements, random);
    const bool torch = std::any_of(events_.begin(), events_.end(), [&](const Event& e) {
        return std::count(e.made.begin(), e.made.end(), buffer) > 0 ||
               std::count(e.spoilt.begin(), e.spoilt.end(), buffer) > 0;
    });
    if (!torch) {
        std::vector<WritingLaunch> writing;
        for (size_t i = 0; i < launches_.size(); i++)
            if (launches_[i].writes.contains(buffer))
                writing.push_back(
                    {launches_[i].footprint.get(), done ? planned->programs[i] : std::vector<int64_t>{}});
        result.comparison.finding = find_unwritten(output, *buffer, chosen, writing, random);
        if (result.comparison.finding) return result;
    }
    const int64_t size = plan::element_size(output.got.dtype);
    for (int64_t element : chosen) buffer->ensure(storage_offset(output.got, element) * size, size);
    result.comparison = compare_sampled(output, chosen, *buffer, oracle_, options_.tolerance,
                                        in_seconds(options_.seconds / 2));
    return result;
}

/// As many chosen programs as there is time for.
std::optional<Completion::Planned> Completion::most_programs(const SampledOutput& output,
                                                             std::mt19937_64& random) {
    // Without an oracle all of it would be for nothing.
    const int64_t elements = plan::element_count(output.got);
    if (!oracle_.element(output.want, std::uniform_int_distribution<int64_t>(0, elements - 1)(random)))
        return std::nullopt;
    const ttir::Buffer* buffer = memory_.buffer(output.got.buffer);
    std::vector<std::vector<int64_t>> targets;
    for (const Launch& launch : launches_) {
        targets.emplace_back();
        if (!launch.writes.contains(buffer)) continue;
        for (int64_t program :
             choose_programs(launch.step->grid, extents_of(*launch.step), kMostTargets, random))
            if (!launch.footprint->of(program).written[buffer].empty()) targets.back().push_back(program);
    }
    std::optional<Planned> planned;
    for (size_t count = 1; count <= kMostTargets; count *= 2) {
        std::optional<Planned> more =
            plan(buffer, targets, count, count == 1 ? first_seconds() : options_.completion_seconds);
        if (!more) break;
        planned = std::move(more);
    }
    return planned;
}

/// @param targets programs of each launch, of which the first `count` are compared
/// @param seconds that their programs may take, by those of the sample
std::optional<Completion::Planned> Completion::plan(const ttir::Buffer* output,
                                                    const std::vector<std::vector<int64_t>>& targets,
                                                    size_t count, double seconds) {
    Planned planned;
    planned.programs.resize(launches_.size());
    ttir::BufferBytes needed;
    for (size_t i = 0; i < launches_.size(); i++)
        for (size_t t = 0; t < std::min(count, targets[i].size()); t++)
            planned.known.add(launches_[i].footprint->of(targets[i][t]).written[output]);
    if (planned.known.empty()) return std::nullopt;
    needed[output] = planned.known;
    for (size_t e = events_.size(); e-- > 0;) {
        for (const ttir::Buffer* buffer : events_[e].spoilt)
            if (const auto found = needed.find(buffer); found != needed.end() && !found->second.empty())
                return std::nullopt;
        for (const ttir::Buffer* buffer : events_[e].made) needed.erase(buffer);
        if (events_[e].launch < 0) continue;
        const auto i = static_cast<size_t>(events_[e].launch);
        Launch& launch = launches_[i];
        if (!launch.footprint || launch.writes.empty()) continue;
        std::vector<int64_t>& programs = planned.programs[i];
        // What they read of each other's has to be there as well.
        for (;;) {
            std::optional<std::vector<int64_t>> found =
                launch.footprint->writers(needed, kMostPrograms, work_);
            if (!found) return std::nullopt;
            if (found->size() == programs.size()) break;
            if (!found->empty() &&
                (launch.seconds < 0 || launch.seconds * static_cast<double>(found->size()) > seconds))
                return std::nullopt;
            std::vector<int64_t> fresh;
            std::set_difference(found->begin(), found->end(), programs.begin(), programs.end(),
                                std::back_inserter(fresh));
            programs = std::move(*found);
            bool again = false;
            for (int64_t program : fresh)
                for (const auto& [buffer, bytes] : launch.footprint->of(program).read) {
                    needed[buffer].add(bytes);
                    again |= launch.writes.contains(buffer);
                }
            if (!again) break;
        }
        seconds -= launch.seconds * static_cast<double>(programs.size());
    }
    return planned;
}

std::optional<Finding> Completion::run(const Planned& planned, Result& result, std::mt19937_64& random,
                                       bool& done) {
    const Clock::time_point deadline = in_seconds(options_.seconds);
    for (size_t i = 0; i < launches_.size(); i++) {
        if (planned.programs[i].empty()) continue;
        const Launch& launch = launches_[i];
        ttir::LaunchOptions options;
        options.seed = random();
        options.threads = options_.threads > 0
                              ? options_.threads
                              : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        options.unknown_memory = true;
        options.num_warps = plan::num_warps(candidate_.kernels[static_cast<size_t>(launch.step->kernel)]);
        options.deadline = deadline;
        options.sample = planned.programs[i];
        const ttir::LaunchReport ran =
            kernels_.program(launch.step->kernel).launch(launch.step->grid, launch.arguments, options);
        result.programs += ran.programs;
        if (!ran.findings.empty()) {
            Finding finding = ran.findings.front();
            finding.message +=
                fmt::format(" (full size, kernel {}, launched at line {})",
                            candidate_.kernels[static_cast<size_t>(launch.step->kernel)].name, launch.line);
            return finding;
        }
        if (ran.timed_out || !ran.unsupported.empty()) return std::nullopt;
    }
    done = true;
    return std::nullopt;
}

}  // namespace tritonsmith::judge
