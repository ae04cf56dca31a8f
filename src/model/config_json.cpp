#include "model/config.h"

namespace tritonsmith::model {
namespace {

Json rope_json(const Config& config) {
    const RopeScaling& rope = config.rope;
    switch (rope.kind) {
        case RopeScaling::Kind::none:
            return nullptr;
        case RopeScaling::Kind::linear:
            return {{"rope_type", "linear"}, {"factor", rope.factor}};
        case RopeScaling::Kind::llama3:
            return {{"rope_type", "llama3"},
                    {"factor", rope.factor},
                    {"low_freq_factor", rope.low_frequency},
                    {"high_freq_factor", rope.high_frequency},
                    {"original_max_position_embeddings", rope.original_positions}};
        case RopeScaling::Kind::yarn:
            break;
    }
    Json yarn = {
        {"rope_type", "yarn"},         {"factor", rope.factor},
        {"beta_fast", rope.beta_fast}, {"beta_slow", rope.beta_slow},
        {"truncate", rope.truncate},   {"original_max_position_embeddings", rope.original_positions}};
    if (rope.attention_factor) yarn["attention_factor"] = *rope.attention_factor;
    return yarn;
}

const char* architecture(const std::string& family) {
    if (family == "llama") return "LlamaForCausalLM";
    return family == "qwen2" ? "Qwen2ForCausalLM" : "Qwen3ForCausalLM";
}

}  // namespace

Json config_json(const Config& config) {
    Json json = {{"architectures", {architecture(config.family)}},
                 {"model_type", config.family},
                 {"vocab_size", config.vocabulary},
                 {"hidden_size", config.hidden},
                 {"intermediate_size", config.intermediate},
                 {"num_hidden_layers", config.layers},
                 {"num_attention_heads", config.heads},
                 {"num_key_value_heads", config.kv_heads},
                 {"head_dim", config.head_dim},
                 {"hidden_act", "silu"},
                 {"rms_norm_eps", config.norm_epsilon},
                 {"rope_theta", config.rope_theta},
                 {"rope_scaling", rope_json(config)},
                 {"max_position_embeddings", config.positions},
                 {"tie_word_embeddings", config.tied_embeddings},
                 {"torch_dtype", config.dtype},
                 {"bos_token_id", nullptr},
                 {"eos_token_id", nullptr}};
    if (config.family != "qwen2") json["attention_bias"] = config.qkv_bias;
    if (config.family == "llama") json["mlp_bias"] = config.mlp_bias;
    return json;
}

}  // namespace tritonsmith::model
