#include "model/weights/weight_places.h"

#include <fmt/format.h>

namespace tritonsmith::model {
namespace {

using Role = WeightPlace::Role;

class Places {
  public:
    explicit Places(const Config& config) : config_(config) {}

    void layer(int index, LayerWeights& layer) {
        layer_ = index;
        prefix_ = fmt::format("model.layers.{}.", index);
        const int64_t width = config_.hidden, mlp = config_.intermediate;
        const int64_t queries = int64_t{config_.heads} * config_.head_dim,
                      keys = int64_t{config_.kv_heads} * config_.head_dim;
        const std::vector<Part> qkv = {
            {"self_attn.q_proj", queries}, {"self_attn.k_proj", keys}, {"self_attn.v_proj", keys}};
        const std::vector<Part> gate_up = {{"mlp.gate_proj", mlp}, {"mlp.up_proj", mlp}};
        norm("input_layernorm", width, layer.input_norm);
        matrix(qkv, width, layer.qkv);
        if (config_.qkv_bias) bias(qkv, layer.qkv_bias);
        if (config_.qk_norm) {
            norm("self_attn.q_norm", config_.head_dim, layer.q_norm);
            norm("self_attn.k_norm", config_.head_dim, layer.k_norm);
        }
        matrix({{"self_attn.o_proj", width}}, queries, layer.output);
        if (config_.output_bias) bias({{"self_attn.o_proj", width}}, layer.output_bias);
        norm("post_attention_layernorm", width, layer.post_norm);
        matrix(gate_up, width, layer.gate_up);
        if (config_.mlp_bias) bias(gate_up, layer.gate_up_bias);
        matrix({{"mlp.down_proj", width}}, mlp, layer.down);
        if (config_.mlp_bias) bias({{"mlp.down_proj", width}}, layer.down_bias);
    }

    void outside(const char* name, Matrix& matrix) {
        layer_ = -1;
        prefix_.clear();
        this->matrix({{name, config_.vocabulary}}, config_.hidden, matrix);
    }
    void last_norm(at::Tensor& tensor) {
        layer_ = -1;
        prefix_ = "model.";
        norm("norm", config_.hidden, tensor);
    }
    std::vector<WeightPlace> take() { return std::move(places_); }

  private:
    struct Part {
        const char* name;
        int64_t rows;
    };
    void matrix(const std::vector<Part>& parts, int64_t inputs, Matrix& matrix) {
        WeightPlace place{.role = Role::matrix, .stored = {}, .matrix = &matrix, .layer = layer_};
        for (const Part& part : parts)
            place.stored.push_back({prefix_ + part.name + ".weight", {part.rows, inputs}});
        places_.push_back(std::move(place));
    }
    void bias(const std::vector<Part>& parts, at::Tensor& tensor) {
        WeightPlace place{.role = Role::bias, .stored = {}, .vector = &tensor, .layer = layer_};
        for (const Part& part : parts) place.stored.push_back({prefix_ + part.name + ".bias", {part.rows}});
        places_.push_back(std::move(place));
    }
    void norm(const char* name, int64_t width, at::Tensor& tensor) {
        places_.push_back({.role = Role::norm,
                           .stored = {{prefix_ + name + ".weight", {width}}},
                           .vector = &tensor,
                           .layer = layer_});
    }

    const Config& config_;
    int layer_ = -1;
    std::string prefix_;
    std::vector<WeightPlace> places_;
};

}  // namespace

int64_t WeightPlace::rows() const {
    int64_t rows = 0;
    for (const StoredTensor& tensor : stored) rows += tensor.shape[0];
    return rows;
}

std::vector<WeightPlace> weight_places(const Config& config, Weights& weights) {
    Places places(config);
    places.outside("model.embed_tokens", weights.embedding);
    for (int i = 0; i < config.layers; ++i) places.layer(i, weights.layers[static_cast<size_t>(i)]);
    places.last_norm(weights.norm);
    if (!config.tied_embeddings) places.outside("lm_head", weights.head);
    return places.take();
}

}  // namespace tritonsmith::model
