#include "train/policy/policy_loss.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

namespace tritonsmith::train {
namespace {

struct Term {
    at::Tensor values, derivatives;
};

/// The derivative by log π is that of the unclipped term where it is the greater one, else 0.
Term clipped_term(const PolicyLossSettings& settings, const at::Tensor& advantages, const at::Tensor& ratios,
                  at::Tensor& clipped) {
    const at::Tensor free = -advantages * ratios;
    const at::Tensor bound = -advantages * ratios.clamp(1 - settings.clip_low, 1 + settings.clip_high);
    clipped = bound > free;
    Term term{at::maximum(free, bound), free};
    if (settings.dual_clip > 0) {
        const at::Tensor most = -advantages * settings.dual_clip;
        const at::Tensor above = (advantages < 0).logical_and(term.values > most);
        term.values = at::where(above, most, term.values);
        clipped = clipped.logical_or(above);
    }
    term.derivatives = free.masked_fill(clipped, 0);
    return term;
}

Term cispo_term(const PolicyLossSettings& settings, const at::Tensor& advantages, const at::Tensor& ratios,
                const at::Tensor& log_probabilities, at::Tensor& clipped) {
    const at::Tensor bounded = ratios.clamp(1 - settings.clip_low, 1 + settings.clip_high);
    clipped = bounded != ratios;
    const at::Tensor derivatives = -bounded * advantages;
    return {derivatives * log_probabilities, derivatives};
}

Term divergence(PolicyLossSettings::Kl form, const at::Tensor& delta) {
    switch (form) {
        case PolicyLossSettings::Kl::k1:
            return {delta, at::ones_like(delta)};
        case PolicyLossSettings::Kl::k2:
            return {delta.square() / 2, delta};
        case PolicyLossSettings::Kl::k3:
            break;
    }
    const at::Tensor ratio = (-delta).exp();
    return {ratio + delta - 1, 1 - ratio};
}

at::Tensor narrowed(const at::Tensor& tensor, int64_t first, int64_t count) {
    return tensor.defined() ? tensor.narrow(0, first, count) : tensor;
}

}  // namespace

PolicyTokens PolicyTokens::narrow(int64_t first, int64_t count) const {
    const auto part = [&](const at::Tensor& tensor) { return narrowed(tensor, first, count); };
    return {part(advantages), part(weights),   part(kl_weights),         part(old),
            part(rollout),    part(reference), part(sequence_log_ratios)};
}

PolicyTerms policy_terms(const PolicyLossSettings& settings, const PolicyTokens& tokens,
                         const at::Tensor& log_probabilities) {
    const at::Tensor old = tokens.old.defined() ? tokens.old : log_probabilities;
    const bool by_sequence =
        settings.ratio == PolicyLossSettings::Ratio::sequence && tokens.sequence_log_ratios.defined();
    const at::Tensor ratios = (by_sequence ? tokens.sequence_log_ratios : log_probabilities - old).exp();
    PolicyTerms terms;
    const Term term = settings.objective == PolicyLossSettings::Objective::clip
                          ? clipped_term(settings, tokens.advantages, ratios, terms.clipped)
                          : cispo_term(settings, tokens.advantages, ratios, log_probabilities, terms.clipped);
    at::Tensor weights = tokens.weights;
    if (settings.importance_cap > 0)
        weights = weights * (old - tokens.rollout).exp().clamp_max(settings.importance_cap);
    terms.losses = weights * term.values;
    terms.gradients = weights * term.derivatives;
    if (settings.kl > 0) {
        const Term kl = divergence(settings.kl_form, log_probabilities - tokens.reference);
        const at::Tensor factors = tokens.kl_weights * settings.kl;
        terms.losses = terms.losses + factors * kl.values;
        terms.gradients = terms.gradients + factors * kl.derivatives;
        terms.divergences = kl.values;
    }
    return terms;
}

at::Tensor sequence_log_ratios(const at::Tensor& log_probabilities, const at::Tensor& old,
                               const at::Tensor& sequences, int64_t count) {
    const at::Tensor differences = log_probabilities - old;
    const at::Tensor sums = at::zeros({count}, differences.options()).index_add_(0, sequences, differences);
    const at::Tensor lengths =
        at::zeros({count}, differences.options()).index_add_(0, sequences, at::ones_like(differences));
    return (sums / lengths.clamp_min(1)).index_select(0, sequences);
}

}  // namespace tritonsmith::train
