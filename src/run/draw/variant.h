#pragma once

#include <cstdint>
#include <vector>

#include "base/json.h"

namespace tritonsmith::run {

/// How a set's inputs depart from the task's own law (docs/judge.md, Input sets). Applied to the floating
/// leaf draws of the phase `inputs`, element by element (pattern.h); what the task computes from them stays
/// in its domain.
struct Variant {
    double sign = 1, scale = 1, offset = 0;  ///< of every element
    /// rows: rows of other laws and scales (of the leaves of even rank; those of odd rank get signs by
    /// element). columns: columns and channels of other scales (even rank), rows (odd rank). fading: rows of
    /// sizes at which the guards bind, or may, the same ones in all leaves.
    enum class Pattern : uint8_t { none, rows, columns, fading } pattern = Pattern::none;
    int reach = 10;  ///< rows are scaled by 2^reach at most
    static constexpr int kUsualReach = 10;
    bool bounded = false;  ///< values keep to the law's own range and sign, and none is zero by intention
    bool ends = false;  ///< bounded: some elements are exactly the least, or the greatest, of a uniform law
    /// Leaves, by rank, of which alone what is not their law's is not asked: they are bounded in a pattern
    /// and as drawn without one, while all others get what the variant says.
    std::vector<int> kept = {};
    bool extremes = true;  ///< rows of zeros and constants, and values whose squares underflow
    /// Small numbers that the reference keeps denominators away from zero by: some rows are small enough to
    /// show.
    std::vector<double> guards = {};
    /// The reference sums exponentials: large elements are so large that one is more than all others of a
    /// row.
    bool exponentials = false;
    bool ties = true;  ///< elements that are equal on purpose
    /// Of integers and flags some rows are equal, least, greatest or rising; of what holds `named` numbers,
    /// or NaN, some rows hold nothing else.
    bool lines = true;
    /// What becomes of inputs that the task makes constant (constant_inputs.h).
    /// anywhere: first places and signs as well; empty: so that rows, a length and a segment may be empty.
    enum class Constants : uint8_t { kept, all, near, anywhere, empty } constants = Constants::kept;
    bool patterns = true;  ///< of these, also flags and patterns (masks, positions, offsets, routes)

    /// What stands here and there in inputs that the reference looks at for it (nonfinite_inputs.h).
    enum class Nonfinite : uint8_t { none, any, nan, infinite } nonfinite = Nonfinite::none;

    /// Numbers that the reference looks for in inputs (plan::named_values), of each of `inputs` in turn,
    /// which stand here and there in it: one in kNamedOneIn.
    std::vector<std::vector<double>> named = {};
    static constexpr int kNamedOneIn = 16;
    /// Of each of `inputs`, weights whose elements stand here and there in it: where they meet it, if they do
    /// element by element.
    std::vector<std::vector<int64_t>> met = {};
    /// Rows of these weights [choices, length] stand there, in turn: with each `turn` those behind the rows
    /// of the turn before.
    bool by_rows = false;
    bool everywhere = false;  ///< these inputs hold nothing else than the first of their numbers

    /// The inputs that `named` changes, each once; those that `constants` or `nonfinite` changes, where
    /// elements are made one by one (changed_leaf.h) and no forward phase says which these are.
    std::vector<int64_t> inputs = {};

    /// Whole leaves of integers hold one value, or two; of flags (of all that has two values) none is set, or
    /// all are, unless `lines` forbids it.
    enum class Whole : uint8_t { drawn, one, two } whole = Whole::drawn;
    /// Leaves that may hold what another one holds (alike_draws.h) do so in some lines, or everywhere.
    enum class Alike : uint8_t { none, lines, all } alike = Alike::none;

    bool apart = false;  ///< what inputs say twice is drawn apart (repeated_draws.h)

    /// Of weights (worker/exec/redraw.h): near what they begin with; or of other sizes by orders of
    /// magnitude, with signs of their own or (positive) with those that they have.
    enum class Weights : uint8_t { near, far, positive } weights = Weights::near;
    int turn = 0;  ///< by_rows: see there; far: which weights are large, small or negative; kTurns show each
                   ///< number as all of these
    static constexpr int kTurns = 3;

    /// Every second element is one of these, where the law has it: on the CPU only.
    std::vector<double> planted = {};

    /// Sums have terms of very different sizes, in an order that is not random.
    bool uneven() const { return pattern != Pattern::none || weights != Weights::near; }

    /// The task's own distribution.
    bool own() const {
        return sign == 1 && scale == 1 && offset == 0 && pattern == Pattern::none &&
               constants == Constants::kept && nonfinite == Nonfinite::none && named.empty() &&
               weights == Weights::near && whole == Whole::drawn && alike == Alike::none && !apart &&
               planted.empty();
    }
};

Json variant_json(const Variant& variant);
/// @throws Json::exception
Variant variant_from_json(const Json& json);
/// What a verdict calls it: "sign 1 scale 100 offset 0", "rows", "rows within the law's range".
std::string describe(const Variant& variant);

}  // namespace tritonsmith::run
