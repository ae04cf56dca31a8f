#pragma once

#include "kernels/dtype.h"

/// Arguments of the kernels that only training needs; arguments.h says what holds for all. Derivatives are
/// computed in float32 and rounded once. Sums over rows (of weights' gradients) are in an order that depends
/// on the number of rows and on `parts` only.
namespace tritonsmith::kernels {

/// The derivative of RmsNorm. With n = x / sqrt(mean(x²) + epsilon), g the gradient and w the weight:
/// out = added + (w g - n mean(w g n)) / sqrt(mean(x²) + epsilon).
struct RmsNormBackward {
    void* out = nullptr;             ///< [rows, dim]; may be gradient or added
    const void* gradient = nullptr;  ///< [rows, dim]
    const void* x = nullptr;         ///< [rows, dim]
    const void* weight = nullptr;    ///< [dim]
    const void* added = nullptr;     ///< [rows, dim], or null: 0
    float* weight_gradients =
        nullptr;                ///< [parts, dim]: their sum over parts is the weight's gradient, sum g n
    int32_t rows = 0, dim = 0;  ///< dim: at most 32768
    int32_t parts = 0;          ///< blocks, at least 1
    float epsilon = 1e-6f;
    DType dtype = DType::bf16;
};

/// The derivative of RotateAndStore's norms and rotation, in place; values' gradients stay as they are.
struct RotateBackward {
    void* gradient = nullptr;        ///< [tokens, (heads + 2 kv_heads) * head_dim]
    const void* qkv = nullptr;       ///< the same, before the norms; null where there are none
    const void* q_weight = nullptr;  ///< [head_dim], null: no norm of queries
    const void* k_weight = nullptr;
    float epsilon = 1e-6f;
    const float* cosines = nullptr;  ///< [table_positions, head_dim / 2]
    const float* sines = nullptr;
    const int64_t* positions = nullptr;  ///< [tokens], within the table
    float* weight_gradients =
        nullptr;  ///< [parts, heads + kv_heads, head_dim]; null where there are no norms
    int32_t tokens = 0, heads = 0, kv_heads = 0, head_dim = 0;
    int32_t parts = 0;  ///< at least 1
    DType dtype = DType::bf16;
};

/// The derivative of SiluMul.
struct SiluMulBackward {
    void* out = nullptr;             ///< [rows, 2 width]: of gates, then of ups; may be gate_up
    const void* gradient = nullptr;  ///< [rows, width]
    const void* gate_up = nullptr;   ///< [rows, 2 width]
    int32_t rows = 0, width = 0;
    DType dtype = DType::bf16;
};

/// dL/dlogits, where L depends on the log-probabilities of targets and on the rows' normalisers:
/// out[j] = exp(logits[j] - normaliser) (n - t) + (j == target ? t : 0).
struct LogitsGradient {
    void* out = nullptr;                 ///< [rows, vocabulary] of `dtype`
    const float* logits = nullptr;       ///< [rows, vocabulary]
    const float* normalisers = nullptr;  ///< [rows]: logsumexp of the logits
    const int64_t* targets = nullptr;    ///< [rows], within the vocabulary
    const float* t = nullptr;            ///< [rows]: dL by the targets' log-probabilities
    const float* n = nullptr;            ///< [rows]: dL by the normalisers; null: 0
    int32_t rows = 0, vocabulary = 0;
    DType dtype = DType::bf16;
};

/// One step of AdamW on a part of a tensor, as train::Optimizer computes it. What is kept in bf16 is rounded
/// stochastically by SplitMix64 of (start of its stream, element), as train::round_stochastically does; but
/// the value to nearest where there is a float32 copy of it.
struct AdamW {
    void* value = nullptr;           ///< [count] of value_dtype
    const void* gradient = nullptr;  ///< [count] of gradient_dtype
    void* first = nullptr;           ///< [count] of state_dtype: mean of gradients
    void* second = nullptr;          ///< [count] of state_dtype: mean of their squares
    float* master = nullptr;         ///< [count], or null
    int64_t count = 0;
    int64_t first_element = 0;  ///< index of the part's first element in the tensor
    float gradient_scale = 1, beta1 = 0.9f, beta2 = 0.95f, epsilon = 1e-8f;
    float decay = 1;        ///< that the value is multiplied with
    float rate = 0;         ///< learning rate / (1 - beta1^step)
    float second_root = 1;  ///< sqrt(1 - beta2^step)
    uint64_t value_stream = 0, first_stream = 0, second_stream = 0;
    DType value_dtype = DType::bf16, gradient_dtype = DType::fp32,
          state_dtype = DType::fp32;  ///< bf16 or fp32
};

}  // namespace tritonsmith::kernels
