#include "run/worker/sample/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "plan/analysis/flow.h"
#include "plan/ir/json.h"
#include "plan/ir/options.h"
#include "plan/ir/tensor_position.h"
#include "run/worker/launch_arguments.h"
#include "run/worker/sample/choice.h"
#include "run/worker/sample/elements.h"
#include "run/worker/sample/processor_time.h"
#include "ttir/footprint/program_classes.h"
#include "ttir/interp/interpreter.h"

namespace tritonsmith::run::sample {

namespace {

constexpr int kMostElements = 64;  ///< of a tensor, that programs of the sample have written
constexpr int kElementsOfProgram = 4;
constexpr size_t kMostOfClasses = 16;
constexpr int64_t kWorkForClasses = 60'000, kWorkForProducers = 60'000;
constexpr size_t kMostProducers = 4;  ///< of one element
/// Programs of each launch in which elements are looked for that they leave as they are, and elements.
constexpr size_t kLookedAt = 3, kMostUntouched = 2, kMostUntouchedOfTensor = 6;
constexpr size_t kMostChanged = 6;  ///< elements of one tensor
/// Programs that write what they should not: so many are looked for, and so many run.
constexpr size_t kMostSpoilers = 256, kSpoilers = 3;

}  // namespace

Sampler::Sampler(const Context& context, const SampleRun& run, const std::vector<plan::Executed>& steps,
                 Memory& memory)
    : context_(context),
      run_(run),
      steps_(steps),
      memory_(memory),
      kept_(kept_tensors(context, steps, memory)) {}

Sampler::Result Sampler::run(std::mt19937_64& random) {
    result_.tensors.resize(context_.tensors.size());
    result_.missing.resize(context_.tensors.size());
    producers_.resize(context_.tensors.size());
    untouched_.resize(context_.tensors.size());
    result_.wanted.resize(context_.tensors.size());
    for (const plan::Executed& e : steps_)
        result_.launches += std::holds_alternative<plan::LaunchStep>(e.step->what);
    const double start = processor_seconds();
    size_t number = 0;
    for (const plan::Executed& e : steps_) {
        if (auto* aten = std::get_if<plan::AtenStep>(&e.step->what))
            memory_.apply_or_forget(*aten, e.step->phase);
        auto* launch = std::get_if<plan::LaunchStep>(&e.step->what);
        if (!launch) continue;
        // What earlier launches left of the budget is shared by those to come.
        const double left = std::max(run_.seconds - (processor_seconds() - start), 0.02);
        const double share = left / static_cast<double>(static_cast<size_t>(result_.launches) - number);
        if (!sample(number++, *launch, *e.step, share, run_.enough_seconds / result_.launches, random))
            return std::move(result_);
    }
    collect(random);
    for (const Kept& kept : kept_) {
        ttir::Buffer& buffer = *memory_.buffer(kept.tensor.buffer);
        std::vector<int64_t> changed = changed_elements(buffer, kept.tensor, kMostChanged, random);
        for (int64_t element : written_by_host(steps_, kept.tensor, random)) changed.push_back(element);
        if (!changed.empty()) result_.changed.emplace_back(kept, std::move(changed));
    }
    return std::move(result_);
}

bool Sampler::sample(size_t number, const plan::LaunchStep& launch, const plan::Step& step, double seconds,
                     double enough, std::mt19937_64& random) {
    const auto kernel = static_cast<size_t>(launch.kernel);
    result_.seconds.push_back(-1);
    if (context_.skipped(launch.kernel)) return true;
    const std::vector<ttir::Argument> arguments =
        launch_arguments(launch, [this](int id) { return memory_.buffer(id); });
    const int64_t total = launch.grid[0] * launch.grid[1] * launch.grid[2];
    ttir::LaunchOptions options = context_.launch_options(run_, launch.kernel, seconds, random);
    std::vector<int64_t> chosen = choose(launch, number, arguments, random);
    const auto run = [&](size_t first, size_t last) {
        options.sample.emplace(chosen.begin() + static_cast<std::ptrdiff_t>(first),
                               chosen.begin() + static_cast<std::ptrdiff_t>(last));
        return context_.kernels.program(launch.kernel).launch(launch.grid, arguments, options);
    };
    const double start = processor_seconds();
    const size_t begun = chosen.size() < static_cast<size_t>(total)
                             ? std::min(static_cast<size_t>(run_.least_programs), chosen.size())
                             : chosen.size();
    const std::vector<Looked> looked = look_before(
        launch, arguments,
        {chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(std::min(begun, kLookedAt))}, random);
    ttir::LaunchReport ran = run(0, begun);
    for (const Looked& one : looked)
        for (int64_t index : one.before.find(kMostUntouched))
            if (untouched_[one.tensor].size() < kMostUntouchedOfTensor)
                untouched_[one.tensor].push_back({index, tile_of(number, one.program)});
    const auto note_promise = [&] {
        if (!result_.broken_promise) result_.broken_promise = broken_promise(ran);
    };
    note_promise();
    // The first few tell how many more there is time for.
    const double took = processor_seconds() - start;
    double& each = result_.seconds.back();
    each = took / static_cast<double>(std::max<size_t>(begun, 1));
    const auto more = static_cast<size_t>(
        std::max(0.0, (enough - took) / std::max(took, 1e-6) * static_cast<double>(begun)));
    if (begun < chosen.size() && more > 0 && ran.findings.empty() && ran.unsupported.empty() &&
        !ran.timed_out) {
        const int64_t before = ran.programs;
        const size_t last = std::min(chosen.size(), begun + more);
        const double again = processor_seconds();
        ran = run(begun, last);
        note_promise();
        // The first are slowed down by memory that is made.
        each = std::min(each, (processor_seconds() - again) / static_cast<double>(last - begun));
        ran.programs += before;
    }
    result_.programs += ran.programs;
    if (!ran.findings.empty()) {
        result_.finding = ran.findings.front();
        result_.finding->message += fmt::format(" (full size, kernel {}, launched at line {})",
                                                context_.plan().kernels[kernel].name, step.line);
        return false;
    }
    if (!ran.unsupported.empty()) return true;
    if (ran.programs > 0) result_.launches_sampled++;
    note_effects(launch, ran.programs == total && !ran.timed_out, ran.timed_out);
    if (!ran.timed_out) {
        chosen.resize(static_cast<size_t>(ran.programs));  // they were begun in this order, and all ended
        ran_.push_back({&launch, number, std::move(chosen)});
    }
    // A weight that is initialised by a kernel is given the reference's values afterwards.
    for (const plan::Value& value : launch.args)
        if (const int id = plan::buffer_of(value);
            step.phase != plan::Phase::forward && writers_.contains(id) && memory_.leaf(id))
            memory_.forget(id);
    return true;
}

/// Those of rare classes in turn with those at edges and those that write what is wanted.
std::vector<int64_t> Sampler::choose(const plan::LaunchStep& launch, size_t number,
                                     const std::vector<ttir::Argument>& arguments, std::mt19937_64& random) {
    const auto known = [&](size_t argument, int64_t offset, int bytes) -> std::optional<uint64_t> {
        const int id = plan::buffer_of(launch.args[argument]);
        ttir::Buffer* buffer = memory_.buffer(id);
        if (!buffer || !memory_.known(id) || !buffer->all_written() || bytes > 8 || offset < 0 ||
            offset + bytes > buffer->bytes())
            return std::nullopt;
        buffer->ensure(offset, bytes);
        uint64_t bits = 0;
        std::memcpy(&bits, buffer->data() + offset, static_cast<size_t>(bytes));
        return bits;
    };
    const std::vector<int64_t> others =
        choose_programs(launch.grid, extents_of(launch), run_.programs_per_launch, random);
    const bool all = static_cast<int64_t>(others.size()) == launch.grid[0] * launch.grid[1] * launch.grid[2];
    std::vector<int64_t> classes;
    const std::vector<ttir::ProgramOfClass> members = ttir::programs_of_classes(
        context_.kernels.module(launch.kernel), launch.grid, arguments, known, kMostOfClasses,
        kWorkForClasses / std::max(1, result_.launches / 4), random);
    for (const ttir::ProgramOfClass& one : members) classes.push_back(one.program);
    // The first of each, before others: there may be time for few.
    for (size_t i = 0, left = 1; left > 0; i++) {
        left = 0;
        for (const ttir::ProgramOfClass& one : members) {
            if (i >= one.places.size()) continue;
            places_[number].push_back({one.program, one.places[i]});
            left++;
        }
    }
    std::vector<int64_t> writers;
    if (!all) {
        for (int64_t program : spoilers(launch, arguments, random)) classes.push_back(program);
        writers = producers(launch, number, arguments);
    }
    std::vector<int64_t> out;
    std::set<int64_t> chosen;
    for (size_t i = 0; i < std::max({classes.size(), others.size(), writers.size()}); i++)
        for (const auto* list :
             std::initializer_list<const std::vector<int64_t>*>{&classes, &writers, &others})
            if (i < list->size() && chosen.insert((*list)[i]).second) out.push_back((*list)[i]);
    return out;
}

std::vector<int64_t> Sampler::producers(const plan::LaunchStep& launch, size_t number,
                                        const std::vector<ttir::Argument>& arguments) {
    const std::set<int> written = written_by(launch, context_.kernels);
    std::vector<int64_t> out;
    int64_t work = kWorkForProducers;
    for (size_t t = 0; t < std::min(context_.tensors.size(), run_.elements.size()); t++) {
        if (!context_.tensors[t] || !written.contains(context_.tensors[t]->buffer)) continue;
        const plan::Tensor& tensor = *context_.tensors[t];
        const ttir::Buffer* buffer = memory_.buffer(tensor.buffer);
        ttir::Footprint footprint(context_.kernels.module(launch.kernel), launch.grid, arguments, {buffer});
        if (!footprint.followed()) continue;
        const int64_t size = plan::element_size(tensor.dtype);
        for (int64_t index : run_.elements[t]) {
            const int64_t at = plan::storage_offset(tensor, index) * size;
            ttir::BufferBytes bytes;
            bytes[buffer].add(at, at + size);
            const auto found = footprint.writers(bytes, kMostProducers, work);
            if (work < 0) break;
            if (!found || found->empty()) continue;
            out.insert(out.end(), found->begin(), found->end());
            producers_[t][index] = {number, *found};
        }
    }
    return out;
}

std::vector<int64_t> Sampler::spoilers(const plan::LaunchStep& launch,
                                       const std::vector<ttir::Argument>& arguments,
                                       std::mt19937_64& random) {
    const std::set<int> written = written_by(launch, context_.kernels);
    std::set<const ttir::Buffer*> buffers;
    ttir::BufferBytes whole;
    for (const Kept& kept : kept_)
        if (written.contains(kept.tensor.buffer)) {
            ttir::Buffer* buffer = memory_.buffer(kept.tensor.buffer);
            buffers.insert(buffer);
            whole[buffer].add(0, buffer->bytes());
        }
    if (buffers.empty()) return {};
    ttir::Footprint footprint(context_.kernels.module(launch.kernel), launch.grid, arguments, buffers);
    if (!footprint.followed()) return {};
    int64_t work = kWorkForClasses;
    std::vector<int64_t> out;
    if (auto few = footprint.writers(whole, kMostSpoilers, work)) {
        out = std::move(*few);
        std::shuffle(out.begin(), out.end(), random);
    } else {
        const int64_t total = launch.grid[0] * launch.grid[1] * launch.grid[2];
        for (size_t tries = 0; tries < kMostSpoilers; tries++) {
            const int64_t program = std::uniform_int_distribution<int64_t>(0, total - 1)(random);
            if (!footprint.of(program).written.empty()) out.push_back(program);
        }
    }
    out.resize(std::min(out.size(), kSpoilers));
    return out;
}

std::vector<Sampler::Looked> Sampler::look_before(const plan::LaunchStep& launch,
                                                  const std::vector<ttir::Argument>& arguments,
                                                  const std::vector<int64_t>& programs,
                                                  std::mt19937_64& random) {
    std::vector<Looked> out;
    const std::set<int> written = written_by(launch, context_.kernels);
    for (size_t t = 0; t < context_.tensors.size(); t++) {
        if (!context_.tensors[t] || !written.contains(context_.tensors[t]->buffer)) continue;
        const plan::Tensor& tensor = *context_.tensors[t];
        ttir::Buffer& buffer = *memory_.buffer(tensor.buffer);
        ttir::Footprint footprint(context_.kernels.module(launch.kernel), launch.grid, arguments, {&buffer});
        if (!footprint.followed()) continue;
        for (int64_t program : programs)
            out.push_back({t, program, {footprint.of(program).written[&buffer], tensor, buffer, random}});
    }
    return out;
}

void Sampler::collect_untouched(size_t t, ttir::Buffer& buffer, bool right) {
    for (const Left& left : untouched_[t]) {
        if (right && take(t, buffer, left.index, left.tile, true)) continue;
        result_.wanted[t].push_back(left.index);
        result_.missing[t].insert(left.index);
    }
}

void Sampler::note_effects(const plan::LaunchStep& launch, bool complete, bool cut) {
    const std::vector<ttir::Effect>& effects = context_.kernels.effects(launch.kernel);
    bool reads_known = true, depends_across = false;  // its programs may depend on each other
    std::set<int> read, written;
    for (size_t i = 0; i < std::min(effects.size(), launch.args.size()); i++) {
        const int id = plan::buffer_of(launch.args[i]);
        if (id < 0) continue;
        if (effects[i].reads || effects[i].escapes) {
            reads_known &= memory_.known(id);
            read.insert(id);
        }
        if (effects[i].writes || effects[i].escapes) written.insert(id);
    }
    for (int id : read) depends_across |= written.contains(id);
    for (int id : written) {
        const bool first = writers_[id]++ == 0;
        if (complete && reads_known) continue;  // exactly what a real run leaves
        // Partly written: right where it is written, if no program asks what others left.
        if (!(reads_known && !cut && first && !depends_across)) wrong_.insert(id);
        memory_.forget(id);
    }
}

/// Elements of the wanted tensors that programs of the sample have written, or may have written.
void Sampler::collect(std::mt19937_64& random) {
    for (size_t t = 0; t < context_.tensors.size(); t++) {
        if (!context_.tensors[t]) continue;
        const plan::Tensor& tensor = *context_.tensors[t];
        ttir::Buffer& buffer = *memory_.buffer(tensor.buffer);
        SampledTensor& out = result_.tensors[t];
        const bool right =
            writers_.contains(tensor.buffer) && !wrong_.contains(tensor.buffer) && !buffer.all_written();
        if (right && t < run_.elements.size()) collect_wanted(t, buffer);
        collect_untouched(t, buffer, right);
        for (const Ran& ran : ran_)
            if (written_by(*ran.launch, context_.kernels).contains(tensor.buffer)) {
                collect_of(ran, t, buffer, right, random);
                if (right) out.tiles += ran.launch->grid[0] * ran.launch->grid[1] * ran.launch->grid[2];
            }
        if (!right || !out.elements.empty()) continue;
        for (int64_t index : written_elements(buffer, tensor, kMostElements, random))
            take(t, buffer, index, -1, true);
    }
}

void Sampler::collect_wanted(size_t t, ttir::Buffer& buffer) {
    const auto has_run = [&](size_t number, int64_t program) {
        return std::any_of(ran_.begin(), ran_.end(), [&](const Ran& ran) {
            return ran.number == number &&
                   std::find(ran.programs.begin(), ran.programs.end(), program) != ran.programs.end();
        });
    };
    for (int64_t index : run_.elements[t]) {
        const auto producers = producers_[t].find(index);
        if (producers == producers_[t].end()) {
            result_.tensors[t].looked_at += take(t, buffer, index, -1, false);
            continue;
        }
        const auto& [launch, programs] = producers->second;
        if (take(t, buffer, index, tile_of(launch, programs.back()), false))
            result_.tensors[t].looked_at++;
        else if (std::all_of(programs.begin(), programs.end(),
                             [&](int64_t program) { return has_run(launch, program); }))
            result_.missing[t].insert(index);
    }
}

void Sampler::collect_of(const Ran& ran, size_t t, ttir::Buffer& buffer, bool right,
                         std::mt19937_64& random) {
    const plan::Tensor& tensor = *context_.tensors[t];
    const auto arguments = launch_arguments(*ran.launch, [this](int id) { return memory_.buffer(id); });
    ttir::Footprint footprint(context_.kernels.module(ran.launch->kernel), ran.launch->grid, arguments,
                              {&buffer});
    if (!footprint.followed()) return;
    const auto note = [&](int64_t program, int64_t index) {
        if (right)
            take(t, buffer, index, tile_of(ran.number, program), true);
        else
            result_.wanted[t].push_back(index);
    };
    note_classes(ran, tensor, note);
    const size_t most = std::min<size_t>(ran.programs.size(), kMostElements / kElementsOfProgram);
    for (size_t p = 0; p < most; p++)
        for (int64_t index : elements_within(footprint.of(ran.programs[p]).written[&buffer], tensor,
                                             kElementsOfProgram, random))
            note(ran.programs[p], index);
}

void Sampler::note_classes(const Ran& ran, const plan::Tensor& tensor,
                           const std::function<void(int64_t program, int64_t index)>& note) const {
    const auto places = places_.find(ran.number);
    if (places == places_.end()) return;
    const std::set<int64_t> programs(ran.programs.begin(), ran.programs.end());
    const int64_t size = plan::element_size(tensor.dtype);
    for (const auto& [program, place] : places->second) {
        if (!programs.contains(program) ||
            plan::buffer_of(ran.launch->args.at(static_cast<size_t>(place.argument))) != tensor.buffer)
            continue;
        if (const auto linear = plan::linear_index(tensor, place.offset / size)) note(program, *linear);
    }
}

bool Sampler::take(size_t t, ttir::Buffer& buffer, int64_t index, int64_t tile, bool of_sample) {
    const plan::Tensor& tensor = *context_.tensors[t];
    const int64_t size = plan::element_size(tensor.dtype), at = plan::storage_offset(tensor, index) * size;
    if (at < 0 || at + size > buffer.bytes() || buffer.written()[at] == 0) return false;  // masked
    SampledElement element{index, 0, tile, of_sample};
    std::memcpy(&element.bits, buffer.data() + at, static_cast<size_t>(std::min<int64_t>(size, 8)));
    result_.tensors[t].elements.push_back(element);
    return true;
}

}  // namespace tritonsmith::run::sample
