#pragma once

#include <cstdint>

namespace tritonsmith::train {

/// Learning rates. All rise linearly from peak / warmup in the first `warmup` steps; then:
struct Schedule {
    enum class Kind {
        constant,
        linear,  ///< to the floor at the last step
        cosine,  ///< half a cosine, to the floor at the last step (arXiv 1608.03983, one cycle)
        wsd,     ///< constant, then linearly to the floor in the last `decay` steps (arXiv 2404.06395)
    };
    Kind kind = Kind::cosine;
    double peak = 1e-5;
    double floor = 0;  ///< share of the peak
    int64_t warmup = 0, decay = 0;
    int64_t steps = 1;

    /// @param step 1 for the first, up to `steps`
    double at(int64_t step) const;
    /// @throws InputError for phases that are longer than the run
    void check() const;
};

}  // namespace tritonsmith::train
