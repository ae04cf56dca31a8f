#include "generate/forge_smith.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <numeric>
#include <set>

#include "graph/lift.h"
#include "judge/task/requests.h"
#include "task/smaller_size.h"
#include "trace/tracer.h"

namespace tritonsmith::generate {
namespace {

using Constants = std::map<std::string, int64_t>;

constexpr int64_t kLeast = 16;  ///< below, integers are what a program is and not how large its data are
constexpr size_t kMost = 10;    ///< other sizes, which are traced
constexpr size_t kAtATime = 4;

/// Each size made smaller alone, so that sizes that happen to be equal can be told apart, and all of them.
std::vector<Constants> other_sizes(const Constants& constants) {
    std::vector<Constants> out;
    Constants all;
    for (const auto& [name, value] : constants) {
        if (value <= kLeast) continue;
        const int64_t smaller = task::smaller_size(value);
        all[name] = smaller;
        out.push_back({{name, smaller}});
    }
    if (out.size() > kMost - 1) out.resize(kMost - 1);
    if (all.size() > 1) out.push_back(all);
    // A heads-by-width kind of size must stay divisible: small ones take part where they can.
    for (const auto& [name, value] : constants)
        if (value > 1 && value <= kLeast && out.size() < kMost)
            out.push_back({{name, value == 2       ? 4
                                  : value % 2 == 0 ? value / 2
                                                   : value + 1}});  // an axis of 1 is another program
    return out;
}

/// A number near five eighths of `value` that shares no factor with a stride, a tile or another size, `rest`
/// more than a multiple of `step`.
int64_t uneven_size(int64_t value, int64_t step, int64_t rest, std::set<int64_t>& used) {
    const int64_t wanted = value * 5 / 8;
    auto free = [&](int64_t size) {
        return std::gcd(size, int64_t{2 * 3 * 5 * 7}) == 1 && !used.contains(size);
    };
    int64_t below = wanted / step * step + rest, above = below + step;
    while (below > 3 && !free(below)) below -= step;
    while (!free(above)) above += step;
    const int64_t size = below > 3 && std::abs(wanted - below) < above - wanted ? below : above;
    used.insert(size);
    return size;
}

/// Of sizes that halve evenly, depth · half_width and half_depth · width are the same, however often they are
/// halved. Each size as one that does not, alone; and all of them. Halves that are rounded up, or down, or,
/// as a network's first two layers may do it, up twice and then down, have a rest when they are halved again.
std::vector<Constants> uneven_sizes(const Constants& constants) {
    constexpr int64_t kHalvings = 32, kUpTwiceThenDown = 25;  // 25: 13, 7, 3, 1
    std::vector<Constants> out;
    Constants all_up, all_down;
    std::set<int64_t> used;
    for (const auto& [name, value] : constants) {
        if (value <= kLeast) continue;
        int64_t step = 4;
        while (step < kHalvings && step * 8 <= value) step *= 2;
        const int64_t up = all_up[name] = uneven_size(value, step, 1, used);
        all_down[name] = uneven_size(value, step, -1, used);
        out.push_back({{name, up}});
    }
    for (const auto& [name, value] : constants)
        if (value >= 2 * kHalvings)
            out.push_back({{name, uneven_size(value, kHalvings, kUpTwiceThenDown, used)}});
    if (out.size() > kMost - 2) out.resize(kMost - 2);
    if (all_up.size() > 1) out.push_back(all_up);
    if (!all_down.empty()) out.push_back(all_down);
    return out;
}

/// Windows are counted by a division that has a rest at other sizes than the task's.
bool has_strides(const graph::Graph& graph) {
    auto strided = [](const std::vector<int64_t>& stride) {
        return std::any_of(stride.begin(), stride.end(), [](int64_t step) { return step > 1; });
    };
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const graph::Node& node) {
        const auto* convolution = std::get_if<graph::Convolution>(&node.kind);
        const auto* pool = std::get_if<graph::Pool>(&node.kind);
        return convolution ? strided(convolution->stride) : pool && strided(pool->stride);
    });
}

/// Whether what differs is too small to be a size of data.
bool is_small(const Constants& constants, const Constants& changed) {
    return std::all_of(changed.begin(), changed.end(),
                       [&](const auto& change) { return constants.at(change.first) <= kLeast; });
}

