#include "model/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tritonsmith::model {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Json fields(const Json& more) {
    Json json = {{"model_type", "qwen3"},       {"vocab_size", 100},
                 {"hidden_size", 64},           {"intermediate_size", 128},
                 {"num_hidden_layers", 2},      {"num_attention_heads", 4},
                 {"num_key_value_heads", 2},    {"head_dim", 16},
                 {"rms_norm_eps", 1e-5},        {"max_position_embeddings", 512},
                 {"tie_word_embeddings", true}, {"torch_dtype", "bfloat16"}};
    if (more.is_object()) json.update(more);  // {} is null
    return json;
}

Config parse(const Json& more) {
    return parse_config(fields(more), "config.json");
}

std::string refusal(const Json& more) {
    try {
        parse(more);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Config, Families) {
    const Config qwen3 = parse({});
    EXPECT_TRUE(qwen3.qk_norm && qwen3.tied_embeddings && !qwen3.qkv_bias && !qwen3.output_bias);
    EXPECT_EQ(qwen3.dtype, "bfloat16");
    EXPECT_EQ(qwen3.rope_theta, 10000);
    const Config qwen2 =
        parse({{"model_type", "qwen2"}, {"head_dim", nullptr}, {"num_key_value_heads", nullptr}});
    EXPECT_TRUE(qwen2.qkv_bias && !qwen2.output_bias && !qwen2.qk_norm);
    EXPECT_EQ(qwen2.head_dim, 16);
    EXPECT_EQ(qwen2.kv_heads, 4);
    const Config llama =
        parse({{"model_type", "llama"}, {"attention_bias", true}, {"mlp_bias", true}, {"dtype", "float16"}});
    EXPECT_TRUE(llama.qkv_bias && llama.output_bias && llama.mlp_bias && !llama.qk_norm);
    EXPECT_EQ(llama.dtype, "float16") << "dtype is the newer name";
}

TEST(Config, Sizes) {
    Config config = parse({});
    const int64_t layer = 64 * (64 + 32 + 32) + 64 * 64 + 3 * 64 * 128 + 2 * 64 + 2 * 16;
    EXPECT_EQ(config.parameters(), 2 * layer + 64 + 100 * 64);
    config.tied_embeddings = false;
    EXPECT_EQ(config.parameters(), 2 * layer + 64 + 2 * 100 * 64);
    EXPECT_EQ(config.kv_bytes_per_token(2), 2 * 2 * 2 * 16 * 2);
}

TEST(Config, RopeInOldAndNewForm) {
    const Json scaling = {{"rope_type", "llama3"},
                          {"factor", 8},
                          {"low_freq_factor", 1},
                          {"high_freq_factor", 4},
                          {"original_max_position_embeddings", 8192}};
    Json inner = scaling;
    inner["rope_theta"] = 5e5;
    for (const Json& json :
         {Json{{"rope_theta", 5e5}, {"rope_scaling", scaling}}, Json{{"rope_parameters", inner}}}) {
        const Config config = parse(json);
        EXPECT_EQ(config.rope_theta, 5e5);
        EXPECT_EQ(config.rope.kind, RopeScaling::Kind::llama3);
        EXPECT_EQ(config.rope.factor, 8);
        EXPECT_EQ(config.rope.original_positions, 8192);
    }
    const Config yarn = parse(
        {{"rope_scaling", {{"type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 32768}}}});
    EXPECT_EQ(yarn.rope.kind, RopeScaling::Kind::yarn);
    EXPECT_EQ(yarn.rope.beta_fast, 32);
    EXPECT_FALSE(yarn.rope.attention_factor.has_value());
    EXPECT_EQ(parse({{"rope_scaling", {{"rope_type", "default"}}}}).rope.kind, RopeScaling::Kind::none);
}

TEST(Config, WrittenAndReadAgain) {
    for (const Json& json :
         {Json{}, Json{{"model_type", "qwen2"}}, Json{{"model_type", "llama"}, {"mlp_bias", true}},
          Json{{"rope_scaling",
                {{"rope_type", "yarn"}, {"factor", 3.0}, {"attention_factor", 1.2}, {"truncate", false}}}}}) {
        const Config config = parse(json);
        const Json written = config_json(config);
        EXPECT_EQ(config_json(parse_config(written, "config.json")), written);
    }
}

TEST(Config, UnsupportedFieldsAreRefusedWithTheirName) {
    EXPECT_EQ(refusal({}), "");
    EXPECT_THAT(refusal({{"model_type", "mixtral"}}),
                AllOf(HasSubstr("config.json"), HasSubstr("mixtral"), HasSubstr("qwen3")));
    EXPECT_THAT(refusal({{"model_type", 3}}), HasSubstr("model_type"));
    EXPECT_THAT(refusal({{"num_experts", 64}}), HasSubstr("num_experts"));
    EXPECT_THAT(refusal({{"quantization_config", {{"bits", 4}}}}), HasSubstr("quantization_config"));
    EXPECT_THAT(refusal({{"hidden_act", "gelu"}}), HasSubstr("hidden_act"));
    EXPECT_THAT(refusal({{"rope_scaling", {{"rope_type", "dynamic"}, {"factor", 2}}}}), HasSubstr("dynamic"));
    EXPECT_THAT(refusal({{"rope_scaling", {{"rope_type", "yarn"}, {"factor", 2}, {"mscale", 1}}}}),
                HasSubstr("mscale"));
    EXPECT_THAT(refusal({{"rope_parameters", {{"full_attention", {{"rope_type", "default"}}}}}}),
                HasSubstr("layer"));
    EXPECT_THAT(refusal({{"partial_rotary_factor", 0.5},
                         {"rope_scaling", {{"rope_type", "default"}, {"partial_rotary_factor", 0.5}}}}),
                HasSubstr("partial_rotary_factor"));
    EXPECT_THAT(refusal({{"layer_types", {"full_attention", "sliding_attention"}}}),
                HasSubstr("layer_types"));
    EXPECT_THAT(refusal({{"use_sliding_window", true}, {"sliding_window", 8}, {"max_window_layers", 1}}),
                HasSubstr("use_sliding_window"));
    EXPECT_EQ(refusal({{"use_sliding_window", true}, {"sliding_window", 8}, {"max_window_layers", 2}}), "")
        << "no layer has a window";
    EXPECT_EQ(refusal({{"use_sliding_window", false}, {"sliding_window", 8}, {"max_window_layers", 1}}), "");
    EXPECT_THAT(refusal({{"dtype", "float8"}}), HasSubstr("dtype"));
}

TEST(Config, NumbersAreHeldToTheirRange) {
    for (const char* name :
         {"vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads",
          "num_key_value_heads", "head_dim", "max_position_embeddings"}) {
        for (const Json& value : {Json(-1), Json(0), Json(1LL << 40), Json(UINT64_MAX), Json(2.5), Json("7"),
                                  Json(true), Json(Json::array())})
            EXPECT_THAT(refusal({{name, value}}), HasSubstr(name)) << value;
    }
    EXPECT_THAT(refusal({{"num_key_value_heads", 3}}), HasSubstr("multiple"));
    EXPECT_THAT(refusal({{"head_dim", 15}}), HasSubstr("even"));
    EXPECT_THAT(refusal({{"model_type", "llama"}, {"head_dim", nullptr}, {"hidden_size", 66}}),
                HasSubstr("multiple"));
    EXPECT_THAT(refusal({{"rope_theta", -1}}), HasSubstr("rope_theta"));
    EXPECT_THAT(refusal({{"rms_norm_eps", "x"}}), HasSubstr("rms_norm_eps"));
    EXPECT_THROW(parse_config(Json::array(), "config.json"), InputError);
    EXPECT_THROW(load_config("/nonexistent"), InputError);
}

}  // namespace
}  // namespace tritonsmith::model
