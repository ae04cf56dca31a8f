#pragma once

#include "kernels/testing/machine.h"

/// GoogleTest expectations on every kernel, against plain C++ in double precision that rounds where the
/// kernel must.
namespace tritonsmith::kernels::testing {

void check_rms_norm(Machine& machine);
void check_add_rms_norm(Machine& machine);
void check_silu_mul(Machine& machine);
void check_quantise_rows(Machine& machine);
void check_rotate_and_store(Machine& machine);
void check_gather_cache(Machine& machine);
void check_decode_attention(Machine& machine);
/// A sequence's result is the same bits alone, in batches, and at other places of a batch.
void check_decode_attention_is_exact(Machine& machine, bool scaled);
/// The same bits whether rows that share their first blocks say so or not.
void check_shared_prefixes(Machine& machine);
/// The same three with a cache in e4m3.
void check_rotate_and_store_scaled(Machine& machine);
void check_gather_scaled_cache(Machine& machine);
void check_decode_scaled_attention(Machine& machine);
/// The same tokens as draw_token(), bit for bit.
void check_sample_tokens(Machine& machine);
void check_log_probabilities(Machine& machine);
/// Derivatives, against those of double precision.
void check_rms_norm_backward(Machine& machine);
void check_rotate_backward(Machine& machine);
void check_silu_mul_backward(Machine& machine);
void check_logits_gradient(Machine& machine);
void check_adamw(Machine& machine);
/// The judge's bounds and comparisons, against the formulas of numerics.
void check_count_alike(Machine& machine);
void check_element_limits(Machine& machine);
void check_compare_elements(Machine& machine);
/// Sizes that kernels do not take are refused, with a word.
void check_refusals(Machine& machine);

}  // namespace tritonsmith::kernels::testing
