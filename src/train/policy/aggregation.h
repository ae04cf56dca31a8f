#pragma once

#include <cstdint>

namespace tritonsmith::train {

/// How the losses of tokens become one: the factor of each.
struct Aggregation {
    enum class Form : uint8_t {
        token_mean,     ///< mean over all tokens of the batch (DAPO)
        sequence_mean,  ///< mean over answers of the means over their tokens (GRPO)
        fixed,          ///< mean over answers of the sums over their tokens, divided by `horizon` (Dr.GRPO)
    };
    Form form = Form::sequence_mean;
    double horizon = 1;  ///< tokens
};

/// What an update is made of, on all devices.
struct BatchCounts {
    double sequences = 0;  ///< answers
    double tokens = 0;     ///< of the class whose loss it is
};

/// @param length tokens of the answer, of that class
double token_weight(const Aggregation& aggregation, double length, const BatchCounts& batch);

}  // namespace tritonsmith::train
