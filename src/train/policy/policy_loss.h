#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace tritonsmith::train {

struct PolicyLossSettings {
    enum class Ratio : uint8_t {
        token,     ///< π / π_old of each token
        sequence,  ///< exp of its mean logarithm over the answer (GSPO, arXiv 2507.18071), by token in the
                   ///< derivative
    };
    enum class Objective : uint8_t {
        clip,   ///< max(-A r, -A clip(r, 1 - low, 1 + high)) (PPO, GRPO; DAPO: high above low)
        cispo,  ///< -sg(clip(r, 1 - low, 1 + high)) A log π (arXiv 2506.13585)
    };
    enum class Kl : uint8_t { k1, k2, k3 };  ///< δ; δ²/2; exp(-δ) + δ - 1, with δ = log π - log π_ref

    Ratio ratio = Ratio::token;
    Objective objective = Objective::clip;
    double clip_low = 0.2, clip_high = 0.2;
    double dual_clip = 0;  ///< clip: for A < 0 at most -A times this (arXiv 1912.09729); 0: none
    double kl = 0;         ///< β; 0: no reference is needed
    Kl kl_form = Kl::k3;
    double importance_cap = 0;  ///< losses are multiplied by min(π_old / π_rollout, this); 0: not at all
};

/// What is known of n tokens of answers. All float32 [n], on one device.
struct PolicyTokens {
    at::Tensor advantages;
    at::Tensor weights;     ///< factors of their losses (aggregation.h); a sum of losses is the batch's
    at::Tensor kl_weights;  ///< factors of the divergence's terms; undefined where kl is 0
    at::Tensor old;         ///< log π_old; undefined: it is π, before its first update
    at::Tensor rollout;     ///< log π_rollout; undefined where importance_cap is 0
    at::Tensor reference;   ///< log π_ref; undefined where kl is 0
    at::Tensor sequence_log_ratios;  ///< of the answer that each is of; undefined where ratios are of tokens,
                                     ///< or without `old`

    PolicyTokens narrow(int64_t first, int64_t count) const;
};

/// Of each token, float32 [n].
struct PolicyTerms {
    at::Tensor losses;       ///< weights included: their sum is the loss
    at::Tensor gradients;    ///< d loss / d log π
    at::Tensor clipped;      ///< bool: the derivative of the policy's term is cut off (CISPO: bounded)
    at::Tensor divergences;  ///< from the reference, without weights; undefined where kl is 0
};
/// @param log_probabilities log π
PolicyTerms policy_terms(const PolicyLossSettings& settings, const PolicyTokens& tokens,
                         const at::Tensor& log_probabilities);

/// The mean over each answer's tokens of log π - log π_old, for each of its tokens: PolicyTokens'.
/// @param sequences [n] int64: of 0 .. count - 1
at::Tensor sequence_log_ratios(const at::Tensor& log_probabilities, const at::Tensor& old,
                               const at::Tensor& sequences, int64_t count);

}  // namespace tritonsmith::train
