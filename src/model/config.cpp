#include "model/config.h"

#include <fmt/format.h>

#include "base/json.h"
#include "base/process/files.h"
#include "model/json_fields.h"
#include "model/weights/quantised_files.h"

namespace tritonsmith::model {
namespace {

constexpr int most_width =
    1 << 18;  // of hidden and intermediate: ten times what any model of these families has

double default_theta(const JsonFields& fields) {
    return fields.number_or("rope_theta", 10000.0, 1.0, 1e12);
}

RopeScaling::Kind kind_of_rope(const JsonFields& rope) {
    const std::string kind = rope.text_or("rope_type", rope.text_or("type", "default"));
    if (kind == "default") return RopeScaling::Kind::none;
    if (kind == "linear") return RopeScaling::Kind::linear;
    if (kind == "llama3") return RopeScaling::Kind::llama3;
    if (kind == "yarn") return RopeScaling::Kind::yarn;
    rope.wrong(
        fmt::format("rope_type \"{}\" is not supported: it must be default, linear, llama3 or yarn", kind));
}

RopeScaling read_scaling(const JsonFields& rope, const JsonFields& fields, int positions) {
    RopeScaling scaling;
    scaling.kind = kind_of_rope(rope);
    if (rope.number_or("partial_rotary_factor", 1.0, 0, 1e6) != 1.0)
        rope.wrong("partial_rotary_factor must be 1: rotating a part of each head is not supported");
    if (scaling.kind == RopeScaling::Kind::none) return scaling;
    scaling.original_positions = static_cast<int>(fields.integer_or(
        "original_max_position_embeddings",
        rope.integer_or("original_max_position_embeddings", positions, 1, 1 << 28), 1, 1 << 28));
    if (scaling.kind == RopeScaling::Kind::yarn && !rope.has("factor"))
        scaling.factor = static_cast<double>(positions) / scaling.original_positions;
    else
        scaling.factor = rope.number("factor", 1e-3, 1e6);
    if (scaling.kind == RopeScaling::Kind::llama3) {
        scaling.low_frequency = rope.number("low_freq_factor", 1e-6, 1e6);
        scaling.high_frequency = rope.number("high_freq_factor", 1e-6, 1e6);
        if (scaling.high_frequency <= scaling.low_frequency)
            rope.wrong("high_freq_factor must be greater than low_freq_factor");
    } else if (scaling.kind == RopeScaling::Kind::yarn) {
        if (rope.has("mscale") || rope.has("mscale_all_dim"))
            rope.wrong("mscale and mscale_all_dim (DeepSeek's models) are not supported");
        // transformers treats 0 as absent.
        const double fast = rope.number_or("beta_fast", 0, 0, 1e6),
                     slow = rope.number_or("beta_slow", 0, 0, 1e6);
        if (fast != 0) scaling.beta_fast = fast;
        if (slow != 0) scaling.beta_slow = slow;
        if (rope.has("attention_factor"))
            scaling.attention_factor = rope.number("attention_factor", 1e-3, 1e3);
        scaling.truncate = rope.boolean_or("truncate", true);
    }
    return scaling;
}

void read_rope(const JsonFields& fields, Config& config) {
    config.rope_theta = default_theta(fields);
    const char* name =
        fields.has("rope_scaling") ? "rope_scaling" : "rope_parameters";  // the order of transformers
    if (!fields.has(name)) return;
    const JsonFields rope = fields.object(name);
    for (const char* nested : {"full_attention", "sliding_attention"})
        if (rope.has(nested)) rope.wrong("frequencies that differ between layers are not supported");
    config.rope_theta = rope.number_or("rope_theta", config.rope_theta, 1.0, 1e12);
    config.rope = read_scaling(rope, fields, config.positions);
}

void refuse_unknown(const JsonFields& fields) {
    for (const char* name : {"num_experts", "num_local_experts", "n_routed_experts"})
        if (fields.has(name) && fields.value(name) != 0)
            fields.wrong(fmt::format("{}: mixtures of experts are not supported, only dense models", name));
    const std::string activation = fields.text_or("hidden_act", "silu");
    if (activation != "silu" && activation != "swish")
        fields.wrong(fmt::format("hidden_act \"{}\" is not supported: it must be silu", activation));
    if (fields.boolean_or("use_sliding_window", false) && fields.has("sliding_window")) {
        const int64_t layers = fields.integer("num_hidden_layers", 1, 4096);
        if (fields.has("layer_types") || fields.integer_or("max_window_layers", 28, 0, 1 << 20) < layers)
            fields.wrong(
                "use_sliding_window: windows are not supported; set it to false if the texts are shorter "
                "than sliding_window");
    }
    if (!fields.has("layer_types")) return;
    const Json& types = fields.value("layer_types");
    if (!types.is_array()) fields.wrong("layer_types must be a list");
    for (const Json& type : types)
        if (type != "full_attention") fields.wrong("layer_types: only \"full_attention\" is supported");
}

std::string read_dtype(const JsonFields& fields) {
    std::string dtype = fields.text_or("dtype", fields.text_or("torch_dtype", "float32"));
    if (dtype.starts_with("torch.")) dtype.erase(0, 6);
    if (dtype != "bfloat16" && dtype != "float16" && dtype != "float32")
        fields.wrong(
            fmt::format("dtype \"{}\" is not supported: it must be bfloat16, float16 or float32", dtype));
    return dtype;
}

void read_family(const JsonFields& fields, Config& config) {
    config.family = fields.text("model_type");
    if (config.family == "qwen2") {
        config.qkv_bias = true;
    } else if (config.family == "llama" || config.family == "qwen3") {
        config.qkv_bias = config.output_bias = fields.boolean_or("attention_bias", false);
        config.qk_norm = config.family == "qwen3";
        config.mlp_bias = config.family == "llama" && fields.boolean_or("mlp_bias", false);
    } else {
        fields.wrong(fmt::format("model_type \"{}\" is not supported: it must be llama, qwen2 or qwen3",
                                 config.family));
    }
}

}  // namespace

int64_t Config::parameters() const {
    const int64_t width = hidden, mlp = intermediate;
    const int64_t queries = int64_t{heads} * head_dim, qkv = queries + 2LL * kv_heads * head_dim;
    int64_t layer = qkv * width + queries * width + 3 * mlp * width + 2 * width;
    if (qkv_bias) layer += qkv;
    if (output_bias) layer += width;
    if (mlp_bias) layer += 2 * mlp + width;
    if (qk_norm) layer += 2LL * head_dim;
    return layer * layers + width + int64_t{vocabulary} * width * (tied_embeddings ? 1 : 2);
}

int64_t Config::kv_bytes_per_token(int bytes_per_element) const {
    return 2LL * layers * kv_heads * head_dim * bytes_per_element;
}

Config parse_config(const Json& json, const std::string& where) {
    const JsonFields fields(json, where);
    Config config;
    read_family(fields, config);
    refuse_unknown(fields);
    config.vocabulary = static_cast<int>(fields.integer("vocab_size", 1, 1 << 24));
    config.hidden = static_cast<int>(fields.integer("hidden_size", 1, most_width));
    config.intermediate = static_cast<int>(fields.integer("intermediate_size", 1, most_width));
    config.layers = static_cast<int>(fields.integer("num_hidden_layers", 1, 4096));
    config.heads = static_cast<int>(fields.integer("num_attention_heads", 1, 4096));
    config.kv_heads = static_cast<int>(fields.integer_or("num_key_value_heads", config.heads, 1, 4096));
    if (config.heads % config.kv_heads != 0)
        fields.wrong("num_attention_heads must be a multiple of num_key_value_heads");
    if (!fields.has("head_dim") && config.family != "qwen3" && config.hidden % config.heads != 0)
        fields.wrong("hidden_size must be a multiple of num_attention_heads if there is no head_dim");
    // qwen3's configuration has a default of its own; the others divide.
    config.head_dim = static_cast<int>(fields.integer_or(
        "head_dim", config.family == "qwen3" ? 128 : config.hidden / config.heads, 1, 4096));
    if (config.head_dim % 2 != 0) fields.wrong("head_dim must be even");
    config.norm_epsilon = fields.number_or("rms_norm_eps", 1e-6, 0, 1);
    config.positions = static_cast<int>(
        fields.integer_or("max_position_embeddings", config.family == "llama" ? 2048 : 32768, 1, 1 << 28));
    config.tied_embeddings = fields.boolean_or("tie_word_embeddings", false);
    config.dtype = read_dtype(fields);
    config.int8_matrices = has_int8_matrices(fields);
    read_rope(fields, config);
    return config;
}

Json read_config_json(const std::filesystem::path& folder) {
    const std::filesystem::path path = folder / "config.json";
    const std::string text = read_file(path, "the model's configuration", 16 << 20);
    const auto json = parse_untrusted_json(text, {.bytes = 16 << 20, .depth = 64, .values = 1 << 20});
    if (!json) throw InputError(path.string() + " is not valid JSON: download it again");
    return *json;
}

Config load_config(const std::filesystem::path& folder) {
    return parse_config(read_config_json(folder), (folder / "config.json").string());
}

}  // namespace tritonsmith::model
