#include <fmt/format.h>

#include <chrono>

#include "judge/stages/small_size.h"
#include "judge/stages/stages.h"
#include "judge/task/requests.h"
#include "ttir/parse/parser.h"

/// The candidate's plans, at the task's own size and at the small one.
namespace tritonsmith::judge {

std::optional<Finding> parse_kernels(Traced& traced) {
    traced.modules.clear();
    for (const plan::Kernel& kernel : traced.plan.kernels) {
        try {
            traced.modules.push_back(std::make_shared<const ttir::Module>(ttir::parse(kernel.ttir)));
        } catch (const ttir::ParseError& error) {
            return Finding{"invalid_ttir", fmt::format("kernel {}: {}", kernel.name, error.what()),
                           kernel.line, Json::object()};
        }
    }
    return std::nullopt;
}

trace::Request request_of(const CandidateState& state, const plan::Plan& reference) {
    trace::Request request = candidate_request(reference, state.text, state.name, state.options.target);
    request.configuration = state.configuration;
    request.call = state.call;
    request.deadline = std::chrono::milliseconds(static_cast<int64_t>(state.options.trace_seconds * 1000));
    return request;
}

std::optional<Finding> trace_candidate(CandidateState& state) {
    // Where other candidates want the cores, only one that passes at full size is traced again, and what the
    // first trace has lowered is not lowered again.
    const bool alone = state.options.threads != 1;
    if (state.small.size->shrunk())
        state.small_trace = std::async(alone ? std::launch::async : std::launch::deferred, [&state] {
            trace::Request small = request_of(state, state.small.size->plan);
            small.lowered = state.lowered;
            return state.services.tracer->trace(small);
        });
    trace::Outcome full = state.services.tracer->trace(
        request_of(state, state.task.full), state.small.size->shrunk() && !alone ? &state.lowered : nullptr);
    if (auto* finding = std::get_if<Finding>(&full)) return *finding;
    state.full.plan = std::move(std::get<plan::Plan>(full));
    return parse_kernels(state.full);
}

void take_small_trace(CandidateState& state) {
    if (!state.small_trace.valid()) {
        static_cast<Traced&>(state.small) = state.full;
        state.small.is_full = true;
        return;
    }
    trace::Outcome small = state.small_trace.get();
    if (auto* finding = std::get_if<Finding>(&small)) {
        state.small.specialised = true;
        note_size(state, *finding);
        return;
    }
    state.small.plan = std::move(std::get<plan::Plan>(small));
    policy_at_small_size(state);
}

}  // namespace tritonsmith::judge
