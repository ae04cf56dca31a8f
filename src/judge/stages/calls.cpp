#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

#include "judge/services/worker_findings.h"
#include "judge/stages/judgement.h"
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

}  // namespace

run::CandidateRequest Judgement::small_request(size_t set, uint64_t seed) const {
    run::CandidateRequest request;
    request.plan = &small_;
    request.seed = seed;
    request.inputs = &sets()[set].inputs;
    request.links = small_links_.by_candidate;
    request.linked_seed = sets()[set].weights_seed;
    request.full_size = small_is_full_;
    return request;
}

std::optional<Finding> Judgement::run_small(size_t set, uint64_t seed, const std::vector<int>& choice,
                                            int disabled, bool checks, run::CandidateResult& out,
                                            const run::AsCompiled& as_compiled) {
    run::CandidateRequest request = small_request(set, seed);
    request.choice = choice;
    request.disable_launch = disabled;
    request.checks = checks;
    request.as_compiled = as_compiled;
    return run_small(std::move(request), out);
}

std::optional<Finding> Judgement::run_small(run::CandidateRequest request, run::CandidateResult& out) {
    if (seconds_left_ <= 0)
        return Finding{"interpret_timeout",
                       fmt::format("its runs together take longer than the {:g} s that a candidate has",
                                   options_.candidate_seconds),
                       0, Json::object()};
    request.threads = options_.threads > 0
                          ? options_.threads
                          : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    request.deadline_s =
        std::min(options_.run_seconds * static_cast<double>(1 + request.further.size()), seconds_left_);
    auto worker = services_.candidate_workers.borrow();
    const auto start = std::chrono::steady_clock::now();
    auto outcome = ask_worker([&] { return worker->candidate(request); });
    seconds_left_ -= std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (auto* error = std::get_if<run::WorkerError>(&outcome)) return settled(candidate_finding(*error));
    out = std::move(std::get<run::CandidateResult>(outcome));
    return std::nullopt;
}

std::optional<Finding> Judgement::call_in_turn(const std::vector<size_t>& in_turn) {
    const uint64_t seed = sets()[in_turn.front()].seed * 3 + 1;
    for (size_t done = 0; done < in_turn.size();) {
        run::CandidateRequest request = small_request(in_turn[done], seed);
        for (size_t i = done + 1; i < in_turn.size(); ++i)
            request.further.push_back(&sets()[in_turn[i]].inputs);
        if (!reference_runs().stateful && in_turn.size() > 1 && done == 0 &&
            in_turn.front() == in_turn.back()) {
            request.repeat = many_calls();
            request.repeat_s = kManyCallsSeconds;
        }
        run::CandidateResult result;
        if (auto finding = run_small(std::move(request), result)) {
            // What the compiler does not know either is not what the interpreter lacks.
            if (finding->reason == "unsupported_kernel")
                if (auto refused = compile()) return refused;
            return finding;
        }
        checked_at_small_size();
        if (!result.findings.empty()) return result.findings.front();
        if (calls_.empty()) {
            small_launches_ = result.launches;
            if (result.tf32) verdict_.evidence["tf32"] = true;
        }
        for (const run::Launched& launch : result.launches)
            if (launch.waiting > 0) waiting_.insert(launch.kernel);
        calls_.push_back({in_turn[done], seed, true, 0, std::move(result.outputs), std::move(result.mutated),
                          std::move(result.warnings)});
        for (size_t i = 0; i < result.further.size(); ++i) {
            run::CandidateCall& call = result.further[i];
            const bool behind_many = result.repeated > 0 && i + 1 == result.further.size();
            calls_.push_back({behind_many ? in_turn.back() : in_turn[done + 1 + i], seed, false,
                              static_cast<int>(i) + (behind_many ? result.repeated : 1),
                              std::move(call.outputs), std::move(call.mutated), std::move(call.warnings)});
        }
        done += 1 + result.further.size() - (result.repeated > 0 ? 1 : 0);
    }
    return std::nullopt;
}

std::optional<Finding> Judgement::interpret_sets() {
    calls_.clear();
    for (const std::vector<size_t>& module : reference_runs().modules)
        if (auto finding = call_in_turn(module)) return finding;
    Json costs = Json::array();
    for (const run::Launched& l : small_launches_)
        costs.push_back({{"kernel", l.kernel},
                         {"programs", l.programs},
                         {"bytes_read", l.bytes_read},
                         {"bytes_written", l.bytes_written},
                         {"flops", l.flops},
                         {"interpreted_seconds", l.seconds}});
    verdict_.evidence["small_size_launches"] = costs;
    Json warnings = Json::array();
    for (const Finding& w : calls_.front().warnings)
        warnings.push_back({{"reason", w.reason}, {"message", w.message}, {"line", w.line}});
    if (!warnings.empty()) verdict_.evidence["warnings"] = warnings;
    return std::nullopt;
}

std::optional<Finding> Judgement::check_answers() {
    double worst = 0, error = 0, reference_error = 0;
    std::string where;
    bool own_is_right = false;
    for (const SmallCall& call : calls_) {
        const InputSet& set = sets()[call.set];
        const Answer answer = check_answer(set, call.outputs);
        if (answer.finding) {
            Finding wrong = wrong_call(call, *answer.finding);
            // A size that does not fit the program shows on the task's own inputs as well.
            if (own_is_right && !set.variant.own()) wrong.evidence["right_on_own_inputs"] = true;
            return wrong;
        }
        own_is_right |= set.variant.own();
        if (answer.worst_ratio > worst) {
            worst = answer.worst_ratio;
            where = answer.worst_output + " with " + run::describe(set.variant);
        }
        error = std::max(error, answer.worst_error);
        for (const Expected& e : set.expected) reference_error = std::max(reference_error, e.reference_error);
    }
    verdict_.evidence["error"] = {
        {"candidate", error}, {"reference", reference_error}, {"share_of_bound", worst}, {"worst", where}};
    return std::nullopt;
}

Finding Judgement::wrong_call(const SmallCall& call, Finding finding) {
    // With another order of programs and memory contents, in a module of its own.
    run::CandidateResult alone;
    const InputSet& set = sets()[call.set];
    if (run_small(call.set, set.seed * 5 + 2, {}, -1, true, alone) || !alone.findings.empty()) return finding;
    if (call.first) {
        // Otherwise than before: not a wrong formula but a race.
        if (!differ(set, call.outputs, alone.outputs)) return finding;
        finding.message = "the answer changes between runs: " + finding.message;
    } else {
        if (check_answer(set, alone.outputs).finding && !differ(set, call.outputs, alone.outputs))
            return finding;
        finding.message = fmt::format(
            "call {} of a module, on what the calls before have left, gives another "
            "answer than a first call: {}",
            call.before + 1, finding.message);
        finding.evidence["call"] = call.before + 1;
    }
    finding.reason = "nondeterministic";
    return finding;
}

std::optional<Finding> Judgement::check_mutation() const {
    for (const SmallCall& call : calls_) {
        // Those that the reference changes as well are among its results.
        const std::vector<Expected>& expected = sets()[call.set].expected;
        for (const std::string& name : call.mutated)
            if (std::none_of(expected.begin(), expected.end(),
                             [&](const Expected& e) { return e.name == name; }))
                return Finding{"input_mutated",
                               "the candidate changes " + name + ", which the reference leaves alone",
                               0,
                               {{"mutated", call.mutated}}};
    }
    return std::nullopt;
}

}  // namespace tritonsmith::judge
