#include "judge/stages/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

#include "judge/services/worker_findings.h"
#include "judge/stages/stages.h"
#include "judge/task/requests.h"

/// Modules of the candidate's at the small size, each called on one set of inputs after the other: a call
/// finds the memory that the one before has left.
namespace tritonsmith::judge {

namespace {

/// So many more calls, where calls leave other memory than the first: nobody can count on their number.
int many_calls() {
    constexpr int least = 8, most = 40;
    std::random_device chance;
    return std::uniform_int_distribution<int>(least, most)(chance);
}
constexpr double kManyCallsSeconds = 0.2;

/// The request for one call of a new module; it may be called on further sets (CandidateRequest::further).
run::CandidateRequest small_request(const CandidateState& state, size_t set, uint64_t seed) {
    run::CandidateRequest request;
    request.plan = &state.small.plan;
    request.seed = seed;
    request.inputs = &state.small.sets()[set].inputs;
    request.links = state.small.links.by_candidate;
    request.linked_seed = state.small.sets()[set].weights_seed;
    request.full_size = state.small.is_full;
    request.choice = state.small.choice;
    return request;
}

std::optional<Finding> run_small(CandidateState& state, run::CandidateRequest request,
                                 run::CandidateResult& out) {
    if (state.seconds_left <= 0)
        return Finding{"interpret_timeout",
                       fmt::format("its runs together take longer than the {:g} s that a candidate has",
                                   state.options.candidate_seconds),
                       0, Json::object()};
    request.threads = state.options.threads > 0
                          ? state.options.threads
                          : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    request.deadline_s = std::min(state.options.run_seconds * static_cast<double>(1 + request.further.size()),
                                  state.seconds_left);
    auto worker = state.services.candidate_workers.borrow();
    const auto start = std::chrono::steady_clock::now();
    auto outcome = ask_worker([&] { return worker->candidate(request); });
    state.seconds_left -= std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (auto* error = std::get_if<run::WorkerError>(&outcome)) return settled(candidate_finding(*error));
    out = std::move(std::get<run::CandidateResult>(outcome));
    return std::nullopt;
}

}  // namespace

std::optional<Finding> run_small(CandidateState& state, size_t set, uint64_t seed, int disabled, bool checks,
                                 run::CandidateResult& out, const run::AsCompiled& as_compiled) {
    run::CandidateRequest request = small_request(state, set, seed);
    request.disable_launch = disabled;
    request.checks = checks;
    request.as_compiled = as_compiled;
    return run_small(state, std::move(request), out);
}

void checked_at_small_size(CandidateState& state) {
    Evidence& evidence = state.evidence;
    evidence.checked =
        std::max(evidence.checked, state.small.size->shrunk() ? Checked::small : Checked::full);
    evidence.input_sets = state.small.sets().size();
}

std::optional<Finding> call_in_turn(CandidateState& state, const std::vector<size_t>& in_turn) {
    const uint64_t seed = state.small.sets()[in_turn.front()].seed * 3 + 1;
    for (size_t done = 0; done < in_turn.size();) {
        run::CandidateRequest request = small_request(state, in_turn[done], seed);
        // Where they begin with what construction made, as the reference's do.
        request.kept_buffers = done == 0 && state.call == 1;
        for (size_t i = done + 1; i < in_turn.size(); ++i)
            request.further.push_back(&state.small.sets()[in_turn[i]].inputs);
        if (!state.small.runs().stateful && in_turn.size() > 1 && done == 0 &&
            in_turn.front() == in_turn.back()) {
            request.repeat = many_calls();
            request.repeat_s = kManyCallsSeconds;
        }
        run::CandidateResult result;
        if (auto finding = run_small(state, std::move(request), result)) {
            // What the compiler does not know either is not what the interpreter lacks.
            if (finding->reason == "unsupported_kernel")
                if (auto refused = finish_compiles(state)) return refused;
            return finding;
        }
        checked_at_small_size(state);
        if (!result.findings.empty()) return result.findings.front();
        if (state.small.calls.empty()) {
            state.small.launches = result.launches;
            if (result.tf32) state.evidence.tf32 = true;
        }
        for (const run::Launched& launch : result.launches)
            if (launch.waiting > 0) state.waiting.insert(launch.kernel);
        state.small.calls.push_back({in_turn[done], seed, true, 0, std::move(result.outputs),
                                     std::move(result.mutated), std::move(result.warnings)});
        for (size_t i = 0; i < result.further.size(); ++i) {
            run::CandidateCall& call = result.further[i];
            const bool behind_many = result.repeated > 0 && i + 1 == result.further.size();
            state.small.calls.push_back({behind_many ? in_turn.back() : in_turn[done + 1 + i], seed, false,
                                         static_cast<int>(i) + (behind_many ? result.repeated : 1),
                                         std::move(call.outputs), std::move(call.mutated),
                                         std::move(call.warnings)});
        }
        done += 1 + result.further.size() - (result.repeated > 0 ? 1 : 0);
    }
    return std::nullopt;
}

std::optional<Finding> interpret_sets(CandidateState& state) {
    state.small.calls.clear();
    for (const std::vector<size_t>& module : state.small.runs().modules)
        if (auto finding = call_in_turn(state, module)) return finding;
    state.evidence.small_size_launches = state.small.launches;
    state.evidence.small_size_reference = plan::cost(state.small.size->plan);
    const std::vector<Finding>& warnings = state.small.calls.front().warnings;
    if (!warnings.empty()) state.evidence.warnings = warnings;
    return std::nullopt;
}

}  // namespace tritonsmith::judge
