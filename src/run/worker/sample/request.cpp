#include "run/worker/sample/request.h"

#include <sys/resource.h>

#include <chrono>
#include <map>
#include <set>

#include "plan/ir/json.h"
#include "plan/ir/tensor_position.h"
#include "run/client/worker_process.h"
#include "run/worker/sample/coverage.h"
#include "run/worker/sample/handed_on.h"
#include "run/worker/sample/processor_time.h"
#include "run/worker/sample/residency.h"
#include "run/worker/sample/sampler.h"

namespace tritonsmith::run::sample {

namespace {

/// Buffers of a full-size plan are address space of which a few pages are touched, but all of it counts as
/// data: the limit that is there for ATen's temporaries does not hold meanwhile.
class WithoutDataLimit {
  public:
    WithoutDataLimit() {
        ::getrlimit(RLIMIT_DATA, &before_);
        rlimit none = before_;
        none.rlim_cur = none.rlim_max;
        ::setrlimit(RLIMIT_DATA, &none);
    }
    ~WithoutDataLimit() { ::setrlimit(RLIMIT_DATA, &before_); }
    WithoutDataLimit(const WithoutDataLimit&) = delete;
    WithoutDataLimit& operator=(const WithoutDataLimit&) = delete;

  private:
    rlimit before_{};
};

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// "output/1" is the second tensor of what the plan returns, "input/0" its first argument.
std::optional<plan::Tensor> tensor_named(const plan::Plan& plan, const std::string& name) {
    const size_t slash = name.find('/');
    const bool output = name.starts_with("output/");
    if (!output && !name.starts_with("input/")) return std::nullopt;
    const std::vector<plan::Tensor> all =
        output ? plan::tensors_in(plan.output) : plan::tensors_in(plan.inputs);
    const size_t number = std::stoul(name.substr(slash + 1));
    if (number >= all.size() || all[number].buffer < 0) return std::nullopt;
    return all[number];
}

PageCache& pages_of(const SampleRequest& request, const Leaves::Options& leaves, State& state) {
    return state.pages.of(request.leaves_id + " " + describe(leaves));
}

/// An element that a run of all programs leaves otherwise than it was.
std::optional<int64_t> changed_for_good(const Kept& kept, const std::vector<SampledElement>& elements,
                                        Memory& memory) {
    const int64_t size = plan::element_size(kept.tensor.dtype);
    for (const SampledElement& element : elements) {
        uint64_t bits = 0;
        memory.buffer(kept.tensor.buffer)
            ->source()(plan::storage_offset(kept.tensor, element.index) * size,
                       reinterpret_cast<std::byte*>(&bits), std::min<int64_t>(size, 8));
        if (bits != element.bits) return element.index;
    }
    return std::nullopt;
}

/// Elements that were drawn over the whole tensor, and between them those that the sample's programs write.
void in_turn(const std::vector<int64_t>& drawn, const std::vector<int64_t>& of_sample,
             Completion::Wanted& out) {
    for (size_t i = 0; i < std::max(drawn.size(), of_sample.size()); i++) {
        if (i < drawn.size()) out.elements.push_back(drawn[i]);
        if (i < of_sample.size()) {
            out.elements.push_back(of_sample[i]);
            out.of_sample.insert(of_sample[i]);
        }
    }
    for (int64_t index : drawn) out.of_sample.erase(index);
}

std::vector<int64_t> not_yet(const std::vector<int64_t>& wanted, const SampledTensor& tensor) {
    std::set<int64_t> there;
    for (const SampledElement& element : tensor.elements) there.insert(element.index);
    std::vector<int64_t> out;
    for (int64_t index : wanted)
        if (!there.contains(index)) out.push_back(index);
    return out;
}

void add(SampledTensor more, SampledTensor& tensor) {
    tensor.elements.insert(tensor.elements.end(), more.elements.begin(), more.elements.end());
    tensor.looked_at += more.looked_at;
    tensor.unwritten += more.unwritten;
    tensor.tiles = std::max(tensor.tiles, more.tiles);
}

/// Where it is not known what programs depend on, only these can be compared.
SampleRun with_few_programs(SampleRun run) {
    run.programs_per_launch = run.least_programs = 3;
    run.enough_seconds = 0;
    return run;
}

/// Seconds that a program of each launch takes, by what is chosen.
using Timings = std::map<std::vector<int>, std::vector<double>>;

SampleRunResult run_one(const Context& context, const SampleRun& run, State& state, Timings& timings) {
    SampleRunResult result;
    const plan::Plan &reference = context.owned.leaves, &plan = context.plan();
    const std::vector<plan::Executed> steps = plan::executed_steps(plan, run.choice);
    const Leaves leaves(reference, run.leaves);
    for (const plan::Executed& e : steps)
        result.launches += std::holds_alternative<plan::LaunchStep>(e.step->what);
    result.tensors.resize(context.tensors.size());
    if (!leaves.usable() || result.launches == 0) return result;
    PageCache& pages = pages_of(context.request, run.leaves, state);
    const auto memory = [&] {
        return Memory(reference, plan, context.request.links, leaves, run.leaves.seed, pages);
    };
    std::mt19937_64 random(run.leaves.seed ^ 0x5DEECE66D);
    Memory first = memory(), second = memory();
    Sampler::Result sampled;
    sampled.tensors.resize(context.tensors.size());
    sampled.missing.resize(context.tensors.size());
    sampled.wanted.resize(context.tensors.size());
    const bool timed = timings.contains(run.choice);
    if (run.programs_per_launch > 0 || !timed) {
        sampled = Sampler(context, run, steps, first).run(random);
        if (!timed) timings[run.choice] = sampled.seconds;
    }
    Completion completion(context, run, steps, second, timings[run.choice]);
    if (run.programs_per_launch == 0 && timed && !completion.events().followed())
        sampled = Sampler(context, with_few_programs(run), steps, first).run(random);
    result.programs = sampled.programs;
    result.launches_sampled = sampled.launches_sampled;
    result.broken_promise = std::move(sampled.broken_promise);
    if (sampled.finding) {
        result.findings.push_back(std::move(*sampled.finding));
        return result;
    }
    std::vector<Completion::Wanted> wanted;
    for (size_t t = 0; t < context.tensors.size(); t++) {
        const SampleTensor& named = context.request.tensors[t];
        // What the sample's own programs leave is right: of the rest it is asked whether anybody writes it.
        const bool run_more = sampled.tensors[t].elements.empty();
        wanted.push_back(
            {named.name, context.tensors[t].value_or(plan::Tensor{}), named.comparable, {}, {}, {}});
        if (!context.tensors[t] || t >= run.elements.size()) continue;
        in_turn(not_yet(run.elements[t], sampled.tensors[t]), sampled.wanted[t], wanted.back());
        if (!run.optional && completion.events().followed())
            for (int64_t index : gaps(completion.events(), *context.tensors[t], random)) {
                wanted.back().elements.insert(wanted.back().elements.begin(), index);
                wanted.back().of_sample.insert(index);
            }
        for (int64_t index : wanted.back().elements)
            if (!run_more && !sampled.missing[t].contains(index)) wanted.back().only_look.insert(index);
    }
    for (const auto& [kept, changed] : sampled.changed)
        wanted.push_back({kept.name, kept.tensor, true, changed, {}, {}});
    Completion::Result completed = completion.run(wanted, random);
    result.programs += completed.programs;
    if (!result.broken_promise) result.broken_promise = std::move(completed.broken_promise);
    for (size_t t = 0; t < result.tensors.size(); t++) {
        result.tensors[t] = std::move(completed.tensors[t]);
        add(std::move(sampled.tensors[t]), result.tensors[t]);
    }
    if (completed.finding) result.findings.push_back(std::move(*completed.finding));
    for (size_t i = 0; i < sampled.changed.size() && result.findings.empty(); i++) {
        const auto& [kept, changed] = sampled.changed[i];
        const auto& elements = completed.tensors[context.tensors.size() + i].elements;
        if (auto element = changed_for_good(kept, elements, second))
            result.findings.push_back(mutated(kept, *element));
    }
    return result;
}

}  // namespace

SampleResult answer(const OwnedSampleRequest& owned, ProgramCache& programs, State& state) {
    const auto start = std::chrono::steady_clock::now();
    const WithoutDataLimit without_limit;
    Kernels kernels(owned.plan, programs, owned.request.issued);
    Context context{owned, owned.request, kernels, {}};
    for (const SampleTensor& tensor : owned.request.tensors)
        context.tensors.push_back(tensor_named(owned.plan, tensor.name));
    SampleResult result;
    if (!owned.request.resident_kernels.empty()) {
        const Leaves::Options& options = owned.request.resident_leaves;
        result.residency = check_residency(context, options, pages_of(owned.request, options, state));
    }
    if (owned.request.handed_on) {
        const Leaves::Options& options = owned.request.resident_leaves;
        PageCache pages;  // nothing that depends on contents is looked at
        std::mt19937_64 random(options.seed);
        result.handed_on = handed_on(context, options, pages, random);
    }
    Timings timings;
    double optional = 0;
    for (const SampleRun& run : owned.request.runs) {
        if (result.residency) break;
        if (run.optional && optional > owned.request.optional_seconds) {
            result.runs.emplace_back().tensors.resize(context.tensors.size());
            continue;
        }
        const double begun = processor_seconds();
        result.runs.push_back(run_one(context, run, state, timings));
        if (run.optional) optional += processor_seconds() - begun;
        if (!result.runs.back().findings.empty()) break;
    }
    result.seconds = seconds_since(start);
    return result;
}

}  // namespace tritonsmith::run::sample
