#pragma once

#include "model/config.h"
#include "model/model.h"
#include "train/network/adapters.h"
#include "train/network/attention.h"
#include "train/network/derivatives.h"

namespace tritonsmith::train {

/// What is kept of a forward pass for the backward one, and what is computed again instead. In bytes for each
/// token and layer, of 16-bit activations with h = hidden, q = queries · head_dim, k = keys · head_dim, m =
/// intermediate:
enum class Recompute {
    nothing,      ///< kept: 8 h + 6 q + 8 k + 6 m
    elementwise,  ///< norms, rotations and SwiGLU are computed again; kept: 4 h + 4 q + 4 k + 4 m
    layer,        ///< whole layers are computed again, for a third more arithmetic; kept: 2 h
};

/// One layer's activations. What is undefined is computed again by layer_backward().
struct LayerTape {
    at::Tensor input;                    ///< [n, hidden]: of the residual stream
    at::Tensor input_normed;             ///< [n, hidden]
    at::Tensor qkv;                      ///< [n, row] as projected
    at::Tensor rotated;                  ///< the same, normed and rotated
    DocumentAttention::Result attended;  ///< [n, queries · head_dim]
    at::Tensor middle;                   ///< [n, hidden]: the residual stream between attention and MLP
    at::Tensor post_normed;              ///< [n, hidden]
    at::Tensor gate_up;                  ///< [n, 2 intermediate]
    at::Tensor gated;                    ///< [n, intermediate]
};

/// What all layers share in one pass.
struct LayerContext {
    const model::Config& config;
    model::Heads heads;
    const model::Operators& operators;
    const Derivatives& derivatives;
    const DocumentAttention& attention;
    const model::RopeAngles& angles;
    double adapter_scale = 0;
};

/// @param x [n, hidden] @param tape filled with everything that was computed @param adapters null: none
/// @return [n, hidden]
at::Tensor layer_forward(const LayerContext& context, const model::LayerWeights& weights,
                         const LayerAdapters* adapters, const at::Tensor& x, LayerTape& tape);
/// Forgets what `recompute` says.
void forget(LayerTape& tape, Recompute recompute);
/// @param gradient of layer_forward()'s result @param gradients are added to; nothing is computed for those
/// that are undefined @param adapter_gradients likewise, where there are adapters @return dL/dx
at::Tensor layer_backward(const LayerContext& context, const model::LayerWeights& weights,
                          const LayerAdapters* adapters, LayerTape& tape, const at::Tensor& gradient,
                          model::LayerWeights& gradients, LayerAdapters* adapter_gradients);

}  // namespace tritonsmith::train