std::map<int, int64_t> integers(const plan::List& arguments) {
    std::map<int, int64_t> out;
    for (size_t i = 0; i < arguments.size(); ++i)
        if (const auto* value = std::get_if<int64_t>(&arguments[i].v)) out[static_cast<int>(i)] = *value;
    return out;
}

std::map<int, graph::Number> numbers(const plan::List& arguments) {
    std::map<int, graph::Number> out;
    for (size_t i = 0; i < arguments.size(); ++i) {
        const auto& value = arguments[i].v;
        if (const auto* flag = std::get_if<bool>(&value)) out[static_cast<int>(i)] = *flag;
        if (const auto* whole = std::get_if<int64_t>(&value)) out[static_cast<int>(i)] = *whole;
        if (const auto* real = std::get_if<double>(&value)) out[static_cast<int>(i)] = *real;
    }
    return out;
}

}  // namespace

Forged forge_program(const task::Task& task, const judge::Paths& paths, const std::string& target,
                     bool relaxed) {
    trace::TracerOptions options;
    options.python = paths.python;
    options.package_dir = paths.package;
    options.sandbox = paths.sandbox;
    trace::Tracer tracer(options);
    auto trace_at = [&](const Constants& constants, const char* moved = "") {
        trace::Request request = judge::reference_request(task, target, "cuda");
        request.constants = constants;
        request.moved = moved;
        return tracer.trace(request);
    };
    Forged out;
    trace::Outcome first = trace_at({});
    if (const auto* finding = std::get_if<Finding>(&first)) {
        out.failure = "the task itself fails: " + finding->message;
        out.task_fails = true;
        return out;
    }
    const auto& plan = std::get<plan::Plan>(first);
    const graph::Names names = forge::names_of(task.source, task.entry);
    forge::Request request{task.source, task.entry, {}};
    request.relaxed = relaxed;
    auto lifted = graph::lift(plan, names);
    if (const auto* refusal = std::get_if<graph::Refusal>(&lifted)) {
        out.failure = refusal->text();
        return out;
    }
    request.sizes.push_back(
        {std::get<graph::Graph>(std::move(lifted)), integers(plan.init_inputs), false, numbers(plan.inputs)});
    out.graph = graph::text(request.sizes[0].graph);
    /// @param optional sizes that are left out where a number has no expression there
    auto add_sizes = [&](const std::vector<Constants>& others, const auto& optional) {
        for (size_t begin = 0; begin < others.size(); begin += kAtATime) {
            std::vector<std::future<trace::Outcome>> traces;
            for (size_t i = begin; i < std::min(begin + kAtATime, others.size()); ++i)
                traces.push_back(std::async(std::launch::async, [&, i] { return trace_at(others[i]); }));
            for (size_t i = 0; i < traces.size(); ++i) {
                trace::Outcome outcome = traces[i].get();
                const auto* other = std::get_if<plan::Plan>(&outcome);
                if (!other) continue;  // the task does not run at this size
                auto graph = graph::lift(*other, names);
                if (auto* made = std::get_if<graph::Graph>(&graph))
                    request.sizes.push_back({std::move(*made), integers(other->init_inputs),
                                             optional(others[begin + i]), numbers(other->inputs)});
            }
        }
    };
    add_sizes(other_sizes(plan.constants),
              [&](const Constants& changed) { return is_small(plan.constants, changed); });
    if (has_strides(request.sizes[0].graph))
        add_sizes(uneven_sizes(plan.constants), [](const Constants&) { return true; });
    for (const char* moved : {"floats", "whole"}) {
        const bool any =
            std::any_of(request.sizes[0].given.begin(), request.sizes[0].given.end(), [&](const auto& given) {
                return std::holds_alternative<double>(given.second) == (moved == std::string("floats"));
            });
        if (!any) continue;
        const trace::Outcome outcome = trace_at({}, moved);
        const auto* other = std::get_if<plan::Plan>(&outcome);
        if (!other) continue;  // the task takes no others
        auto graph = graph::lift(*other, names);
        if (auto* made = std::get_if<graph::Graph>(&graph))
            request.sizes.push_back(
                {std::move(*made), integers(other->init_inputs), false, numbers(other->inputs), true});
    }
    auto written = forge::write_program(request);
    if (const auto* refusal = std::get_if<graph::Refusal>(&written))
        out.failure = refusal->text();
    else
        out.program = std::get<forge::Program>(std::move(written));
    out.request = std::move(request);
    return out;
}

}  // namespace tritonsmith::generate
