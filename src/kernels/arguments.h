#pragma once

#include <cstdint>

#include "kernels/dtype.h"
#include "kernels/element_arguments.h"
#include "kernels/training_arguments.h"

/// Arguments of the library libtritonsmith-kernels.so: plain structures of device pointers, sizes and
/// strides, so that neither side needs the other's compiler or torch. Strides count elements. Pointers are
/// 16-byte aligned, and the innermost dimension is contiguous. Kernels are enqueued on the given stream and
/// neither allocate nor wait, so all can be captured into CUDA graphs, once each has run outside of one (CUDA
/// loads a kernel when it is first launched). A row's result never depends on the other rows of the call, bit
/// for bit, nor on how many there are (of attention: where `split_size` is given and not chosen by the
/// batch).
namespace tritonsmith::kernels {

/// out = x / sqrt(mean(x²) + epsilon) · weight. Rounded where transformers rounds: after the division, and at
/// the end.
struct RmsNorm {
    void* out = nullptr;                   ///< [rows, dim]
    const void* x = nullptr;               ///< [rows, dim]; may be out
    const void* weight = nullptr;          ///< [dim]
    int64_t out_stride = 0, x_stride = 0;  ///< of rows
    int32_t rows = 0, dim = 0;
    float epsilon = 1e-6f;
    DType dtype = DType::bf16;
};

/// residual += x (rounded), then out = norm of residual as in RmsNorm.
struct AddRmsNorm {
    void* out = nullptr;           ///< [rows, dim], contiguous
    void* residual = nullptr;      ///< [rows, dim], contiguous, updated
    const void* x = nullptr;       ///< [rows, dim], contiguous; may be out
    const void* weight = nullptr;  ///< [dim]
    int32_t rows = 0, dim = 0;
    float epsilon = 1e-6f;
    DType dtype = DType::bf16;
};

/// For each token, in place: RMSNorm of each head of queries and keys (if there are weights), RoPE on
/// halves (NeoX, as transformers' rotate_half, rounded where it rounds), and keys and values into one layer's
/// paged cache.
///
/// With scales the cache holds e4m3 (a byte each, scaled by head and token: scale = greatest magnitude / 448,
/// in float32; a head whose elements all are below 2^-100 becomes zeros of scale 0). Keys and values that
/// are stored are rounded in qkv in the same way, so that attention to these rows sees what it would read
/// from the cache, and no result depends on how a prompt was divided.
struct RotateAndStore {
    void* qkv = nullptr;  ///< [tokens, (heads + 2 kv_heads) * head_dim]
    int64_t qkv_stride = 0;
    const void* q_weight = nullptr;  ///< [head_dim], null: no norm of queries
    const void* k_weight = nullptr;
    float epsilon = 1e-6f;
    const float* cosines = nullptr;  ///< [table_positions, head_dim / 2]
    const float* sines = nullptr;
    const int64_t* positions = nullptr;  ///< [tokens]; beyond the table: its last row
    const int64_t* slots = nullptr;  ///< [tokens], block * block_size + offset; negative or null: not stored
    void* k_cache = nullptr;         ///< [blocks, block_size, kv_heads, head_dim]
    void* v_cache = nullptr;
    float* k_scales = nullptr;  ///< [blocks, kv_heads, block_size]; null, as v_scales: elements of `dtype`
    float* v_scales = nullptr;
    int64_t cache_block_stride = 0;  ///< block_size * kv_heads * head_dim if blocks are contiguous
    int32_t tokens = 0, heads = 0, kv_heads = 0, head_dim = 0, block_size = 0, table_positions = 0;
    DType dtype = DType::bf16;
};

/// out = silu(gate) · up, rounded after silu and at the end.
struct SiluMul {
    void* out = nullptr;            ///< [rows, width]
    const void* gate_up = nullptr;  ///< [rows, 2 width]: gates, then ups
    int64_t out_stride = 0, gate_up_stride = 0;
    int32_t rows = 0, width = 0;
    DType dtype = DType::bf16;
};

/// Rounds rows to e4m3, each with a scale, like RotateAndStore's heads: scale = greatest magnitude / 448, or
/// 0 if all elements are below 2^-100.
struct QuantiseRows {
    void* out = nullptr;      ///< [rows, dim] of e4m3, a byte each, contiguous
    float* scales = nullptr;  ///< [rows]
    const void* x = nullptr;  ///< [rows, dim]
    int64_t x_stride = 0;
    int32_t rows = 0, dim = 0;
    DType dtype = DType::bf16;  ///< of x
};

/// For a row of a batch: the adjacent rows, this one among them, whose leading parts
/// (DecodeAttention::split_size tokens each) are in the same blocks. These parts are read once for all of
/// them.
struct SharedPrefix {
    int32_t first_row = 0;  ///< of the adjacent rows; a row that shares nothing: itself, 1, 0
    int32_t rows = 1;       ///< rows * heads / kv_heads is at most 16
    int32_t parts = 0;      ///< every row's length is greater than parts * split_size
};

/// One query for each sequence against its keys and values in the paged cache, of one layer. A sequence is
/// divided into parts of `split_size` tokens that are computed separately and then merged in order: the
/// result depends on its length and split_size only. split_size 0: one part (fastest for large batches of
/// short sequences; see decode_split_size).
struct DecodeAttention {
    void* out = nullptr;      ///< [batch, heads * head_dim]
    const void* q = nullptr;  ///< [batch, heads * head_dim] of rows that may be in qkv
    int64_t out_stride = 0, q_stride = 0;
    const void* k_cache = nullptr;  ///< [blocks, block_size, kv_heads, head_dim]
    const void* v_cache = nullptr;
    /// Of a cache in e4m3, as RotateAndStore writes it: [blocks, kv_heads, block_size]; null: elements of
    /// `dtype`. Products are then of fp16, whatever `dtype` is. Not with `shared`.
    const float* k_scales = nullptr;
    const float* v_scales = nullptr;
    int64_t cache_block_stride = 0;
    const int32_t* block_table = nullptr;  ///< [batch, table_stride]
    int64_t table_stride = 0;
    const int32_t* lengths =
        nullptr;  ///< [batch] tokens in the cache, this one too; 0: the row of out becomes zeros
    int32_t batch = 0, heads = 0, kv_heads = 0;  ///< heads / kv_heads: 1 to 16
    int32_t head_dim = 0;                        ///< 32, 64, 128 or 256
    int32_t block_size = 0;                      ///< a multiple of 16
    int32_t max_length = 0;  ///< no length may be greater (the grid and the workspace are made for it)
    int32_t split_size = 0;  ///< a multiple of 16, or 0
    float scale = 0;         ///< 1 / sqrt(head_dim)
    /// [batch], device memory, or null: for samples of one prompt. Needs a split_size, and at most 8 heads
    /// for each key head; a sequence's result is the same, bit for bit, shared or not.
    const SharedPrefix* shared = nullptr;
    void* workspace = nullptr;  ///< decode_attention_workspace() bytes; need not be cleared
    int64_t workspace_bytes = 0;
    DType dtype = DType::bf16;  ///< bf16 or fp16
};

/// Bytes of DecodeAttention::workspace; 0 if nothing is split.
inline int64_t decode_attention_workspace(const DecodeAttention& a) {
    if (a.split_size <= 0 || a.max_length <= a.split_size) return 0;
    int64_t splits = (static_cast<int64_t>(a.max_length) + a.split_size - 1) / a.split_size;
    return splits * a.batch * a.heads * (a.head_dim + 2) * 4;
}

/// A split size that fills the device, if results may depend on the batch (not in exact mode). Three blocks
/// for each multiprocessor run at a time, which is enough to saturate the memory.
inline int decode_split_size(int batch, int kv_heads, int max_length, int multiprocessors) {
    const int64_t work = static_cast<int64_t>(batch) * kv_heads, wanted = 3LL * multiprocessors;
    if (work <= 0 || work >= wanted) return 0;
    const int64_t parts = (wanted + work - 1) / work;
    const int64_t size = ((max_length + parts - 1) / parts + 63) / 64 * 64;
    return size >= max_length ? 0 : static_cast<int>(size < 128 ? 128 : size);
}

/// Copies sequences from the paged cache into packed keys and values, as varlen flash attention needs them
/// for a chunk of a prompt with earlier tokens in the cache. torch 2.11's aten::_flash_attention_forward
/// takes no block table (flash_api.h has one, but libtorch_cuda.so does not export mha_varlen_fwd), so paged
/// prefill is: rotate_and_store, gather_cache with cu_seqlens of *all* keys, then _flash_attention_forward(q,
/// k, v, cu_seqlens_q, cu_seqlens_k, …, is_causal=true), whose causal mask is aligned to the last key. If no
/// sequence has earlier tokens, the qkv rows themselves are the keys and values (strides are allowed).
struct GatherCache {
    void* k = nullptr;  ///< [tokens, kv_heads, head_dim], contiguous
    void* v = nullptr;
    const void* k_cache = nullptr;
    const void* v_cache = nullptr;
    const float* k_scales = nullptr;  ///< [blocks, kv_heads, block_size] of a cache in e4m3, else null
    const float* v_scales = nullptr;
    int64_t cache_block_stride = 0;
    const int32_t* block_table = nullptr;  ///< [sequences, table_stride]
    int64_t table_stride = 0;
    const int32_t* cu_seqlens = nullptr;  ///< [sequences + 1], of keys, from 0
    int32_t sequences = 0;
    int32_t tokens = 0;  ///< cu_seqlens[sequences], or more: rows beyond it are not written
    int32_t kv_heads = 0, head_dim = 0, block_size = 0;
    DType dtype = DType::bf16;
};

/// How one row's token is drawn; made by draw_row() in sampling.h, which explains the rule.
struct DrawRow {
    uint64_t seed = 0;
    uint64_t top_p = 0;         ///< in units of 2^-64; 0: no cut
    float scale = 0;            ///< distance units per logit; 0: the greatest logit, of the lowest index
    uint32_t top_k = 0;         ///< 0: no cut
    uint32_t max_distance = 0;  ///< from min-p
    uint32_t sample = 0;
    uint32_t position = 0;
    uint32_t reserved = 0;
};

struct SampleTokens {
    const void* logits = nullptr;  ///< [rows, vocabulary]
    int64_t logits_stride = 0;
    const DrawRow* draws = nullptr;    ///< [rows], device memory
    int64_t* tokens = nullptr;         ///< [rows]; -1 if no logit is finite
    float* logprobs = nullptr;         ///< [rows]: at temperature 1, before any cut; NaN if the token is -1
    int32_t rows = 0, vocabulary = 0;  ///< vocabulary: at most 2^22
    DType dtype = DType::fp32;
};

/// logprobs[i] = logits[i, targets[i]] - logsumexp(logits[i]).
struct LogProbabilities {
    const void* logits = nullptr;  ///< [rows, vocabulary]
    int64_t logits_stride = 0;
    const int64_t* targets = nullptr;  ///< [rows]; out of range: NaN
    float* logprobs = nullptr;         ///< [rows]
    float* logsumexp = nullptr;        ///< [rows], may be null
    int32_t rows = 0, vocabulary = 0;
    DType dtype = DType::fp32;
};

}  // namespace tritonsmith::kernels
