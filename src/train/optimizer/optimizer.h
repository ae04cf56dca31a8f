#pragma once

#include <memory>
#include <string>
#include <vector>

#include "train/network/parameters.h"

namespace tritonsmith::train {

struct OptimizerSettings {
    /// Of matrices; embedding, head, norms and biases always have AdamW.
    enum class Method { adamw, muon };
    Method method = Method::adamw;
    double beta1 = 0.9, beta2 = 0.95, epsilon = 1e-8;  ///< AdamW
    double momentum = 0.95;                            ///< Muon
    int iterations = 5;                                ///< Muon: of Newton and Schulz
    double weight_decay = 0.1;                         ///< decoupled; not of norms and biases
    at::ScalarType states = at::kFloat;  ///< moments: float32, or bfloat16 with stochastic rounding
    /// Float32 copies of bfloat16 weights. Without them weights are rounded stochastically.
    bool master = false;
    uint64_t seed = 0;  ///< of stochastic rounding
};

/// A tensor that a checkpoint holds. Restoring copies into it.
struct NamedState {
    std::string name;  ///< the same for all parts of a parameter
    at::Tensor tensor;
    int64_t first_element = 0;  ///< of the whole parameter, where this is a part of one
};

/// Changes parameters by their gradients. AdamW (arXiv 1711.05101) as torch.optim.AdamW computes it; Muon
/// (https://kellerjordan.github.io/posts/muon) as torch.optim.Muon does with "match_rms_adamw" (arXiv
/// 2502.16982: learning rate and weight decay are AdamW's). Not responsible for clipping and schedules.
class Optimizer {
  public:
    /// @throws InputError for settings out of range
    Optimizer(std::vector<Parameter> parameters, const OptimizerSettings& settings);
    ~Optimizer();
    Optimizer(Optimizer&&) noexcept;

    /// @param number of the step, 1 for the first  @param gradient_scale that gradients are multiplied with
    void step(int64_t number, double learning_rate, double gradient_scale = 1);
    /// All that a step reads besides the parameters, in a fixed order.
    std::vector<NamedState> states() const;
    const std::vector<Parameter>& parameters() const { return parameters_; }

  private:
    struct Slot;
    struct MuonGroup;
    std::vector<MuonGroup> muon_groups() const;
    void step_together(const MuonGroup& group, int64_t number, double learning_rate, double gradient_scale);
    std::vector<Parameter> parameters_;
    OptimizerSettings settings_;
    std::vector<Slot> slots_;
};

}  // namespace tritonsmith::train
