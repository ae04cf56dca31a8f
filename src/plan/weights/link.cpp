#include "plan/weights/link.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

#include "plan/analysis/liveness.h"
#include "plan/analysis/range_map.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/weights/redrawn.h"

namespace tritonsmith::plan {
namespace {

using Shape = std::vector<int64_t>;

Shape squeezed(const Shape& shape) {
    Shape out;
    std::copy_if(shape.begin(), shape.end(), std::back_inserter(out), [](int64_t size) { return size != 1; });
    return out;
}

std::string last_component(const std::string& name) {
    return name.substr(name.rfind('.') + 1);
}

/// A state entry with everything that linking looks at.
struct Entry {
    std::string name;
    Shape shape;
    bool floating = false, parameter = false;
    bool redrawn = false;  ///< by whoever runs the reference
    Law law = Law::constant;
    int order = 0;  ///< index of its last initialising write, else behind all of them
    int draw = -1;
    bool used = false;
    Tensor tensor;
};

/// Weights under several names (tied) are equal here.
using Bytes = std::tuple<int, int64_t, Shape, Shape>;
Bytes bytes_of(const Tensor& tensor) {
    return {tensor.buffer, tensor.offset, tensor.shape, tensor.stride};
}

struct Used {
    bool yes = false;
    void join(const Used& other) { yes |= other.yes; }
};

/// Bytes that the forward phase reads, or that init steps derive something from which it reads.
RangeMap<Used> used_bytes(const Plan& plan) {
    RangeMap<Used> used;
    std::vector<Executed> steps = executed_steps(plan);
    for (size_t i = steps.size(); i-- > 0;) {
        const Step& step = *steps[i].step;
        const Flow flow = flow_of(plan, step, {});
        bool matters = step.phase == Phase::forward ||
                       std::any_of(flow.writes.begin(), flow.writes.end(),
                                   [&](const ByteRange& range) { return used.get(range).yes; });
        if (matters)
            for (const ByteRange& range : flow.reads) used.set(range, {true});
    }
    for (const Tensor& tensor : tensors_in(plan.output)) used.set(byte_range(tensor), {true});
    return used;
}

std::vector<Entry> entries(const Plan& plan, const KernelEffects& effects) {
    std::vector<WeightOrigin> origins = weight_origins(plan, effects);
    const std::vector<Redrawn> redrawn = redrawn_weights(plan, origins);
    RangeMap<Used> used = used_bytes(plan);
    std::vector<Entry> out;
    for (size_t i = 0; i < plan.weights.size(); ++i) {
        const Weight& weight = plan.weights[i];
        Entry entry;
        entry.name = weight.name;
        entry.shape = squeezed(weight.tensor.shape);
        entry.floating = is_floating(weight.tensor.dtype);
        entry.parameter = weight.parameter;
        entry.redrawn = redrawn[i] != Redrawn::no;
        entry.law = origins[i].law;
        entry.order =
            origins[i].writes.empty() ? static_cast<int>(plan.steps.size()) : origins[i].writes.back();
        entry.draw = origins[i].draw;
        entry.used = used.get(byte_range(weight.tensor)).yes;
        entry.tensor = weight.tensor;
        out.push_back(std::move(entry));
    }
    return out;
}

/// Pairs what names left over. Each pass pairs entries whose keys are equal, in the order of their draws.
class Pairing {
  public:
    Pairing(const std::vector<Entry>& reference, const std::vector<Entry>& candidate)
        : reference_(reference), candidate_(candidate), taken_(reference.size()), filled_(candidate.size()) {}

    void take(size_t candidate, size_t reference) {
        links[candidate_[candidate].name] = reference_[reference].name;
        filled_[candidate] = taken_[reference] = true;
    }

    void by_name() {
        std::unordered_map<std::string_view, size_t> named;
        for (size_t r = 0; r < reference_.size(); ++r) named.emplace(reference_[r].name, r);
        for (size_t c = 0; c < candidate_.size(); ++c) {
            auto found = named.find(candidate_[c].name);
            if (found != named.end() && fits(c, found->second)) take(c, found->second);
        }
    }

