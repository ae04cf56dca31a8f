#pragma once

#include <cstdint>

namespace tritonsmith::grpo {

/// The defaults that papers differ in. What a paper leaves open has the value that is usual for its
/// algorithm.
struct Preset {
    const char* name;
    const char* reward;
    int64_t prompts;  ///< of a step
    int group, max_tokens;
    bool dynamic;
    bool deviation;  ///< of advantages
    const char* aggregation;
    double clip_high, kl, importance_cap;
    bool overlong;
};

/// AutoTriton (arXiv 2507.05687): GRPO as in its equation; batch 64, answers up to 16384. Open there: group,
/// clip range, β, temperature; here DeepSeekMath's group and clip range (2402.03300), with β = 0.001.
inline constexpr Preset autotriton{"autotriton", "autotriton",    64,  16,    16384, false,
                                   true,         "sequence_mean", 0.2, 0.001, 0,     false};
/// TritonRL (arXiv 2510.17891): HRD, advantages without deviation; batch 32, group 4, clip range 0.2. Open
/// there: KL and temperature; here no KL.
inline constexpr Preset tritonrl{"tritonrl", "hrd",           32,  4, 16384, false,
                                 false,      "sequence_mean", 0.2, 0, 0,     false};
/// Ours: rewards that rise step by step; DAPO's clip range, sampling and penalty of length (2503.14476),
/// token mean, no deviation (Dr.GRPO, 2503.20783), truncated importance correction.
inline constexpr Preset tritonsmith{"tritonsmith", "milestones", 32,   8, 4096, true,
                                    false,         "token_mean", 0.28, 0, 2,    true};

}  // namespace tritonsmith::grpo
