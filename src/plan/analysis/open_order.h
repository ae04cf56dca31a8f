#pragma once

#include <cstdint>
#include <optional>

#include "plan/ir/plan.h"

/// Operators that put elements in order (topk, sort, kthvalue, median …) and name their places. Which of
/// several equal elements comes first is open: their values are the same for any choice, their places are
/// not.
namespace tritonsmith::plan {

struct OpenPlaces {
    Tensor places, scores;  ///< `scores` is what was put in order
    int64_t dimension = 0;  ///< of `scores`
};
/// The places that such a step names, where it names any.
std::optional<OpenPlaces> places_in_open_order(const AtenStep& step);

/// Something that depends on such places is left by a call, except as an output whose places can be looked up
/// in what was put in order (ArgScores): there equal elements would have many right answers.
bool open_order_reaches_results(const Plan& plan);

}  // namespace tritonsmith::plan