    /// @param key what must agree besides shape; @param by_order draw order, else the order in the state
    /// dict.
    template <typename Key>
    void by_key(Key key, bool by_order) {
        const auto typed_key = [&](const Entry& entry) {
            return std::tuple_cat(std::tuple(entry.shape, entry.floating), key(entry));
        };
        std::map<decltype(typed_key(Entry{})), std::pair<std::vector<size_t>, std::vector<size_t>>> groups;
        for (size_t c : free(candidate_, filled_)) groups[typed_key(candidate_[c])].first.push_back(c);
        for (size_t r : free(reference_, taken_)) groups[typed_key(reference_[r])].second.push_back(r);
        for (auto& [alike, group] : groups) {
            auto& [ours, theirs] = group;
            if (ours.empty() || theirs.empty()) continue;
            if (by_order) {
                sort(ours, candidate_);
                sort(theirs, reference_);
            }
            if (ours.size() > 1 || theirs.size() > 1) ambiguous = true;
            for (size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) take(ours[i], theirs[i]);
        }
    }

    /// What the reference redraws and no name has found: buffers of another name that start as it does.
    void redrawn_buffers() {
        for (const bool same_name : {true, false})
            for (size_t r = 0; r < reference_.size(); ++r) {
                const Entry& theirs = reference_[r];
                if (taken_[r] || !theirs.redrawn || theirs.parameter) continue;
                for (size_t c = 0; c < candidate_.size() && !taken_[r]; ++c) {
                    const Entry& ours = candidate_[c];
                    if (!filled_[c] && !ours.parameter && ours.floating && ours.law == theirs.law &&
                        ours.shape == theirs.shape &&
                        (!same_name || last_component(ours.name) == last_component(theirs.name)))
                        take(c, r);
                }
            }
    }

    bool filled(size_t candidate) const { return filled_[candidate]; }
    bool taken(size_t reference) const { return taken_[reference]; }
    std::map<std::string, std::string> links;
    bool ambiguous = false;

  private:
    /// Module buffers keep their own values, unless both sides drew them at random or the reference's are
    /// redrawn.
    bool fits(size_t c, size_t r) const {
        const Entry &ours = candidate_[c], &theirs = reference_[r];
        if (ours.shape != theirs.shape || ours.floating != theirs.floating) return false;
        if (ours.law == Law::derived) return theirs.law == Law::derived && theirs.redrawn;
        return theirs.parameter || theirs.redrawn || (theirs.law == Law::random && ours.law == Law::random);
    }

    static std::vector<size_t> free(const std::vector<Entry>& entries, const std::vector<bool>& done) {
        std::vector<size_t> out;
        for (size_t i = 0; i < entries.size(); ++i)
            if (!done[i] && entries[i].parameter && entries[i].law != Law::derived) out.push_back(i);
        return out;
    }

    static void sort(std::vector<size_t>& indices, const std::vector<Entry>& entries) {
        bool drawn =
            std::all_of(indices.begin(), indices.end(), [&](size_t i) { return entries[i].draw >= 0; });
        std::stable_sort(indices.begin(), indices.end(), [&](size_t a, size_t b) {
            return drawn ? entries[a].draw < entries[b].draw : entries[a].order < entries[b].order;
        });
    }

