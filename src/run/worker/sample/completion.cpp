#include "run/worker/sample/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "plan/ir/json.h"
#include "plan/ir/options.h"
#include "plan/ir/tensor_position.h"
#include "run/draw/store.h"
#include "run/worker/sample/elements.h"
#include "run/worker/sample/processor_time.h"

namespace tritonsmith::run::sample {

namespace {

/// Of a tensor that nobody compares: so many elements are made to see whether they are written.
constexpr int kMostNotComparable = 4;
constexpr int kMostFailures = 2;

bool holds_values(ttir::Buffer& buffer, int64_t at, int64_t size) {
    return buffer.all_written() || buffer.written() == nullptr ||
           std::all_of(buffer.written() + at, buffer.written() + at + size, [](uint8_t w) { return w != 0; });
}

}  // namespace

int Context::threads() const {
    return request.threads > 0 ? request.threads
                               : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

bool Context::skipped(int kernel) const {
    return static_cast<size_t>(kernel) < request.skip_kernels.size() &&
           request.skip_kernels[static_cast<size_t>(kernel)];
}

ttir::LaunchOptions Context::launch_options(const SampleRun& run, int kernel, double seconds,
                                            std::mt19937_64& random) const {
    ttir::LaunchOptions options;
    options.seed = random();
    options.threads = threads();
    options.unknown_memory = true;
    options.keep_promises = run.keep_promises;
    options.aligned_descriptors = plan::tensor_copies(plan().target);
    options.num_warps = plan::num_warps(plan().kernels[static_cast<size_t>(kernel)]);
    options.deadline = std::chrono::steady_clock::now() +
                       std::chrono::microseconds(static_cast<int64_t>(kWallSeconds * seconds * 1e6));
    return options;
}

std::optional<Finding> broken_promise(const ttir::LaunchReport& report) {
    for (const Finding& warning : report.warnings)
        if (warning.reason == "broken_promise") return warning;
    return std::nullopt;
}

Completion::Completion(const Context& context, const SampleRun& run, const std::vector<plan::Executed>& steps,
                       Memory& memory, const std::vector<double>& seconds)
    : context_(context),
      run_(run),
      memory_(memory),
      events_(steps, context.request.skip_kernels, context.kernels, memory, seconds),
      closure_(events_),
      left_(run.completion_seconds) {}

Completion::Result Completion::run(const std::vector<Wanted>& wanted, std::mt19937_64& random) {
    Result result;
    result.tensors.resize(wanted.size());
    if (!events_.followed()) return result;
    std::vector<State> states(wanted.size());
    size_t most = 0;
    for (const Wanted& one : wanted) most = std::max(most, one.elements.size());
    for (size_t i = 0; i < most; i++)
        for (size_t t = 0; t < wanted.size(); t++)
            if (i < wanted[t].elements.size())
                look_at(wanted[t], t, wanted[t].elements[i], states[t], result.tensors[t]);
    for (size_t t = 0; t < wanted.size(); t++)
        for (int launch : states[t].launches)
            result.tensors[t].tiles += events_.launches()[static_cast<size_t>(launch)].programs();
    if (!run_selected(result, random)) return result;
    for (const Target& target : targets_) {
        read(wanted[target.tensor], target, result);
        if (result.finding) break;
    }
    return result;
}

/// Chooses what has to run for an element, or finds out whether anybody may write it.
void Completion::look_at(const Wanted& wanted, size_t tensor, int64_t index, State& state,
                         SampledTensor& out) {
    const plan::Tensor& where = wanted.tensor;
    if (index < 0 || index >= plan::element_count(where)) return;
    const int64_t size = plan::element_size(where.dtype), at = plan::storage_offset(where, index) * size;
    ttir::BufferBytes bytes;
    bytes[memory_.buffer(where.buffer)].add(at, at + size);
    const bool drawn = !wanted.of_sample.contains(index);
    const bool may_run = state.open && !wanted.only_look.contains(index);
    if (const auto selection = may_run ? affordable(bytes, wanted.comparable, state) : std::nullopt) {
        const int64_t tile =
            selection->launch < 0 ? -1 : tile_of(static_cast<size_t>(selection->launch), selection->program);
        if (drawn) out.looked_at++;
        if (drawn) out.unwritten += tile < 0;
        if (tile >= 0) state.launches.insert(selection->launch);
        selection_.add(*selection);
        targets_.push_back({tensor, index, tile});
    } else if (const auto written = closure_.written(bytes)) {
        if (drawn) out.looked_at++;
        if (drawn) out.unwritten += !*written;
        if (!*written) targets_.push_back({tensor, index, -1});  // nothing need run for it
    }
}

std::optional<Selection> Completion::affordable(const ttir::BufferBytes& wanted, bool comparable,
                                                State& state) {
    const bool first = state.taken == 0;
    std::optional<Selection> selection =
        closure_.of(wanted, first ? 6 * run_.completion_seconds : std::max(left_, 0.0) + 1e-9);
    const double costs = selection ? closure_.seconds(*selection, selection_) : 0;
    if (!selection || (!first && costs > left_)) {
        state.open = ++state.failures < kMostFailures;
        return std::nullopt;
    }
    left_ -= first ? std::min(costs, left_) : costs;
    state.open = ++state.taken < kMostNotComparable || comparable;
    return selection;
}

/// False where it did not come to its end.
bool Completion::run_selected(Result& result, std::mt19937_64& random) {
    selection_.programs.resize(events_.launches().size());
    for (size_t e = 0; e < events_.events().size(); e++) {
        const Event& event = events_.events()[e];
        if (event.launch >= 0) {
            const auto index = static_cast<size_t>(event.launch);
            if (!selection_.programs[index].empty() &&
                !run_launch(index, selection_.programs[index], result, random))
                return false;
        } else if (const auto bytes = selection_.bytes.find(e); bytes != selection_.bytes.end()) {
            run_host_event(event, bytes->second);
        }
    }
    return true;
}

bool Completion::run_launch(size_t index, const std::set<int64_t>& programs, Result& result,
                            std::mt19937_64& random) {
    const Launch& launch = events_.launches()[index];
    const plan::Kernel& kernel = context_.plan().kernels[static_cast<size_t>(launch.step->kernel)];
    ttir::LaunchOptions options = context_.launch_options(run_, launch.step->kernel, run_.seconds, random);
    options.sample.emplace(programs.begin(), programs.end());
    const ttir::LaunchReport ran =
        context_.kernels.program(launch.step->kernel).launch(launch.step->grid, launch.arguments, options);
    result.programs += ran.programs;
    if (!result.broken_promise) result.broken_promise = broken_promise(ran);
    if (!ran.findings.empty()) {
        result.finding = ran.findings.front();
        result.finding->message +=
            fmt::format(" (full size, kernel {}, launched at line {})", kernel.name, launch.line);
    }
    return !result.finding && !ran.timed_out && ran.unsupported.empty();
}

void Completion::run_host_event(const Event& event, const ttir::ByteRanges& bytes) {
    const plan::Tensor& to = event.copy ? event.copy->to : *event.filled;
    const int64_t size = plan::element_size(to.dtype);
    ttir::Buffer& target = *memory_.buffer(to.buffer);
    for (const ttir::ByteRange& range : bytes.ranges())
        for (int64_t at = range.begin; at < range.end; at += size) {
            target.ensure(at, size);
            if (event.filled) {
                std::memcpy(target.data() + at, event.element.data(), event.element.size());
                target.mark_written(at, size);
                continue;
            }
            const plan::Tensor& from = event.copy->from;
            const auto position = plan::position_in(to, at / size);
            if (!position) continue;
            int64_t offset = from.offset;
            for (size_t d = 0; d < position->size(); d++) offset += (*position)[d] * from.stride[d];
            const int64_t from_size = plan::element_size(from.dtype);
            ttir::Buffer& source = *memory_.buffer(from.buffer);
            source.ensure(offset * from_size, from_size);
            convert(source.data() + offset * from_size, from.dtype, target.data() + at, to.dtype);
            if (holds_values(source, offset * from_size, from_size)) target.mark_written(at, size);
        }
}

void Completion::read(const Wanted& wanted, const Target& target, Result& result) {
    const plan::Tensor& tensor = wanted.tensor;
    ttir::Buffer& buffer = *memory_.buffer(tensor.buffer);
    const int64_t size = plan::element_size(tensor.dtype),
                  at = plan::storage_offset(tensor, target.index) * size;
    if (at < 0 || at + size > buffer.bytes()) return;
    buffer.ensure(at, size);
    if (!holds_values(buffer, at, size)) {
        const std::string& name = wanted.name;
        const std::vector<int64_t> position = plan::position_of(tensor, target.index);
        result.finding = Finding{
            "uninitialised_output",
            fmt::format("at full size {}[{}] is written by no program", name, fmt::join(position, ", ")), 0,
            Json::object({{"index", position}}), name};
        return;
    }
    SampledElement element{target.index, 0, target.tile, wanted.of_sample.contains(target.index)};
    std::memcpy(&element.bits, buffer.data() + at, static_cast<size_t>(std::min<int64_t>(size, 8)));
    result.tensors[target.tensor].elements.push_back(element);
}

}  // namespace tritonsmith::run::sample
