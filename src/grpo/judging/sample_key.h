#pragma once

namespace tritonsmith::grpo {

/// Which answer of a step: to the prompt with this index, the sample with this one.
struct SampleKey {
    int group = 0, sample = 0;
};

}  // namespace tritonsmith::grpo
