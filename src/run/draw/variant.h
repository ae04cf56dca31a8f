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
    /// element). columns: columns and channels of other scales (even rank), rows (odd rank).
    enum class Pattern : uint8_t { none, rows, columns } pattern = Pattern::none;
    int reach = 10;  ///< rows are scaled by 2^reach at most
    static constexpr int kUsualReach = 10;
    bool bounded = false;  ///< values keep to the law's own range and sign, and none is zero by intention
    bool extremes = true;  ///< rows of zeros and constants, and values whose squares underflow
    /// Small numbers that the reference keeps denominators away from zero by: some rows are small enough to
    /// show.
    std::vector<double> guards = {};
    /// The reference sums exponentials: large elements are so large that one is more than all others of a
    /// row.
    bool exponentials = false;
    bool ties = true;   ///< elements that are equal on purpose
    bool lines = true;  ///< of integers and flags some rows are equal, least, greatest or rising
    /// What becomes of inputs that the task makes constant (constant_inputs.h).
    enum class Constants : uint8_t { kept, all, near } constants = Constants::kept;
    bool patterns = true;  ///< of these, also flags and patterns (masks, positions, offsets, routes)

    /// What stands here and there in inputs that the reference looks at for it (nonfinite_inputs.h).
    enum class Nonfinite : uint8_t { none, any, nan, infinite } nonfinite = Nonfinite::none;

    /// Every second element is one of these, where the law has it: on the CPU only.
    std::vector<double> planted = {};

    /// The task's own distribution.
    bool own() const {
        return sign == 1 && scale == 1 && offset == 0 && pattern == Pattern::none &&
               constants == Constants::kept && nonfinite == Nonfinite::none && planted.empty();
    }
};

Json variant_json(const Variant& variant);
/// @throws Json::exception
Variant variant_from_json(const Json& json);
/// What a verdict calls it: "sign 1 scale 100 offset 0", "rows", "rows within the law's range".
std::string describe(const Variant& variant);

}  // namespace tritonsmith::run