    const std::vector<Entry>& reference_;
    const std::vector<Entry>& candidate_;
    std::vector<bool> taken_, filled_;
};

Pairing pair_up(const std::vector<Entry>& reference, const std::vector<Entry>& candidate, bool by_order) {
    Pairing pairing(reference, candidate);
    pairing.by_name();
    pairing.by_key([](const Entry& e) { return std::tuple(e.law, last_component(e.name)); }, by_order);
    pairing.by_key([](const Entry& e) { return std::tuple(e.law); }, by_order);
    pairing.by_key([](const Entry&) { return std::tuple(); }, by_order);
    pairing.redrawn_buffers();
    return pairing;
}

/// Init draws with operator and shape, by ordinal.
struct Draw {
    int ordinal;
    std::string_view op;
    Shape shape;
    bool operator==(const Draw& other) const { return op == other.op && shape == other.shape; }
};
std::vector<Draw> init_draws(const Plan& plan) {
    std::vector<Draw> out;
    for (const Executed& executed : executed_steps(plan)) {
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        if (!aten || aten->draw < 0 || executed.step->phase != Phase::init) continue;
        std::vector<Tensor> made = tensors_in(aten->result);
        if (made.empty()) made = tensors_in(aten->args);
        out.push_back({aten->draw, OpName(aten->op).base, made.empty() ? Shape{} : made[0].shape});
    }
    return out;
}

/// Ordinals of the draws that linked weights are made of.
struct NamedDraws {
    std::set<int> reference, candidate;
};

/// Draws without a name: the same ordinal where operator and shape agree, else the first left over that
/// agrees. What stands for a linked weight takes part on neither side.
void link_draws(const Plan& reference, const Plan& candidate, const NamedDraws& named,
                std::map<std::string, std::string>& links) {
    std::vector<Draw> theirs = init_draws(reference), ours = init_draws(candidate);
    std::erase_if(theirs, [&](const Draw& draw) { return named.reference.contains(draw.ordinal); });
    std::erase_if(ours, [&](const Draw& draw) { return named.candidate.contains(draw.ordinal); });
    for (const bool same_ordinal : {true, false})
        std::erase_if(ours, [&](const Draw& draw) {
            const auto found = std::find_if(theirs.begin(), theirs.end(), [&](const Draw& other) {
                return other == draw && (other.ordinal == draw.ordinal || !same_ordinal);
            });
            if (found == theirs.end()) return false;
            links["draw/" + std::to_string(draw.ordinal)] = "draw/" + std::to_string(found->ordinal);
            theirs.erase(found);
            return true;
        });
}

}  // namespace

Links link_weights(const Plan& reference, const Plan& candidate, const KernelEffects& effects) {
    std::vector<Entry> theirs = entries(reference, {}), ours = entries(candidate, effects);
    Pairing pairing = pair_up(theirs, ours, true);
    Links links;
    links.by_candidate = pairing.links;
    links.ambiguous = pairing.ambiguous;
    if (links.ambiguous) {
        Pairing other = pair_up(theirs, ours, false);
        if (other.links != pairing.links) links.alternative = other.links;
    }
    std::set<Bytes> taken, filled;
    for (size_t r = 0; r < theirs.size(); ++r)
        if (pairing.taken(r)) taken.insert(bytes_of(theirs[r].tensor));
    for (size_t c = 0; c < ours.size(); ++c)
        if (pairing.filled(c)) filled.insert(bytes_of(ours[c].tensor));
    for (const Entry& entry : theirs)
        if (entry.parameter && entry.used && !taken.contains(bytes_of(entry.tensor)))
            links.unused.push_back(entry.name);
    NamedDraws named;
    for (size_t r = 0; r < theirs.size(); ++r)
        if (pairing.taken(r)) named.reference.insert(theirs[r].draw);
    for (size_t c = 0; c < ours.size(); ++c) {
        const Entry& entry = ours[c];
        if (pairing.filled(c)) {
            named.candidate.insert(entry.draw);
            continue;
        }
        if (!entry.parameter || !entry.used || entry.law == Law::derived) continue;
        if (filled.contains(bytes_of(entry.tensor))) continue;
        // A constant that stands for nothing in the reference is an ordinary table; beside an unfilled
        // reference weight it is suspect.
        if (entry.law == Law::random || !links.unused.empty()) links.unlinked.push_back(entry.name);
    }
    link_draws(reference, candidate, named, links.by_candidate);
    for (auto it = links.by_candidate.begin(); !links.alternative.empty() && it != links.by_candidate.end();
         ++it)
        if (it->first.starts_with("draw/")) links.alternative.insert(*it);
    return links;
}

}  // namespace tritonsmith::plan
