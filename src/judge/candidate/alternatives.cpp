#include "judge/candidate/alternatives.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>
#include <string>

#include "base/json.h"
#include "judge/candidate/choices.h"
#include "plan/ir/json.h"
#include "ttir/analysis/kernel_form.h"

namespace tritonsmith::judge {

namespace {

using KernelModules = std::vector<std::shared_ptr<const ttir::Module>>;

/// A multiple of a tile's dimension, or one less.
bool follows_tile(int64_t number, int64_t other, const ttir::KernelNumbers& of,
                  const ttir::KernelNumbers& its) {
    for (size_t i = 0; i < of.dimensions.size(); ++i) {
        const int64_t tile = of.dimensions[i], its_tile = its.dimensions[i];
        for (const int64_t less : {0, 1})
            if ((number + less) % tile == 0 && (other + less) % its_tile == 0 &&
                (number + less) / tile == (other + less) / its_tile)
                return true;
    }
    return false;
}

bool equal_lists(const plan::List& one, const plan::List& other) {
    return std::equal(
        one.begin(), one.end(), other.begin(), other.end(),
        [](const plan::Value& a, const plan::Value& b) { return plan::to_json(a) == plan::to_json(b); });
}

class Alternatives {
  public:
    explicit Alternatives(const KernelModules& modules) : modules_(modules) {}

    Likeness likeness(const plan::Alternative& one, const plan::Alternative& other) {
        if (one.steps.size() != other.steps.size()) return Likeness::other;
        Likeness all = Likeness::same;
        for (size_t i = 0; i < one.steps.size() && all != Likeness::other; ++i) {
            const auto* launch = std::get_if<plan::LaunchStep>(&one.steps[i].what);
            const auto* its = std::get_if<plan::LaunchStep>(&other.steps[i].what);
            const auto* step = std::get_if<plan::AtenStep>(&one.steps[i].what);
            const auto* its_step = std::get_if<plan::AtenStep>(&other.steps[i].what);
            if (launch && its)
                all = std::max(all, likeness(*launch, *its));
            else if (!step || !its_step || step->op != its_step->op ||
                     !equal_lists(step->args, its_step->args))
                all = Likeness::other;
        }
        return all;
    }

  private:
    struct Kernel {
        std::string form;
        ttir::KernelNumbers numbers;
    };

    const Kernel& kernel(int index) {
        const auto [found, added] = kernels_.try_emplace(index);
        const ttir::Module& module = *modules_[static_cast<size_t>(index)];
        if (added) found->second = {ttir::kernel_form(module), ttir::kernel_numbers(module)};
        return found->second;
    }

    std::string decisions(const plan::LaunchStep& launch) const {
        std::vector<std::optional<int64_t>> integers;
        for (const plan::Value& value : launch.args) {
            const auto* integer = std::get_if<int64_t>(&value.v);
            integers.push_back(integer ? std::optional(*integer) : std::nullopt);
        }
        return ttir::size_decisions(*modules_[static_cast<size_t>(launch.kernel)], launch.grid, integers);
    }

    Likeness likeness(const plan::LaunchStep& one, const plan::LaunchStep& other) {
        if (!equal_lists(one.args, other.args)) return Likeness::other;
        const Kernel &ours = kernel(one.kernel), &its = kernel(other.kernel);
        const std::vector<int64_t>&constants = ours.numbers.constants, &others = its.numbers.constants;
        if (ours.form != its.form || ours.numbers.dimensions.size() != its.numbers.dimensions.size() ||
            constants.size() != others.size())
            return Likeness::other;
        for (size_t i = 0; i < constants.size(); ++i)
            if (constants[i] != others[i] &&
                !follows_tile(constants[i], others[i], ours.numbers, its.numbers))
                return Likeness::other;
        if (decisions(one) != decisions(other)) return Likeness::other;
        const bool same = one.grid == other.grid && constants == others &&
                          ours.numbers.dimensions == its.numbers.dimensions;
        return same ? Likeness::same : Likeness::tiles;
    }

    const KernelModules& modules_;
    std::map<int, Kernel> kernels_;
};

/// Alternatives that are not seen yet, by how like they are to one that is.
using Unseen = std::array<std::vector<int>, 3>;

Unseen unseen_of(const plan::ChoiceStep& choice, size_t first, const std::vector<bool>& usable,
                 Alternatives& alternatives, std::mt19937_64& random) {
    const std::vector<plan::Alternative>& all = choice.alternatives;
    std::vector<size_t> order;
    for (size_t a = 0; a < all.size(); ++a)
        if (a != first && usable[a]) order.push_back(a);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<size_t> on_all_sets, on_some;
    if (usable[first]) on_all_sets = on_some = {first};
    const auto among = [&](const std::vector<size_t>& seen, size_t a, Likeness most) {
        return std::any_of(seen.begin(), seen.end(),
                           [&](size_t one) { return alternatives.likeness(all[a], all[one]) <= most; });
    };
    Unseen out;
    for (const size_t a : order) {
        const Likeness like = among(on_some, a, Likeness::same)        ? Likeness::same
                              : among(on_all_sets, a, Likeness::tiles) ? Likeness::tiles
                                                                       : Likeness::other;
        out[static_cast<size_t>(like)].push_back(static_cast<int>(a));
        if (like == Likeness::other) on_all_sets.push_back(a);
        if (like != Likeness::same) on_some.push_back(a);
    }
    return out;
}

}  // namespace

std::vector<TunedRun> tuned_runs(const plan::Plan& plan, const KernelModules& modules,
                                 const std::vector<int>& first,
                                 const std::function<bool(size_t, size_t)>& usable, uint64_t seed) {
    std::mt19937_64 random(seed);
    Alternatives alternatives(modules);
    std::vector<Unseen> unseen;
    for (const plan::ChoiceStep* choice : choices_of(plan)) {
        const size_t c = unseen.size();
        std::vector<bool> fit;
        for (size_t a = 0; a < choice->alternatives.size(); ++a) fit.push_back(usable(c, a));
        unseen.push_back(unseen_of(*choice, static_cast<size_t>(first[c]), fit, alternatives, random));
    }
    std::vector<TunedRun> out;
    for (const Likeness like : {Likeness::other, Likeness::tiles, Likeness::same})
        for (size_t turn = 0;; ++turn) {
            TunedRun one{first, {}, like};
            for (size_t c = 0; c < unseen.size(); ++c) {
                const std::vector<int>& left = unseen[c][static_cast<size_t>(like)];
                if (turn >= left.size()) continue;
                one.choice[c] = left[turn];
                one.changed.push_back(c);
            }
            if (one.changed.empty()) break;
            out.push_back(std::move(one));
        }
    return out;
}

size_t sets_of_tiles(size_t runs, size_t sets) {
    constexpr size_t calls = 24, least = 2;
    return std::min(sets, std::max(least, calls / std::max<size_t>(runs, 1)));
}

}  // namespace tritonsmith::judge
