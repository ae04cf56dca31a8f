#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "model/attention.h"
#include "model/config.h"
#include "model/matrix.h"
#include "model/operators.h"

namespace tritonsmith::model {

/// Weights of one layer. Projections are adjacent, so that one product computes all of them. On the CPU norms
/// and biases are float32, elsewhere they have the weights' dtype.
struct LayerWeights {
    at::Tensor input_norm;      ///< [hidden]
    Matrix qkv;                 ///< [(heads + 2 kv_heads) * head_dim, hidden]
    at::Tensor qkv_bias;        ///< [(heads + 2 kv_heads) * head_dim], undefined where there is none
    at::Tensor q_norm, k_norm;  ///< [head_dim], undefined where there is none
    Matrix output;              ///< [hidden, heads * head_dim]
    at::Tensor output_bias;     ///< [hidden] or undefined
    at::Tensor post_norm;       ///< [hidden]
    Matrix gate_up;             ///< [2 * intermediate, hidden]: gates, then ups
    at::Tensor gate_up_bias;    ///< [2 * intermediate] or undefined
    Matrix down;                ///< [hidden, intermediate]
    at::Tensor down_bias;       ///< [hidden] or undefined
};

struct Weights {
    Matrix embedding;  ///< [vocabulary, hidden]
    std::vector<LayerWeights> layers;
    at::Tensor norm;  ///< [hidden]
    Matrix head;      ///< [vocabulary, hidden]; the embedding itself if tied
};

/// How weights are written.
struct SaveOptions {
    int64_t shard_bytes = 4LL << 30;  ///< of a file, at most
    bool int8_matrices = false;       ///< the layers' matrices in int8: weights/quantised_files.h
    /// Called before a layer's tensors are read, in order, where they are not all in memory at a time. None:
    /// they are. Not with int8_matrices.
    std::function<void(int layer)> before_layer = {};
};

struct ModelState;

/// The transformer: turns tokens into logits for sampling, scoring and training. Not responsible for
/// sequences or caches (Attention) nor for drawing tokens. forward() may be called by one thread at a time.
class Model {
  public:
    struct Options {
        at::Device device = at::kCPU;
        /// Of weights: float32, bfloat16, float16 (on CUDA), int8 (at::kChar, on the CPU: a
        /// scale for each row; an embedding that is not tied stays in bfloat16) or e4m3 (at::kFloat8_e4m3fn,
        /// on CUDA from compute capability 8.9 on: a scale for each row, and products in e4m3; embedding and
        /// head stay in bfloat16).
        at::ScalarType dtype = at::kBFloat16;
        /// A token's result does not depend on what else is in the batch, bit for bit: slower on CUDA. On the
        /// CPU it never does; there the log-probabilities of drawn tokens become those of
        /// log_probabilities().
        bool exact = false;
        /// PyTorch's operators instead of this project's, with activations in the weights' dtype: for
        /// comparisons.
        bool plain = false;
        /// On the CPU: weights are in memory of their own, aligned as PyTorch aligns, and never mapped. For
        /// training, which changes them, and whose bits must not depend on where a file has them.
        bool copied = false;
        /// Called when a layer's weights are there, before the next one's are read or drawn: for those who do
        /// not keep all of them in memory. None: nobody.
        std::function<void(const Weights& weights, int layer)> loaded = {};
    };
    /// Reads a Hugging Face folder: config.json and safetensors, sharded or not. On the CPU, in the file's
    /// dtype, weights stay mapped if their layout allows it and no matrix unit needs another. @throws
    /// InputError that names the file, the tensor and the fix
    static Model load(const std::filesystem::path& folder, const Options& options);
    /// Weights drawn as transformers draws them (normal, 0.02; norms 1): for tests, benchmarks and training.
    static Model random(const Config& config, const Options& options, uint64_t seed);
    /// The same weights in the same memory, with other operators: to sample from a model that is trained. A
    /// change of one's weights is a change of the other's.
    /// @throws InputError for options that need weights in another form: another device or dtype, and on the
    /// CPU any dtype but float32
    Model sharing(const Options& options) const;
    /// The same weights in memory of their own. @throws InputError for weights in tiles or with scales
    Model copy() const;
    /// The tensors of weights that are kept row by row, in the order of the file, without a tied head.
    std::vector<at::Tensor> tensors() const;
    Model(Model&&) noexcept;
    Model& operator=(Model&&) noexcept;
    ~Model();

    /// @param tokens    [n] int64, on the model's device
    /// @param positions [n] int64, of each token in its sequence
    /// @return [n, hidden] after the last norm, of activations()
    /// @throws InputError on the CPU for a token that is not in the vocabulary
    at::Tensor forward(const at::Tensor& tokens, const at::Tensor& positions, Attention& attention) const;
    /// @param hidden [n, hidden] rows of forward()
    /// @return [n, vocabulary] in float32
    at::Tensor logits(const at::Tensor& hidden) const;

    /// Writes config.json and safetensors in Hugging Face's layout (transformers loads it). Atomic: written
    /// to another folder and renamed. @throws MachineError (disk full), InputError if the folder exists and
    /// is not empty, or the weights are quantised
    void save(const std::filesystem::path& folder, const SaveOptions& options = {}) const;

    const Config& config() const;
    const Options& options() const;
    /// The dtype of activations, also of qkv for Attention: float32 on the CPU, elsewhere that of the
    /// weights.
    at::ScalarType activations() const;
    Heads heads() const;
    const Weights& weights() const;

  private:
    explicit Model(std::unique_ptr<ModelState> state);
    std::unique_ptr<ModelState> state_;
};

/// Natural logarithms of the probabilities of `targets`: the one function for rollout, scoring and training.
/// @param logits [n, vocabulary] float32  @param targets [n] int64
/// @return [n] float32: logits[i, targets[i]] - logsumexp(logits[i]), each row summed in an order that
/// depends on its own length only
at::Tensor log_probabilities(const at::Tensor& logits, const at::Tensor& targets);

}  // namespace tritonsmith::model
