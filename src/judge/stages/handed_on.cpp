#include <fmt/format.h>

#include <algorithm>

#include "judge/stages/checks.h"
#include "judge/stages/small_size.h"
#include "run/draw/leaves.h"

/// Where no element of an output can be afforded at full size, what launches leave for later ones still can
/// be looked at: a grid or a loop that is cut short there leaves memory unwritten, or unread.
namespace tritonsmith::judge {

namespace {

/// Of a buffer that nobody reads. What is padded for tiles is less.
constexpr double kUnread = 1.0 / 8;

std::variant<std::vector<run::HandedOn>, Finding> ask(CandidateState& state, const plan::Plan& reference,
                                                      const Traced& traced) {
    const plan::Plan leaves = run::leaf_plan(reference);
    run::SampleRequest request;
    request.leaves = &leaves;
    request.plan = &traced.plan;
    request.links = traced.links.by_candidate;
    request.resident_leaves.seed = state.chance();
    request.handed_on = true;
    request.threads = state.options.threads;
    auto answer = sampled_by_worker(state, request);
    if (auto* finding = std::get_if<Finding>(&answer)) return std::move(*finding);
    return std::move(std::get<run::SampleResult>(answer).handed_on);
}

bool unread(const run::HandedOn& buffer) {
    return buffer.unread >= kUnread;
}

Finding cut_short(const run::HandedOn& buffer, const std::string& how) {
    return {
        "shape_specialised",
        fmt::format("of the {} bytes that kernel {} (launched at line {}) leaves for later launches at full "
                    "size, {}; at the small size that is not so",
                    buffer.bytes, buffer.kernel, buffer.line, how),
        buffer.line,
        {{"kernel", buffer.kernel}}};
}

}  // namespace

std::optional<Finding> check_handed_on(CandidateState& state) {
    auto full = ask(state, state.task.full, state.full);
    if (auto* finding = std::get_if<Finding>(&full)) return *finding;
    auto& buffers = std::get<std::vector<run::HandedOn>>(full);
    std::erase_if(buffers, [](const run::HandedOn& one) { return one.unwritten == 0 && !unread(one); });
    if (buffers.empty()) return std::nullopt;
    const auto small = ask(state, state.small.size->plan, state.small);
    if (const auto* finding = std::get_if<Finding>(&small)) return *finding;
    const auto there = [&](const run::HandedOn& buffer, const auto& also) {
        const auto& all = std::get<std::vector<run::HandedOn>>(small);
        return std::any_of(all.begin(), all.end(), [&](const run::HandedOn& other) {
            return other.kernel == buffer.kernel && other.argument == buffer.argument && also(other);
        });
    };
    for (const run::HandedOn& buffer : buffers) {
        if (buffer.unwritten > 0 &&
            !there(buffer, [](const run::HandedOn& other) { return other.unwritten > 0; }))
            return cut_short(buffer, fmt::format("{} are read and never written", buffer.unwritten));
        if (unread(buffer) && !there(buffer, [](const run::HandedOn& other) { return other.unread > 0; }))
            return cut_short(buffer, fmt::format("{:.0f} % are never read", 100 * buffer.unread));
    }
    return std::nullopt;
}

}  // namespace tritonsmith::judge
