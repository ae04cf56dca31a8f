#include "judge/task/input_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace tritonsmith::judge {

bool is_kept_buffer(const std::string& name) {
    return name.starts_with("weight/");
}

namespace {

/// As a message names it.
std::string shown(const std::string& name) {
    return is_kept_buffer(name) ? "the module's " + name.substr(name.find('/') + 1) + " after the call"
                                : name;
}

}  // namespace

Answer check_answer(const InputSet& set, const run::Pack& outputs) {
    Answer answer;
    for (const Expected& expected : set.expected) {
        const run::PackEntry* entry = outputs.find(expected.name);
        if (!entry && is_kept_buffer(expected.name)) continue;  // never kept up: see check_state
        if (!entry) {
            const bool input = expected.name.starts_with("input/");
            answer.finding = Finding{
                "wrong_result",
                expected.name + (input ? " is left as it was, which the reference changes" : " is missing"),
                0, Json::object()};
            return answer;
        }
        Comparison c = compare(expected, elements(outputs, *entry));
        if (c.worst_ratio > answer.worst_ratio) answer.worst_output = expected.name;
        answer.worst_ratio = std::max(answer.worst_ratio, c.worst_ratio);
        answer.worst_error = std::max(answer.worst_error, c.worst_error);
        if (!c.mismatch || answer.finding) continue;
        Json evidence = to_json(*c.mismatch);
        evidence["rms"] = expected.rms;
        evidence["reference_error"] = expected.reference_error;
        evidence["candidate_error"] = c.worst_error;
        evidence["variant"] = run::describe(set.variant);
        answer.finding = Finding{"wrong_result", describe(*c.mismatch, shown(expected.name)), 0,
                                 std::move(evidence), expected.name};
    }
    return answer;
}

bool differ(const InputSet& set, const run::Pack& one, const run::Pack& other) {
    for (const Expected& expected : set.expected) {
        if (is_kept_buffer(expected.name)) continue;
        const run::PackEntry *a = one.find(expected.name), *b = other.find(expected.name);
        if (!a || !b) return a != b;
        if (differ(expected, elements(one, *a), elements(other, *b))) return true;
    }
    return false;
}

namespace {

/// Element by element; nothing: no guess for this output.
using Answers = std::optional<std::function<Exact(size_t)>>;
using Guess = std::function<Answers(const InputSet&, const Expected&)>;

/// True if the guess is accepted for every output of every set (and there is something to accept).
bool accepted_everywhere(const std::vector<InputSet>& sets, const Guess& guess) {
    bool any = false;
    for (const InputSet& set : sets)
        for (const Expected& expected : set.expected) {
            if (is_kept_buffer(expected.name)) continue;
            const Answers found = guess(set, expected);
            if (!found || !accepts(expected, *found)) return false;
            any = any || !expected.oracle.values.empty();
        }
    return any;
}

Answers filled(double value) {
    return [value](size_t) -> Exact { return value; };
}

double mean(const Expected& expected) {
    double sum = 0;
    for (double v : expected.oracle.values) sum += v;
    return expected.oracle.values.empty() ? 0 : sum / static_cast<double>(expected.oracle.values.size());
}

const Expected* find(const InputSet& set, const std::string& name) {
    for (const Expected& e : set.expected)
        if (e.name == name) return &e;
    return nullptr;
}

Finding degenerate(const std::string& what) {
    return {"task_degenerate", "the task proves nothing: it accepts " + what, 0, {{"accepts", what}}};
}

}  // namespace

std::optional<Finding> find_degeneracy(const std::vector<InputSet>& sets) {
    if (sets.empty()) return std::nullopt;
    if (accepted_everywhere(sets, [](const InputSet&, const Expected&) { return filled(0); }))
        return degenerate("zeros");
    if (accepted_everywhere(sets, [&](const InputSet&, const Expected& e) -> Answers {
            const Expected* first = find(sets.front(), e.name);
            return first ? filled(mean(*first)) : std::nullopt;
        }))
        return degenerate("a constant (the mean of its output)");
    for (const run::PackEntry& entry : sets.front().inputs.entries()) {
        if (!entry.name.starts_with("input/")) continue;
        bool copies = accepted_everywhere(sets, [&](const InputSet& set, const Expected& e) -> Answers {
            const run::PackEntry* input = set.inputs.find(entry.name);
            if (!input || run::Pack::element_count(*input) != static_cast<int64_t>(e.oracle.values.size()))
                return std::nullopt;
            return [values = elements(set.inputs, *input)](size_t i) { return values.at(i); };
        });
        if (copies) return degenerate("a copy of " + entry.name);
    }
    if (sets.size() < 2) return std::nullopt;
    // Other weights give other answers, whatever becomes of the inputs: a network that forgets its inputs
    // shows under the same ones. One that never reads them has weights to prove something about.
    for (const bool same_weights : {false, true})
        for (const InputSet& of : sets) {
            bool differs = !same_weights;
            const bool blind =
                accepted_everywhere(sets, [&](const InputSet& set, const Expected& e) -> Answers {
                    const Expected* other =
                        same_weights && set.weights_seed != of.weights_seed ? &e : find(of, e.name);
                    if (!other || other->oracle.values.size() != e.oracle.values.size()) return std::nullopt;
                    differs |= other->oracle.values != e.oracle.values || other->oracle.wide != e.oracle.wide;
                    return [other](size_t i) { return other->oracle.at(i); };
                });
            if (blind && differs) return degenerate("the outputs that belong to other inputs");
        }
    return std::nullopt;
}

}  // namespace tritonsmith::judge
