#pragma once

#include <vector>

#include "train/network/parameters.h"

namespace tritonsmith::train {

/// What is added to a matrix of weights: y += scale B A x (LoRA, arXiv 2106.09685). Where the model keeps
/// several tensors of the file as one, each part of its rows has an A and a B of its own, as PEFT has them.
struct Adapter {
    std::vector<Parameter::Part> parts;  ///< of the matrix, with the names of its tensors
    at::Tensor a;                        ///< [parts · rank, inputs]
    at::Tensor b;                        ///< [outputs, rank]
};

struct LayerAdapters {
    Adapter qkv, output, gate_up, down;
};

/// Adapters of all matrices of a model's layers. While they are trained the model's own weights stay.
struct Adapters {
    int64_t rank = 0;
    double scale = 0;  ///< alpha / rank
    std::vector<LayerAdapters> layers;
};

/// A uniform within ±1 / √inputs, B zero, as PEFT begins: nothing is added yet. The same on all devices.
Adapters new_adapters(const model::Model& model, int64_t rank, double alpha, uint64_t seed);
/// Gradients of adapters, zero. @param dtype float32 or bfloat16
Adapters zero_gradients(const Adapters& adapters, at::ScalarType dtype);
/// All As and Bs, with PEFT's names. @param gradients zero_gradients() of these
std::vector<Parameter> parameters_of(const Adapters& adapters, const Adapters& gradients);
/// Elements of adapters of that rank.
int64_t adapter_elements(const model::Config& config, int64_t rank);

/// Adds what the adapter adds. @param y [n, outputs]  @param x [n, inputs]
void add_adapted(at::Tensor& y, const at::Tensor& x, const Adapter& adapter, double scale);
/// Of add_adapted(). @param gradient of y  @param x_gradient and gradients are added to
void adapter_derivative(const at::Tensor& gradient, const at::Tensor& x, const Adapter& adapter, double scale,
                        at::Tensor& x_gradient, Adapter& gradients);

/// During this object's lifetime the model's weights are those with the adapters in them; then they are what
/// they were, bit for bit. The originals are in the host's memory meanwhile.
class MergedAdapters {
  public:
    MergedAdapters(const model::Model& model, const Adapters& adapters);
    ~MergedAdapters();
    MergedAdapters(const MergedAdapters&) = delete;
    MergedAdapters& operator=(const MergedAdapters&) = delete;

  private:
    std::vector<at::Tensor> weights_, originals_;
};

}  // namespace tritonsmith::train
