#include "model/model.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/DeviceGuard.h>

#include "model/rope_table.h"
#include "model/weights/quantised_files.h"
#include "model/weights/weight_places.h"
#include "model/weights/weights_io.h"

namespace tritonsmith::model {

struct ModelState {
    Config config;
    Json json;  ///< config.json, with all that others may have written into it
    Model::Options options;
    Weights weights;
    const Operators* operators = nullptr;
    std::unique_ptr<RopeTable> rope;  ///< on the CPU
    RopeAngles table;                 ///< of all positions, on other devices

    at::ScalarType activations() const { return operators->activations(options.dtype); }
    RopeAngles angles(const at::Tensor& positions) const {
        return rope != nullptr ? rope->angles(positions) : RopeAngles{table.cos, table.sin, positions};
    }
};

namespace {

const Operators& operators_of(const Model::Options& options) {
    if (options.plain) return aten_operators(options.exact);
    return options.device.is_cpu() ? cpu_operators() : cuda_operators(options.exact);
}

std::unique_ptr<ModelState> prepare(const Config& config, Json json, Model::Options options) {
    check_options(options);
    if (!options.device.is_cpu() && !options.device.has_index()) options.device.set_index(0);
    auto state = std::make_unique<ModelState>();
    state->config = config;
    state->json = std::move(json);
    state->options = options;
    state->operators = &operators_of(options);
    const RopeFrequencies frequencies = rope_frequencies(config);
    if (options.device.is_cpu()) {
        state->rope = std::make_unique<RopeTable>(frequencies, state->activations());
    } else {
        const RopeRows rows = rope_rows(frequencies, at::arange(config.positions), state->activations());
        state->table = {rows.cos.to(options.device), rows.sin.to(options.device), {}};
    }
    return state;
}

}  // namespace

Model::Model(std::unique_ptr<ModelState> state) : state_(std::move(state)) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

Model Model::load(const std::filesystem::path& folder, const Options& options) {
    const at::NoGradGuard no_grad;
    Json json = read_config_json(folder);
    const Config config = parse_config(json, (folder / "config.json").string());
    auto state = prepare(config, std::move(json), options);
    state->weights = load_weights(folder, config, state->options);
    state->options.loaded = {};
    return Model(std::move(state));
}

Model Model::random(const Config& config, const Options& options, uint64_t seed) {
    const at::NoGradGuard no_grad;
    Json json = config_json(config);
    // What was put together by hand is held to the same rules.
    const Config checked = parse_config(json, "the configuration");
    auto state = prepare(checked, std::move(json), options);
    state->weights = random_weights(checked, state->options, seed);
    state->options.loaded = {};
    return Model(std::move(state));
}

Model Model::sharing(const Options& options) const {
    auto state = prepare(state_->config, state_->json, options);
    const Options &wanted = state->options, &own = state_->options;
    if (wanted.device != own.device || wanted.dtype != own.dtype ||
        (own.device.is_cpu() && own.dtype != at::kFloat))
        throw InputError("weights can be shared on one device in one dtype, and on the CPU in float32 alone");
    state->weights = state_->weights;
    return Model(std::move(state));
}

Model Model::copy() const {
    const at::NoGradGuard no_grad;
    auto state = prepare(state_->config, state_->json, state_->options);
    state->weights = state_->weights;
    for (const WeightPlace& place : weight_places(state->config, state->weights)) {
        if (place.matrix != nullptr && (!place.matrix->values.defined() || place.matrix->scales.defined()))
            throw InputError("only weights in float32, bfloat16 or float16, row by row, can be copied");
        at::Tensor& tensor = place.matrix != nullptr ? place.matrix->values : *place.vector;
        tensor = tensor.clone();
    }
    if (state->config.tied_embeddings) state->weights.head = state->weights.embedding;
    return Model(std::move(state));
}

std::vector<at::Tensor> Model::tensors() const {
    Weights handles = state_->weights;
    std::vector<at::Tensor> tensors;
    for (const WeightPlace& place : weight_places(state_->config, handles))
        tensors.push_back(place.matrix != nullptr ? place.matrix->values : *place.vector);
    return tensors;
}

at::Tensor Model::forward(const at::Tensor& tokens, const at::Tensor& positions, Attention& attention) const {
    const at::NoGradGuard no_grad;
    const c10::OptionalDeviceGuard device(state_->options.device);
    const Operators& ops = *state_->operators;
    const Config& config = state_->config;
    const Heads heads = this->heads();
    const at::ScalarType dtype = activations();
    const RopeAngles angles = state_->angles(positions);

    at::Tensor residual = ops.embedding(state_->weights.embedding, tokens, dtype);
    at::Tensor normed =
        ops.rms_norm(residual, state_->weights.layers.front().input_norm, config.norm_epsilon);
    at::Tensor attended = at::empty({tokens.size(0), heads.queries * heads.width}, residual.options());
    for (int i = 0; i < config.layers; ++i) {
        const LayerWeights& layer = state_->weights.layers[static_cast<size_t>(i)];
        at::Tensor qkv = ops.linear(normed, layer.qkv, layer.qkv_bias, dtype);
        const std::optional<PagedCache> cache = attention.cache(i);
        ops.rotate(qkv, heads, layer.q_norm, layer.k_norm, config.norm_epsilon, angles,
                   cache ? &*cache : nullptr);
        attention.attend(i, qkv, attended);
        const at::Tensor output = ops.linear(attended, layer.output, layer.output_bias, dtype);
        normed = ops.add_rms_norm(residual, output, layer.post_norm, config.norm_epsilon);
        const at::Tensor gated = ops.silu_mul(ops.linear(normed, layer.gate_up, layer.gate_up_bias, dtype));
        const at::Tensor down = ops.linear(gated, layer.down, layer.down_bias, dtype);
        const bool last = i + 1 == config.layers;
        const at::Tensor& next =
            last ? state_->weights.norm : state_->weights.layers[static_cast<size_t>(i) + 1].input_norm;
        normed = ops.add_rms_norm(residual, down, next, config.norm_epsilon);
    }
    return normed;
}

at::Tensor Model::logits(const at::Tensor& hidden) const {
    const at::NoGradGuard no_grad;
    const c10::OptionalDeviceGuard device(state_->options.device);
    return state_->operators->linear(hidden.contiguous(), state_->weights.head, {}, at::kFloat);
}

void Model::save(const std::filesystem::path& folder, const SaveOptions& options) const {
    Json json = state_->json;
    json.erase("quantization_config");
    if (options.int8_matrices) json["quantization_config"] = int8_quantization_config();
    const at::ScalarType dtype = state_->options.dtype;
    json["torch_dtype"] = dtype == at::kFloat  ? "float32"
                          : dtype == at::kHalf ? "float16"
                                               : "bfloat16";  // which old and new readers know
    json.erase("dtype");
    save_weights(folder, state_->config, json, state_->weights, dtype, options);
}

const Config& Model::config() const {
    return state_->config;
}
const Model::Options& Model::options() const {
    return state_->options;
}
const Weights& Model::weights() const {
    return state_->weights;
}
at::ScalarType Model::activations() const {
    return state_->activations();
}
Heads Model::heads() const {
    return {state_->config.heads, state_->config.kv_heads, state_->config.head_dim};
}

}  // namespace tritonsmith::model
