#include "train/policy/aggregation.h"

#include <algorithm>

namespace tritonsmith::train {

double token_weight(const Aggregation& aggregation, double length, const BatchCounts& batch) {
    const double sequences = std::max(batch.sequences, 1.0);
    switch (aggregation.form) {
        case Aggregation::Form::token_mean:
            return 1 / std::max(batch.tokens, 1.0);
        case Aggregation::Form::fixed:
            return 1 / (sequences * aggregation.horizon);
        case Aggregation::Form::sequence_mean:
            break;
    }
    return 1 / (sequences * std::max(length, 1.0));
}

}  // namespace tritonsmith::train
