#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace tritonsmith::model {

/// How RoPE's frequencies are scaled for contexts longer than the one in training.
struct RopeScaling {
    enum class Kind { none, linear, llama3, yarn };
    Kind kind = Kind::none;
    double factor = 1.0;
    int original_positions = 0;                        ///< original_max_position_embeddings
    double low_frequency = 1.0, high_frequency = 4.0;  ///< llama3: low_freq_factor, high_freq_factor
    double beta_fast = 32.0, beta_slow = 1.0;          ///< yarn
    std::optional<double> attention_factor;  ///< yarn: factor of cosines and sines; none: 0.1 ln(factor) + 1
    bool truncate = true;                    ///< yarn: the ramp's bounds are integers
};

/// A decoder-only transformer: RMSNorm, grouped-query attention with RoPE, SwiGLU. From `config.json`.
struct Config {
    std::string family;  ///< model_type: "llama", "qwen2" or "qwen3"
    int vocabulary = 0, hidden = 0, intermediate = 0, layers = 0;
    int heads = 0, kv_heads = 0, head_dim = 0;
    double norm_epsilon = 1e-6, rope_theta = 10000.0;
    RopeScaling rope;
    int positions = 0;             ///< max_position_embeddings
    bool tied_embeddings = false;  ///< lm_head is embed_tokens
    bool qkv_bias = false, output_bias = false, mlp_bias = false;
    bool qk_norm = false;            ///< RMSNorm over each head of queries and keys (Qwen3)
    std::string dtype = "bfloat16";  ///< of the file: "bfloat16", "float16" or "float32"
    bool int8_matrices = false;  ///< the file has the layers' matrices in int8 (weights/quantised_files.h)

    int64_t parameters() const;
    /// Bytes of keys and values of one token in all layers.
    int64_t kv_bytes_per_token(int bytes_per_element) const;
};

/// @throws InputError that names the file, the field and the fix (another architecture, mixture of experts,
/// sliding windows that are in use, a head that does not divide)
Config load_config(const std::filesystem::path& folder);
/// The same for JSON that was read already. @param where its name in errors
Config parse_config(const Json& json, const std::string& where);
/// The content of FOLDER/config.json. @throws InputError
Json read_config_json(const std::filesystem::path& folder);
/// A config.json with which transformers loads a model of this shape.
Json config_json(const Config& config);

}  // namespace tritonsmith::model
